import type { OpenAPIObject } from 'trpc-openapi';

/** Parts of an OpenAPI 3.1 document by the generator's types, which lack `info.summary`. */
export type Document = OpenAPIObject & { readonly info: { readonly summary: string } };
export type Paths = NonNullable<Document['paths']>;
export type Components = NonNullable<Document['components']>;
export type Operation = NonNullable<Paths[string]['get']>;
export type Schema = Exclude<NonNullable<Components['schemas']>[string], Reference>;
export type Parameter = Exclude<NonNullable<Components['parameters']>[string], Reference>;
export type Header = Exclude<NonNullable<Components['headers']>[string], Reference>;
/** `x-codes` are the problem codes that a response may have. */
export type Response = Exclude<NonNullable<Components['responses']>[string], Reference>;
export type RequestBody = Exclude<NonNullable<Components['requestBodies']>[string], Reference>;

export interface Reference {
  $ref: string;
}

/** All operations of the paths. */
export function operationsOf(paths: Paths): Operation[] {
  return Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );
}

/** The name at the end of a reference. */
export function nameIn(address: string): string {
  return address.split('/').at(-1) ?? '';
}

export function isReference<Value extends object>(value: Value | Reference): value is Reference {
  return '$ref' in value;
}

export function referTo(
  kind: 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples' | 'links',
  name: string,
): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/**
 * A schema for OpenAPI 3.1 with `examples` in place of the deprecated `example`. Answers may gain members within a version, so
 * their objects allow additional properties. Those of requests do not.
 */
export function finishSchema(schema: Schema | Reference, use: 'request' | 'answer'): Schema | Reference {
  if (isReference(schema)) return schema;
  const { example, additionalProperties, properties, items, anyOf, oneOf, allOf, ...rest } = schema;
  const finish = (inner: Schema | Reference) => finishSchema(inner, use);
  const saysNothing = JSON.stringify(additionalProperties) === '{}';
  const isOpened = use === 'answer' && (additionalProperties === false || saysNothing);
  return {
    ...rest,
    ...integerFormat(rest),
    ...(items === undefined ? {} : { items: finish(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(finish) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(finish) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(finish) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, finish) }),
    ...(additionalProperties === undefined || isOpened ? {} : { additionalProperties }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

const INT32_MAX = 2 ** 31 - 1;

/** Generators make 32 or 64 bits of an integer. Without a format some of them make a float. */
function integerFormat({ type, format, maximum = 0 }: Schema): Schema {
  if (format !== undefined || ![type].flat().includes('integer')) return {};
  return { format: maximum > INT32_MAX ? 'int64' : 'int32' };
}

/** The same names in alphabetical order, so that moving a declaration does not change the document. */
export function sortByName<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
