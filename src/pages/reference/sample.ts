import type { MediaType, OpenApiDocument, Parameter, Schema } from './document.ts';
import type { Operation } from './operations.ts';
import { plainSchema, typesOf } from './resolve.ts';

/**
 * Values that hold in every new sandbox, by the name of the field: a sample should run as it stands. The document's own
 * examples come first.
 */
const NAMED: Readonly<Record<string, unknown>> = {
  branchCode: 'SANDBOX_BRANCH',
  pickupLocationCode: 'SANDBOX_PICKUP',
  cityCode: 'RUH',
  destinationCityCode: 'RUH',
  currency: 'SAR',
  externalReference: 'ORDER-1001',
  name: 'Sara',
  phone: '+966500000001',
  mobileNumber: '500000001',
  email: 'orders@example.com',
  latitude: 24.7136,
  longitude: 46.6753,
  addressLine: 'King Fahd Road, Riyadh',
  declaredValue: 150,
  codAmount: 0,
  paymentMethod: 'PREPAID',
  pickupWindowStart: '2030-01-31T09:00:00Z',
  pickupWindowEnd: '2030-01-31T12:00:00Z',
  requirements: [],
  url: 'https://example.com/webhooks',
  otp: '123456',
  'Idempotency-Key': '6f1c2c1e-5b0a-4a8e-9d67-0d7f3f7a9b52',
  'If-Match': '"0"',
};

/** The security scheme of the OAuth endpoints, which a client calls before it has a token. */
const CLIENT_SCHEME = 'clientBasic';

const SAMPLE_UUID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
const SAMPLE_INSTANT = '2030-01-31T09:00:00Z';
const depthMax = 8;

/** A curl command for an operation; what proves the caller is taken from the environment. */
export function curlSample(document: OpenApiDocument, operation: Operation, baseUrl: string): string {
  const method = operation.method === 'GET' ? '' : `-X ${operation.method} `;
  const lines = [`curl ${method}${quote(baseUrl + addressOf(document, operation))}`];
  if (operation.access.includes(CLIENT_SCHEME)) lines.push('-u "$MIRSAL_CLIENT_ID:$MIRSAL_CLIENT_SECRET"');
  else if (operation.access.length > 0) lines.push('-H "Authorization: Bearer $MIRSAL_TOKEN"');
  for (const parameter of operation.parameters.filter((each) => each.in === 'header' && each.required === true)) {
    lines.push(`-H ${quote(`${parameter.name}: ${parameterValue(document, parameter)}`)}`);
  }
  lines.push(...bodyLines(document, operation.body));
  return lines.join(' \\\n  ');
}

/** A value that keeps to a schema: its example, or one made from its rules. */
function sampleValue(document: OpenApiDocument, given: Schema, name = ''): unknown {
  return valueFor(document, given, { name, depth: 0 });
}

interface Place {
  readonly name: string;
  readonly depth: number;
}

function valueFor(document: OpenApiDocument, given: Schema, place: Place): unknown {
  const { schema, variants, isNullable } = plainSchema(document, given);
  const example = [given.example, given.examples?.[0], schema.example, schema.examples?.[0], schema.const].find(
    isGiven,
  );
  if (example !== undefined) return example;
  if (Object.hasOwn(NAMED, place.name) && fits(schema, NAMED[place.name])) return NAMED[place.name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (place.depth >= depthMax) return null;
  const [variant] = variants;
  if (variant !== undefined) return valueFor(document, variant, place);
  return typedValue(document, schema, place) ?? (isNullable ? null : 'value');
}

function typedValue(document: OpenApiDocument, schema: Schema, { name, depth }: Place): unknown {
  const types = typesOf(schema);
  if (types.includes('object')) return objectValue(document, schema, depth);
  if (types.includes('array')) {
    const element = typeof schema.items === 'object' ? schema.items : {};
    return (schema.minItems ?? 0) > 0 ? [valueFor(document, element, { name, depth: depth + 1 })] : [];
  }
  if (types.includes('integer') || types.includes('number')) return numberValue(schema);
  if (types.includes('boolean')) return true;
  return types.includes('string') ? stringValue(schema) : undefined;
}

/** Only what is required: a reader should see the smallest request that works. */
function objectValue(document: OpenApiDocument, schema: Schema, depth: number): unknown {
  const properties = Object.entries(schema.properties ?? {});
  const required = properties.filter(([name]) => schema.required?.includes(name) ?? false);
  return Object.fromEntries(
    required.map(([name, property]) => [name, valueFor(document, property, { name, depth: depth + 1 })]),
  );
}

function numberValue(schema: Schema): number {
  const low = schema.minimum ?? schema.exclusiveMinimum ?? 1;
  return Math.min(Math.max(low, 1), schema.maximum ?? Number.MAX_SAFE_INTEGER);
}

function stringValue(schema: Schema): string {
  if (schema.format === 'uuid') return SAMPLE_UUID;
  if (schema.format === 'date-time') return SAMPLE_INSTANT;
  const text = 'text';
  return text.padEnd(schema.minLength ?? 0, '-').slice(0, schema.maxLength ?? text.length);
}

/** Whether a named value is of the type that the schema wants here; names mean different things in different places. */
function fits(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (typeof value !== 'string') return types.includes(Array.isArray(value) ? 'array' : 'number');
  const isLongEnough = value.length >= (schema.minLength ?? 0) && value.length <= (schema.maxLength ?? value.length);
  const isMatch = schema.pattern === undefined || new RegExp(schema.pattern).test(value);
  return types.includes('string') && isLongEnough && isMatch && (schema.enum?.includes(value) ?? true);
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

function addressOf(document: OpenApiDocument, operation: Operation): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter === undefined ? hole : encodeURIComponent(parameterValue(document, parameter));
  });
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(parameterValue(document, parameter))}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function parameterValue(document: OpenApiDocument, parameter: Parameter): string {
  return String(parameter.example ?? sampleValue(document, parameter.schema ?? { type: 'string' }, parameter.name));
}

function bodyLines(document: OpenApiDocument, body: Operation['body']): readonly string[] {
  if (body === undefined) return [];
  const header = `-H ${quote(`Content-Type: ${body.mediaType}`)}`;
  const value = bodyExample(document, body.content);
  if (body.mediaType === 'application/x-www-form-urlencoded') return formLines(value);
  if (!body.mediaType.endsWith('json')) return [header, '--data-binary @file'];
  return [header, `-d ${quote(JSON.stringify(value, undefined, 2))}`];
}

function formLines(value: unknown): readonly string[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return members.map(([name, member]) => `--data-urlencode ${quote(`${name}=${String(member)}`)}`);
}

function bodyExample(document: OpenApiDocument, content: MediaType): unknown {
  const [first] = Object.values(content.examples ?? {});
  return content.example ?? first?.value ?? sampleValue(document, content.schema ?? {});
}

/** A POSIX shell word: nothing in it is expanded. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
