import type { OpenApiDocument, Parameter, Schema } from './document.ts';
import type { ReferenceOperation } from './operations.ts';
import { plainSchema, typesOf } from './resolve.ts';
import { bodySample, parameterSample } from './sample-value.ts';

/** A value that readers fill in: a shell variable, or an environment variable in TypeScript. */
export interface Variable {
  readonly variable: string;
}

/** Text that contains variables. */
export type SampleText = readonly (string | Variable)[];

/** The kind of caller, which decides the credential of the request. */
export type SampleCaller = 'none' | 'basic' | 'client' | 'driver' | 'recipient' | 'person' | 'upload';

/** A valid request of an operation, independent of the language of the sample. */
export interface SampleRequest {
  readonly operation: ReferenceOperation;
  readonly caller: SampleCaller;
  readonly address: SampleText;
  readonly headers: readonly (readonly [name: string, value: SampleText])[];
  readonly body: SampleBody | undefined;
  /** The input of the typed client: one object, with decimals as strings. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly hasAnswer: boolean;
}

export type SampleBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly members: readonly (readonly [string, unknown])[] }
  | { readonly kind: 'file'; readonly name: string };

/** The variable with the caller's credential. */
export const CALLER_VARIABLES = {
  client: 'MIRSAL_TOKEN',
  driver: 'DRIVER_TOKEN',
  recipient: 'RECIPIENT_TOKEN',
  person: 'SESSION_TOKEN',
  upload: 'UPLOAD_CAPABILITY',
} as const;

/** Members whose value differs for each reader or changes with time. */
const VARIABLE_MEMBERS = ['otp', 'phone', 'from', 'to'];
const VARIABLE_PARAMETERS = ['shipmentIds'];
const VARIABLE_HEADERS: Readonly<Record<string, string>> = { 'If-Match': 'ETAG' };

/** Values that a new sandbox needs in place of the document's examples. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'shipments.create': { branchCode: 'SANDBOX_BRANCH', pickupLocationCode: 'SANDBOX_PICKUP' },
  'priceLocks.create': { pickupLocationCode: 'SANDBOX_PICKUP' },
  'driver.act': { action: 'REPORT_POSITION', position: { latitude: 24.694969, longitude: 46.68301 } },
  // The scenario takes about ten seconds, slow enough to watch.
  'sandbox.startScenario': { stepSeconds: 1 },
  'oauth.revoke': { token: { variable: CALLER_VARIABLES.client } },
};

export function sampleRequest(
  document: OpenApiDocument,
  operation: ReferenceOperation,
  baseUrl: string,
): SampleRequest {
  const { parameters } = operation;
  const required = (place: string) => parameters.filter((each) => each.in === place && each.required === true);
  const headers = required('header').map((each): readonly [string, SampleText] => [
    each.name ?? '',
    [headerValue(document, each)],
  ]);
  const query = required('query').map((each): readonly [string, string | Variable] => [
    each.name ?? '',
    queryValue(document, each),
  ]);
  const pathValues = parameters
    .filter((each) => each.in === 'path')
    .map((each): readonly [string, PathValue] => [each.name ?? '', pathValue(document, each)]);
  const body = bodyOf(document, operation);
  const members = body?.kind === 'json' ? asObject(decimalsAsText(document, operation, body.value)) : {};
  return {
    operation,
    caller: callerOf(operation),
    address: [
      baseUrl,
      ...addressOf(operation.path, new Map(pathValues)),
      ...query.flatMap(([name, value], index) => [
        `${index === 0 ? '?' : '&'}${name}=`,
        isVariable(value) ? value : encodeURIComponent(value),
      ]),
    ],
    headers,
    body,
    input: {
      ...Object.fromEntries(pathValues),
      ...Object.fromEntries(query),
      ...Object.fromEntries(headers.map(([name, [value]]) => [memberOf(name), value])),
      ...members,
    },
    hasAnswer: operation.responses.some(({ status, content }) => status.startsWith('2') && content !== undefined),
  };
}

/** The headers in the order of a sample, without the id and the secret of a client. */
export function sentHeaders({ operation, caller, headers, body }: SampleRequest): SampleRequest['headers'] {
  const type: SampleRequest['headers'] =
    body === undefined || body.kind === 'form' ? [] : [['Content-Type', [operation.body?.mediaType ?? '']]];
  return [...proofOf(caller), ...headers, ...type];
}

function proofOf(caller: SampleCaller): SampleRequest['headers'] {
  if (caller === 'none' || caller === 'basic') return [];
  const proof: Variable = { variable: CALLER_VARIABLES[caller] };
  return caller === 'upload' ? [['Registration-Upload-Capability', [proof]]] : [['Authorization', ['Bearer ', proof]]];
}

export function isVariable(value: unknown): value is Variable {
  return typeof value === 'object' && value !== null && 'variable' in value && Object.keys(value).length === 1;
}

/** The text, if it contains no variable. */
export function plainText(text: SampleText): string | undefined {
  const plain = text.filter((piece) => typeof piece === 'string');
  return plain.length === text.length ? plain.join('') : undefined;
}

export function hasVariable(value: unknown): boolean {
  if (isVariable(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasVariable);
}

function callerOf({ access }: ReferenceOperation): SampleCaller {
  if (access.length === 0) return 'none';
  if (access.includes('clientBasic')) return 'basic';
  if (access.includes('uploadCapability')) return 'upload';
  if (access.includes('driverToken')) return 'driver';
  if (access.includes('recipientToken')) return 'recipient';
  return access.every((one) => one.startsWith('session')) ? 'person' : 'client';
}

type PathValue = string | number | Variable;

/** An identifier becomes a variable. A value from an enumeration stays as it is, and a number is the smallest. */
function pathValue(document: OpenApiDocument, parameter: Parameter): PathValue {
  const name = parameter.name ?? '';
  const { schema } = plainSchema(document, parameter.schema ?? {});
  const { enum: allowed, minimum } = schema;
  if (allowed !== undefined) return String(allowed[0]);
  if (typesOf(schema).includes('integer')) return Number(minimum ?? 1);
  return { variable: pathVariableOf(name) };
}

/** The variable for a path parameter. */
export function pathVariableOf(name: string): string {
  return name === 'token' ? 'TRACKING_TOKEN' : variableOf(name);
}

function queryValue(document: OpenApiDocument, parameter: Parameter): string | Variable {
  const name = parameter.name ?? '';
  return VARIABLE_PARAMETERS.includes(name) ? { variable: variableOf(name) } : parameterSample(document, parameter);
}

function headerValue(document: OpenApiDocument, parameter: Parameter): string | Variable {
  const variable = VARIABLE_HEADERS[parameter.name ?? ''];
  return variable === undefined ? parameterSample(document, parameter) : { variable };
}

function addressOf(path: string, values: ReadonlyMap<string, PathValue>): SampleText {
  // The expression has a capture group, so every second piece is the name of a parameter.
  return path.split(/\{(\w+)\}/).map((piece, index) => {
    const value = index % 2 === 1 ? (values.get(piece) ?? piece) : piece;
    return isVariable(value) ? value : String(value);
  });
}

function bodyOf(document: OpenApiDocument, operation: ReferenceOperation): SampleBody | undefined {
  const { body, id = '' } = operation;
  if (body === undefined) return undefined;
  if (!body.mediaType.endsWith('json') && body.mediaType !== FORM)
    return { kind: 'file', name: fileNameOf(body.mediaType) };
  const value = bodySample(document, body.content);
  const whole = typeof value === 'object' && value !== null ? withVariables({ ...value, ...CHANGES[id] }) : value;
  return body.mediaType === FORM
    ? { kind: 'form', members: Object.entries(asObject(whole)) }
    : { kind: 'json', value: whole };
}

const FORM = 'application/x-www-form-urlencoded';

function fileNameOf(mediaType: string): string {
  return `document.${mediaType.split('/')[1] ?? 'bin'}`;
}

function withVariables(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(members).map(([name, value]) =>
    VARIABLE_MEMBERS.includes(name) ? [name, { variable: variableOf(name) }] : [name, value],
  );
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** The typed client takes decimals as strings, so that no digit is lost. */
function decimalsAsText(document: OpenApiDocument, { body }: ReferenceOperation, value: unknown): unknown {
  return asText(document, body?.content.schema ?? {}, value);
}

function asText(document: OpenApiDocument, given: Schema, value: unknown): unknown {
  const { schema } = plainSchema(document, given);
  if (typeof value === 'number') return typesOf(schema).includes('number') ? String(value) : value;
  if (typeof value !== 'object' || value === null || isVariable(value)) return value;
  const { items } = schema;
  if (Array.isArray(value)) {
    return typeof items === 'object' ? value.map((each: unknown) => asText(document, items, each)) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asText(document, schema.properties?.[name] ?? {}, member)]),
  );
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** `If-Match` as `ifMatch`. */
function memberOf(header: string): string {
  const [first = '', ...others] = header.split('-');
  return first.toLowerCase() + others.join('');
}

/** `shipmentId` as `SHIPMENT_ID`. */
export function variableOf(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}
