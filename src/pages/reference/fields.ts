import type { OpenApiDocument, Schema } from './document.ts';
import { type PlainSchema, plainSchema, typesOf } from './resolve.ts';

/** One row of a table of fields. */
export interface Field {
  /** The path, as in a violation: `items[].quantity`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly rules: readonly string[];
  readonly description: string | undefined;
}

/** A schema that nests deeper than this refers to itself. */
const depthMax = 6;

/** The fields of an object. The fields of a nested object come after it. */
export function listFields(document: OpenApiDocument, schema: Schema): readonly Field[] {
  return fieldsOf(document, plainSchema(document, schema), { prefix: '', depth: 0 });
}

/** A type in words: `string (uuid) or null`, `array of object`. */
export function typeText(document: OpenApiDocument, schema: Schema): string {
  return typeOf(document, plainSchema(document, schema));
}

/** The rules of a value, in short phrases. */
export function ruleTexts(schema: Schema): readonly string[] {
  const rules = [
    range('length', schema.minLength, schema.maxLength),
    range('entries', schema.minItems, schema.maxItems),
    range('value', schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? undefined : `> ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? undefined : `< ${schema.exclusiveMaximum}`,
    schema.multipleOf === undefined ? undefined : `multiple of ${schema.multipleOf}`,
    fractionRule(schema),
    schema.uniqueItems === true ? 'entries unique' : undefined,
    schema.pattern,
    schema.enum?.map(String).join(', '),
    schema.const === undefined ? undefined : `always ${plainText(schema.const)}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ];
  return rules.filter((rule) => rule !== undefined);
}

function fractionRule(schema: Schema): string | undefined {
  const digits = schema['x-decimal']?.fractionDigits;
  return digits === undefined ? undefined : `fraction digits <= ${digits}`;
}

interface Position {
  readonly prefix: string;
  readonly depth: number;
}

function fieldsOf(document: OpenApiDocument, parent: PlainSchema, position: Position): readonly Field[] {
  const { prefix, depth } = position;
  if (depth >= depthMax) return [];
  const own = Object.entries(parent.schema.properties ?? {}).flatMap(([name, given]) => {
    const plain = plainSchema(document, given);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const element = elementOf(document, plain.schema);
    const inner = element === undefined ? plain : element;
    const innerPrefix = element === undefined ? path : `${path}[]`;
    const field = {
      path,
      type: typeOf(document, plain),
      isRequired: parent.schema.required?.includes(name) ?? false,
      rules: [...ruleTexts(plain.schema), ...(element === undefined ? [] : ruleTexts(element.schema))],
      description: given.description ?? plain.schema.description,
    };
    return [field, ...fieldsOf(document, inner, { prefix: innerPrefix, depth: depth + 1 })];
  });
  const variants = parent.variants.flatMap((variant) => fieldsOf(document, plainSchema(document, variant), position));
  return [...own, ...variants];
}

function typeOf(document: OpenApiDocument, plain: PlainSchema): string {
  const { schema, variants, isNullable } = plain;
  const element = elementOf(document, schema);
  const names = typesOf(schema).filter((type) => type !== 'null');
  const own = element === undefined ? names : [`array of ${typeOf(document, element)}`];
  const all = own.length > 0 ? own : variants.map((variant) => typeText(document, variant));
  const known = all.length > 0 ? [...new Set(all)].join(' or ') : 'any';
  const formatted = schema.format === undefined ? known : `${known} (${schema.format})`;
  return isNullable ? `${formatted} or null` : formatted;
}

function elementOf(document: OpenApiDocument, schema: Schema): PlainSchema | undefined {
  return typeof schema.items === 'object' ? plainSchema(document, schema.items) : undefined;
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function range(what: string, low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  // The document gives an unbounded integer the bounds of a double, which say nothing to readers.
  const above = high === undefined || high >= Number.MAX_SAFE_INTEGER ? undefined : high;
  const below = low === undefined || low <= Number.MIN_SAFE_INTEGER ? undefined : low;
  if (below === undefined) return above === undefined ? undefined : `${what} <= ${above}`;
  return above === undefined ? `${what} >= ${below}` : `${what} ${below}..${above}`;
}
