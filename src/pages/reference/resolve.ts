import type { Body, OpenApiDocument, Parameter, Schema } from './document.ts';

/** A longer chain of references must be a circle. */
const hopsMax = 16;

/** The name at the end of a reference. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** The schema that a reference points to. A reference that does not resolve becomes a schema without rules. */
function resolveSchema(document: OpenApiDocument, schema: Schema): Schema {
  return follow(schema, document.components?.schemas);
}

export function resolveParameter(document: OpenApiDocument, parameter: Parameter): Parameter {
  return follow(parameter, document.components?.parameters);
}

export function resolveRequestBody(document: OpenApiDocument, body: Body): Body {
  return follow(body, document.components?.requestBodies);
}

export function resolveResponse(document: OpenApiDocument, response: Body): Body {
  return follow(response, document.components?.responses);
}

/** A resolved schema: without references, with `allOf` merged, and with null separated from a union. */
export interface PlainSchema {
  readonly schema: Schema;
  /** The component's name, if the schema was a reference. */
  readonly name: string | undefined;
  readonly isNullable: boolean;
  /** The alternatives, if the schema is a union of more than one shape besides null. */
  readonly variants: readonly Schema[];
}

export function plainSchema(document: OpenApiDocument, given: Schema): PlainSchema {
  const name = given.$ref === undefined ? undefined : refName(given.$ref);
  const schema = mergeAllOf(document, resolveSchema(document, given));
  const types = typesOf(schema);
  const union = schema.anyOf ?? schema.oneOf ?? [];
  const variants = union.filter((variant) => !isNull(resolveSchema(document, variant)));
  const isNullable = types.includes('null') || variants.length < union.length;
  const [only] = variants;
  if (variants.length !== 1 || only === undefined) return { schema, name, isNullable, variants };
  const inner = plainSchema(document, only);
  const description = schema.description ?? inner.schema.description;
  return { ...inner, schema: { ...inner.schema, description }, isNullable: isNullable || inner.isNullable };
}

/** The types of a schema, including `null`. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type;
  return schema.properties === undefined ? [] : ['object'];
}

function isNull(schema: Schema): boolean {
  return schema.type === 'null' || schema.const === null;
}

function mergeAllOf(document: OpenApiDocument, schema: Schema, hops = 0): Schema {
  const parts = schema.allOf ?? [];
  if (parts.length === 0 || hops >= hopsMax) return schema;
  const whole = [...parts.map((part) => mergeAllOf(document, resolveSchema(document, part), hops + 1)), schema];
  return {
    ...whole.reduce<Schema>((merged, part) => ({ ...merged, ...part }), {}),
    allOf: undefined,
    properties: Object.fromEntries(whole.flatMap((part) => Object.entries(part.properties ?? {}))),
    required: whole.flatMap((part) => part.required ?? []),
  };
}

function follow<Value extends { readonly $ref?: string | undefined }>(
  start: Value,
  table: Readonly<Record<string, Value>> | undefined,
): Value {
  let value = start;
  for (let hops = 0; hops < hopsMax && value.$ref !== undefined; hops += 1) {
    const next = table?.[refName(value.$ref)];
    if (next === undefined) return value;
    value = next;
  }
  return value;
}
