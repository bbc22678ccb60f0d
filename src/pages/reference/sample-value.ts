import type { MediaType, OpenApiDocument, Parameter, Schema } from './document.ts';
import { plainSchema, typesOf } from './resolve.ts';

/**
 * Values that work in every new sandbox, by field name, so that a sample runs without changes. The examples of the
 * document come first.
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
  'X-Document-Filename': 'document.pdf',
};

const SAMPLE_UUID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
const SAMPLE_INSTANT = '2030-01-31T09:00:00Z';
const depthMax = 8;

/** A valid value of a parameter: its example, or one built from its schema. */
export function parameterSample(document: OpenApiDocument, parameter: Parameter): string {
  return String(parameter.example ?? sampleValue(document, parameter.schema ?? { type: 'string' }, parameter.name));
}

/** A valid body: its example, or one built from its schema. */
export function bodySample(document: OpenApiDocument, content: MediaType): unknown {
  const [first] = Object.values(content.examples ?? {});
  return content.example ?? first?.value ?? sampleValue(document, content.schema ?? {});
}

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

/** Only the required members, so that readers see the smallest request that works. */
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

/** Whether a named value has the type of the schema. The same name can have different types in different places. */
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
