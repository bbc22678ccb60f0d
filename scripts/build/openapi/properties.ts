import { PROBLEM_EXAMPLES } from './problem-examples.ts';
import { PROPERTY_LIMITS } from './property-limits.ts';
import { PROPERTY_TEXTS } from './property-texts.ts';
import {
  isReference,
  nameIn,
  operationsOf,
  type Paths,
  type Reference,
  type RequestBody,
  type Response,
  referTo,
  type Schema,
} from './shapes.ts';

type Named = Schema | Reference;
type Schemas = Readonly<Record<string, Named>>;

/** Every digit of a decimal counts: requests with more are refused, and answers have at most these. */
const DIGITS_MAX = 19;

/** The same schemas with a description, limits and an example for each property, and with words about decimals and enums. */
export function explainSchemas(paths: Paths, schemas: Schemas): Record<string, Named> {
  const examples = collectExamples(paths, schemas);
  const taken = namesWithin(
    operationsOf(paths).map(({ requestBody, parameters }) => [requestBody, parameters]),
    schemas,
  );
  const answered = namesWithin(
    operationsOf(paths).map(({ responses }) => responses),
    schemas,
  );
  const explained = Object.entries(schemas).map(([name, schema]) => [
    name,
    isReference(schema)
      ? schema
      : explainedSchema(schema, { name, examples, isTaken: taken.has(name), isAnswered: answered.has(name) }),
  ]);
  requireExplained(Object.fromEntries(explained));
  return Object.fromEntries(explained);
}

/** A property without words or an example fails `npm run document`, so that its author learns of it first. */
function requireExplained(schemas: Schemas): void {
  const members = Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(isReference(schema) ? {} : (schema.properties ?? {})).map(([member, inner]) => ({
      name: `${name}.${member}`,
      text: JSON.stringify(inner),
    })),
  );
  const silent = members.filter(({ text }) => !text.includes('"description":')).map(({ name }) => name);
  if (silent.length > 0) throw new Error(`Say what these mean with describe() in their schema: ${silent.join(', ')}`);
  // The schema that a reference names has examples of its own, and a constant needs none.
  const bare = members.filter(({ text }) => !/"(?:examples|\$ref|const)":/.test(text)).map(({ name }) => name);
  if (bare.length > 0)
    throw new Error(
      `Give these an example in the operation's example, or in PROPERTY_EXAMPLES of scripts/build/openapi/properties.ts: ${bare.join(', ')}`,
    );
}

/** Examples of properties that are absent or null in the examples of operations. */
const PROPERTY_EXAMPLES: Readonly<Record<string, unknown>> = {
  'LastCall.status': 401,
  actionId: '01976e2b-7f31-7c08-a2d5-90b4e6c1f837',
  alternateContactName: 'Majid Al-Harbi',
  'ExistingShipment.shipmentId': '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  'ExistingShipment.shipmentNumber': 'SHP-7ZQ4N0K2RD5',
  'ExistingShipment.href': '/v2/external/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  'ValidationViolation.field': 'items[0].quantity',
  'ValidationViolation.message': 'Must be from 1 to 10000',
  'ShipmentBatchRequestItem.priceLimit': 34.5,
  'ShipmentBatchRequestItem.nationalAddress': 'RRRD2929',
  'RecipientDeliveryReturnable.index': 0,
  'RecipientDeliveryReturnable.quantity': 1,
  'SecretRotation.inFlight': 0,
  requestHeaders: { 'If-Match': '"3"' },
  requestBody: { externalReference: 'ORDER-1001', recipient: { name: '<string 12>' } },
  responseBody: { code: 'VALIDATION_FAILED', violations: [{ field: 'items', code: 'REQUIRED' }] },
  relatedEvents: ['01976e2a-7c15-7b08-9d3e-41f2c6a8e570'],
  'LoggedRequest.shipmentId': '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  'LoggedRequestWithEvents.shipmentId': '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  client_id: 'mcl_dGhpcyBpcyBhbiBleGFtcGxl',
  client_secret: 'msk_test_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZWNyZXQ',
  'ShipmentEventReason.code': 'CUSTOMER_REQUEST',
  'SentRequest.headers': { 'content-type': 'application/json', 'webhook-id': '01976e2a-7c10-7a52-b3d4-0f9e8c7b6a51' },
  'ReceiverResponse.headers': { 'content-type': 'text/plain', 'retry-after': '120' },
  'AmendedRecipient.name': 'Sara Al-Harbi',
  'AmendedValues.recipientName': 'Sara Al-Harbi',
  'AmendedValues.maskedRecipientPhone': '********5678',
  'AmendedValues.codAmount': 0,
  'DeliveryChangeRequest.instructions': 'Call from the gate.',
  'DriverActionRequest.version': 4,
  'Resolution.followUpShipmentId': '01976e2e-3b7a-7d52-a4c8-9f1b60e2d735',
  'ShipmentRelations.redeliveryOf': '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  'ShipmentRelations.returnOf': '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  'ReturnRequest.pickupLocationCode': 'OLAYA_MAIN',
  'ResolutionRequest.externalReference': 'ORDER-1001-AGAIN',
  'ResolutionRequest.shortAddress': 'RRRD2929',
  'CaseEvidenceTimeline.reasonCode': 'NO_ANSWER',
  'CaseEvidence.proofSha256': '3f0c9a7e5b1d8264c0a2e4f6b8d1c3e5a7f9b0d2c4e6f8a1b3d5c7e9f0a2b4c6',
  'DriverProof.pin': '4821',
  'DeliveryPin.code': '4821',
  'DeliveryPin.advice': 'Look at the goods first. Give this PIN to the driver only when you hold the parcel.',
  mediaAssetIds: ['01976e2e-1b20-7c44-9a31-0d5e8f7c6b21'],
  signedBy: 'Huda Al-Salem',
  'EventDataProof.sha256': '9f2b6c1f0a7d4e83b5c2d1908e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f',
  'EventDataCollection.amount': 94.5,
  'EventDataCollection.currency': 'SAR',
  'EventDataCollection.reference': 'RRN 512301847261',
  'DriverCollection.amount': 94.5,
  'DriverCollection.reference': 'RRN 512301847261',
  'EventDataAmendment.amendmentId': '01976e2d-9a44-7d1b-b1c7-52e8f0a4637d',
  'ShipmentAmendmentRequest.codAmount': 0,
  comment: 'Ordered twice.',
  description: 'Order service',
  enabled: true,
  heightCentimetres: 12.5,
  lengthCentimetres: 30,
  metadata: { channel: 'web', salesOrder: '4711' },
  offsetSeconds: 259_200,
  seconds: 86_400,
  offDutyReason: 'SILENT',
  nextCursor: 'eyJ2IjoxLCJhdCI6MTg5NTkzMDQwN30',
  note: 'Ordered twice.',
  replayOf: '01976e2d-9f02-7d11-8a40-6b3e5c9d2f18',
  requirements: ['COLD_CHAIN'],
  stars: 5,
  sandboxOtp: '493017',
  scope: 'shipments:read shipments:write',
  token_type_hint: 'access_token',
  url: 'https://shop.example.com/hooks/mirsal',
  widthCentimetres: 20,
};

interface Place {
  readonly name: string;
  readonly examples: ReadonlyMap<string, unknown>;
  readonly isTaken: boolean;
  readonly isAnswered: boolean;
}

function explainedSchema(schema: Schema, place: Place): Schema {
  if (schema.enum !== undefined) return explainedEnum(schema, place);
  const { properties, allOf } = schema;
  if (allOf !== undefined)
    return { ...schema, allOf: allOf.map((part) => (isReference(part) ? part : explainedSchema(part, place))) };
  if (properties === undefined) return schema;
  const explained = Object.entries(properties).map(([member, inner]) => [
    member,
    explainedMember(inner, member, place),
  ]);
  return { ...schema, properties: Object.fromEntries(explained) };
}

/** An enum of answers may grow. `enum` stays, because generators read nothing else; the extension and the words mark it. */
function explainedEnum(schema: Schema, { isAnswered }: Place): Schema {
  const [first] = schema.enum ?? [];
  if (!isAnswered) return { ...schema, examples: [first] };
  return {
    ...schema,
    description: `${schema.description ?? ''} New values may be added: treat an unknown one as “other”.`.trim(),
    'x-extensible-enum': schema.enum,
    examples: [first],
  };
}

function explainedMember(inner: Named, member: string, { name, examples, isTaken }: Place): Named {
  const own = `${name}.${member}`;
  const given = isReference(inner) ? undefined : inner.description;
  const description = PROPERTY_TEXTS[own] ?? given ?? PROPERTY_TEXTS[member];
  const described = description === undefined ? inner : { ...inner, description };
  if (isReference(described)) return described;
  const limits =
    isTaken || Object.hasOwn(described, 'const') ? undefined : (PROPERTY_LIMITS[own] ?? PROPERTY_LIMITS[member]);
  const limited = limits === undefined ? described : withLimits(described, limits);
  const example = examples.get(own) ?? PROPERTY_EXAMPLES[own] ?? PROPERTY_EXAMPLES[member];
  const hasOwn = JSON.stringify(inner).includes('"examples"') || example === undefined;
  return withDecimals(hasOwn ? limited : { ...limited, examples: [example] });
}

/** Limits belong to the type that they are about. A property of the same name may have another type. */
function withLimits(schema: Schema, limits: Schema): Schema {
  const types = [schema.type].flat();
  const isFor = (limit: string) => {
    if (limit.endsWith('Items')) return types.includes('array');
    if (/Length$|^pattern$/.test(limit)) return types.includes('string');
    return types.includes('number') || types.includes('integer');
  };
  const fitting = Object.entries(limits).filter(([limit]) => isFor(limit) && !Object.hasOwn(schema, limit));
  return { ...schema, ...Object.fromEntries(fitting) };
}

/** `number` alone makes floats. Generators that know `format: decimal` (OpenAPI Format Registry) make exact decimals. */
function withDecimals(schema: Schema): Schema {
  const { anyOf } = schema;
  if (anyOf !== undefined)
    return { ...schema, anyOf: anyOf.map((one) => (isReference(one) ? one : withDecimals(one))) };
  if (![schema.type].flat().includes('number')) return schema;
  const rules = { digits: DIGITS_MAX, ...Object(Reflect.get(schema, 'x-decimal')) };
  return { ...schema, format: 'decimal', 'x-decimal': rules };
}

/** The values of properties in the examples of operations, by schema and property. */
function collectExamples(paths: Paths, schemas: Schemas): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const start = { schemas, found, name: '' };
  for (const { requestBody, responses = {} } of operationsOf(paths)) {
    const bodies = [requestBody, ...Object.values(responses)].filter((body) => body !== undefined);
    for (const body of bodies) for (const { schema, example } of mediaOf(body)) collectFrom(schema, example, start);
  }
  for (const example of PROBLEM_EXAMPLES) collectFrom(referTo('schemas', 'Problem'), example, start);
  return found;
}

interface Collecting {
  readonly schemas: Schemas;
  readonly found: Map<string, unknown>;
  readonly name: string;
}

function collectFrom(schema: Named, value: unknown, collecting: Collecting): void {
  if (typeof value !== 'object' || value === null) return;
  if (isReference(schema)) {
    const name = nameIn(schema.$ref);
    collectFrom(collecting.schemas[name] ?? {}, value, { ...collecting, name });
    return;
  }
  const { properties = {}, items, anyOf = [], allOf = [] } = schema;
  for (const one of [...anyOf, ...allOf]) collectFrom(one, value, isReference(one) ? collecting : { ...collecting });
  if (Array.isArray(value) && items !== undefined) for (const entry of value) collectFrom(items, entry, collecting);
  for (const [member, inner] of Object.entries(properties)) {
    const own: unknown = Reflect.get(value, member);
    const key = `${collecting.name}.${member}`;
    if (isPlain(own) && !collecting.found.has(key)) collecting.found.set(key, own);
    collectFrom(inner, own, { ...collecting, name: `${collecting.name}.${member}` });
  }
}

function mediaOf(body: RequestBody | Response | Reference): { readonly schema: Named; readonly example: unknown }[] {
  if (isReference(body)) return [];
  return Object.values(body.content ?? {}).flatMap(({ schema, example }) =>
    schema === undefined ? [] : [{ schema, example: example as unknown }],
  );
}

/** A value without members, or a list of such values. */
function isPlain(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return Array.isArray(value) ? value.length > 0 && value.every(isPlain) : typeof value !== 'object';
}

/** The names of all schemas that a value refers to, at any depth. */
function namesWithin(value: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesWithin(schemas[name] ?? {}, schemas, found);
  }
  return found;
}
