import { ENUMS, type NamedEnum } from './enums.ts';
import { isReference, nameIn, type Operation, type Paths, type Reference, referTo, type Schema } from './shapes.ts';

/*
 * Generators make a type of every named schema, and invent a name for every other one. So each object and each enum of the
 * document becomes a component. A response has the `id` of its schema's metadata, a body the name of its operation, and an
 * inner object the name of its parent and member.
 */

/** Names of request bodies that the name of the operation does not give. */
const REQUEST_NAMES: Readonly<Record<string, string>> = {
  'shipmentValidations.create': 'ShipmentRequest',
  'shipments.cancel': 'CancellationRequest',
  'nationalAddresses.replace': 'NationalAddressRequest',
  'shipmentMetadata.replace': 'ShipmentMetadataRequest',
  'shipmentAmendments.preview': 'ShipmentAmendmentRequest',
  'shipmentAmendments.decide': 'AmendmentDecisionRequest',
  'recipients.startSignIn': 'RecipientSignInRequest',
  'recipients.verifySignIn': 'VerificationRequest',
  'recipients.changeDelivery': 'DeliveryChangeRequest',
  'recipients.refuse': 'RefusalRequest',
  'recipients.askReturn': 'RecipientReturnRequest',
  'recipients.rejectReturn': 'ReturnRejectionRequest',
  'cases.addMessage': 'CaseMessageRequest',
  'cases.decide': 'CaseDecisionRequest',
  'cases.createAsRecipient': 'RecipientCaseRequest',
  'cases.withdrawAsRecipient': 'CaseWithdrawalRequest',
  'driver.startSession': 'DriverSessionRequest',
  'driver.verifySession': 'VerificationRequest',
  'driver.setDuty': 'DriverDutyRequest',
  'driver.reportPosition': 'DriverPosition',
  'driver.act': 'DriverActionRequest',
  'driver.attemptAgain': 'DriverAttemptRequest',
  'resolutions.choose': 'ResolutionRequest',
  'resolutions.recall': 'RecallRequest',
  'resolutions.returnItems': 'ReturnRequest',
  'registrations.create': 'MerchantRegistrationRequest',
  'registrations.verify': 'VerificationRequest',
  'nationalAddresses.lookUp': 'NationalAddressLookUpRequest',
  'nationalAddresses.suggest': 'AddressSuggestionRequest',
  'sessions.startSignIn': 'SignInRequest',
  'sessions.verifySignIn': 'VerificationRequest',
  'sessions.startElevation': 'AssuranceElevationRequest',
  'sessions.verifyElevation': 'VerificationRequest',
  'merchantApiCredential.rotate': 'SecretRotationRequest',
  'merchantApiCredential.setScopes': 'CredentialScopesRequest',
  'webhookEndpoints.update': 'WebhookEndpointChanges',
  'webhookEndpoints.rotateSecret': 'SecretRotationRequest',
  'webhookEndpoints.sendTestEvent': 'TestEventRequest',
  'webhookEndpoints.replay': 'WebhookReplayRequest',
  'sandbox.setDispatchHold': 'DispatchHoldRequest',
  'sandbox.setDispatchSettings': 'DispatchSettingsRequest',
  'sandbox.advanceClock': 'SandboxAdvanceRequest',
  'sandbox.startDriverSession': 'DriverSessionRequest',
  'sandbox.verifyDriverSession': 'VerificationRequest',
  'sandbox.startScenario': 'SandboxScenarioRequest',
  'sandbox.setFault': 'SandboxFaultRequest',
  'oauth.token': 'TokenRequest',
  'oauth.revoke': 'RevocationRequest',
};

/** Better names than those of parent and member. */
const INNER_NAMES: Readonly<Record<string, string>> = {
  ShipmentRequestRecipient: 'Recipient',
  ShipmentRequestDestination: 'LocationRequest',
  ShipmentRequestItem: 'ItemRequest',
  ShipmentBatchRequestItemShipment: 'ShipmentRequest',
  PriceEstimateRequestPickup: 'CoordinatesRequest',
  PriceEstimateRequestDelivery: 'CoordinatesRequest',
  AddressSuggestionRequestNear: 'CoordinatesRequest',
  DriverActionRequestPosition: 'DriverPosition',
  DriverActionRequestCollected: 'DriverCollection',
  DriverActionRequestProof: 'DriverProof',
  ChargesLine: 'ChargeLine',
  ShipmentAmendmentRequestLocation: 'AmendedLocation',
  ShipmentAmendmentRequestRecipient: 'AmendedRecipient',
  ShipmentAmendmentRequestPlace: 'DeliveryPlaceRequest',
  AmendedValuesLocation: 'Coordinates',
  ResolutionRequestLocation: 'RedeliveryLocation',
  DeliveryChangeRequestLocation: 'CoordinatesRequest',
  DeliveryChangeRequestPlace: 'DeliveryPlaceRequest',
  RecipientDeliveryMay: 'PermittedChange',
  RecipientDeliveryAwaitingMerchant: 'WaitingChange',
  ChangedDeliveryAwaitingMerchant: 'RequestedChange',
  RecipientsRefuseAnswer: 'NotedRefusal',
  PriceEstimateBreakdown: 'PriceLine',
  CurrentSessionPerson: 'SessionPerson',
  CurrentSessionCompany: 'SessionCompany',
  EventDataReason: 'ShipmentEventReason',
  KeySetKey: 'JsonWebKey',
  ReadinessLastCallsRouting: 'LastCall',
  ReadinessLastCallsSms: 'LastCall',
  ReadinessLastCallsEmail: 'LastCall',
  ReadinessLastCallsDocuments: 'LastCall',
  ReadinessLastCallsStreets: 'LastCall',
  ReadinessLastCallsRegistry: 'LastCall',
  ReadinessLastCallsGeocoder: 'LastCall',
  MerchantRegistrationRequiredDocument: 'RequiredDocument',
  UploadedDocumentRequiredDocument: 'RequiredDocument',
  MerchantRegistrationVerification: 'SentVerification',
  MerchantTrackingDriver: 'TrackingDriver',
  MerchantTrackingArrival: 'Arrival',
  TrackingArrival: 'Arrival',
  MerchantTrackingLivePosition: 'LivePosition',
  TrackingLivePosition: 'LivePosition',
  MerchantTrackingCodDue: 'CashOnDelivery',
  TrackingCodDue: 'CashOnDelivery',
  MerchantTrackingTimeline: 'TrackingEntry',
  TrackingTimeline: 'TrackingEntry',
  MerchantTrackingDispatch: 'TrackingDispatch',
  ProblemViolation: 'Violation',
  SandboxReadinessPickup: 'Coordinates',
  SandboxReadinessDelivery: 'Coordinates',
  TestEventResultHeaders: 'WebhookHeaders',
};

type Named = Schema | Reference;

/** The same paths with references in place of objects and enums, and the schemas that they refer to. */
export function nameSchemas(
  paths: Paths,
  given: Readonly<Record<string, Named>>,
): { readonly paths: Paths; readonly schemas: Record<string, Named> } {
  const components = new Components();
  for (const [name, schema] of Object.entries(given)) components.addGiven(name, schema);
  const named = Object.entries(paths).map(([path, item]) => [path, withOperations(item, components)] as const);
  return { paths: Object.fromEntries(named), schemas: components.schemas() };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

function withOperations(item: Paths[string], components: Components): Paths[string] {
  const named = METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [[method, withNames(operation, components)] as const];
  });
  return { ...item, ...Object.fromEntries(named) };
}

function withNames(operation: Operation, components: Components): Operation {
  const { operationId = '', parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((one) => withSchema(one, titleOf(operationId), components)) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: withContent(requestBody, requestName(operationId), components) }),
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, response]) => [
        status,
        withContent(response, `${titleOf(operationId)}Answer`, components),
      ]),
    ),
  };
}

function withSchema<Value extends { name?: string; schema?: Named } | Reference>(
  parameter: Value,
  parent: string,
  components: Components,
): Value {
  if (isReference(parameter) || parameter.schema === undefined) return parameter;
  return { ...parameter, schema: components.name(parameter.schema, parent + titleOf(parameter.name ?? '')) };
}

function withContent<Value extends { content?: Record<string, { schema?: Named }> } | Reference>(
  body: Value,
  name: string,
  components: Components,
): Value {
  if (isReference(body) || body.content === undefined) return body;
  const content = Object.entries(body.content).map(([type, media]) => [
    type,
    media.schema === undefined ? media : { ...media, schema: components.name(media.schema, name) },
  ]);
  return { ...body, content: Object.fromEntries(content) };
}

/** The schemas that have got a name. */
class Components {
  readonly #schemas = new Map<string, Named>();

  schemas(): Record<string, Named> {
    return Object.fromEntries(this.#schemas);
  }

  /** A schema that has its name already. */
  addGiven(name: string, schema: Named): void {
    const known = enumOf(schema);
    if (known === undefined) this.#add(name, isReference(schema) ? schema : this.#withInner(schema, name));
    else this.#add(known.name, enumSchema(known));
  }

  /** A reference in place of an object or an enum, and any other schema with its inner schemas named. */
  name(schema: Named, name: string): Named {
    if (isReference(schema)) return schema;
    const { type, enum: values, ...rest } = schema;
    const known = enumOf(schema);
    if (known !== undefined) {
      this.#add(known.name, enumSchema(known));
      return { ...rest, ...referTo('schemas', known.name) };
    }
    if (values?.length === 1) return { ...rest, ...(type === undefined ? {} : { type }), const: values[0] };
    if (values !== undefined) {
      this.#add(name, { type: 'string', enum: values });
      return { ...rest, ...referTo('schemas', name) };
    }
    const inner = this.#withInner(schema, name);
    if (schema.properties === undefined) return inner;
    const chosen = INNER_NAMES[name] ?? pageName(schema) ?? this.#nameOfSame(inner) ?? name;
    this.#add(chosen, inner);
    return referTo('schemas', chosen);
  }

  #withInner(schema: Schema, name: string): Schema {
    const { properties, items, anyOf, oneOf, allOf } = schema;
    const named = (inner: Named) => this.name(inner, name);
    return {
      ...schema,
      ...(properties === undefined ? {} : { properties: this.#members(properties, name) }),
      ...(items === undefined ? {} : { items: this.name(items, singular(name)) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map(named) }),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map(named) }),
      // The parts of a whole have no names of their own.
      ...(allOf === undefined
        ? {}
        : { allOf: allOf.map((part) => (isReference(part) ? part : this.#withInner(part, name))) }),
    };
  }

  #members(properties: NonNullable<Schema['properties']>, parent: string): NonNullable<Schema['properties']> {
    const entries = Object.entries(properties).map(([member, inner]) => [
      member,
      this.name(inner, parent + titleOf(member)),
    ]);
    return Object.fromEntries(entries);
  }

  #add(name: string, schema: Named): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas would be named ${name}. Name one of them in scripts/build/openapi/names.ts`);
    this.#schemas.set(name, schema);
  }

  #nameOfSame(schema: Schema): string | undefined {
    const text = JSON.stringify(schema);
    return [...this.#schemas].find(([, other]) => JSON.stringify(other) === text)?.[0];
  }
}

function enumOf(schema: Named): NamedEnum | undefined {
  if (isReference(schema) || schema.enum === undefined) return undefined;
  const values = JSON.stringify(schema.enum);
  return ENUMS.find((known) => JSON.stringify(known.values) === values);
}

function enumSchema({ values, description }: NamedEnum): Schema {
  return { type: 'string', description, enum: [...values] };
}

/** `Shipment` makes `ShipmentPage`. */
function pageName({ properties = {} }: Schema): string | undefined {
  const { data, page, ...others } = properties;
  if (data === undefined || page === undefined || Object.keys(others).length > 0) return undefined;
  const items = isReference(data) ? undefined : data.items;
  return items !== undefined && isReference(items) ? `${nameIn(items.$ref)}Page` : undefined;
}

/** `shipmentBatches.create` takes a `ShipmentBatchRequest`, `shipments.archive` a `ShipmentArchiveRequest`. */
function requestName(operationId: string): string {
  const [resource = '', verb = ''] = operationId.split('.');
  const derived = titleOf(singular(resource)) + (verb === 'create' ? '' : titleOf(verb));
  return REQUEST_NAMES[operationId] ?? `${derived}Request`;
}

/** `webhook-id` is `WebhookId`, `shipments.create` is `ShipmentsCreate`. */
function titleOf(name: string): string {
  return name.replaceAll(/(?:^|[-._])([a-z])/gi, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|us)es$/.test(name)) return name.slice(0, -2);
  return /[^su]s$/.test(name) ? name.slice(0, -1) : name;
}
