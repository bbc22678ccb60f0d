import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';

/** The OpenAPI document, as far as the fuzzer needs it. */

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface FuzzedParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly schema: JsonSchema;
}

export interface Described {
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly FuzzedParameter[];
  /** Of its JSON body. */
  readonly body: JsonSchema | undefined;
}

const schema = z.record(z.string(), z.unknown());
const reference = z.object({ $ref: z.string() });
const parameter = z.looseObject({ in: z.enum(['path', 'query', 'header']), name: z.string(), schema });
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.union([parameter, reference])).default([]),
  requestBody: z.optional(
    z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.optional(schema) })) }),
  ),
});
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), schema),
    parameters: z.record(z.string(), parameter),
  }),
});

const FILE = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
const { paths, components } = document.parse(JSON.parse(readFileSync(FILE, 'utf8')));

export const DESCRIBED: readonly Described[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => ({
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((one) => ('$ref' in one ? referred(components.parameters, String(one.$ref)) : one)),
    body: requestBody?.content['application/json']?.schema,
  })),
);

/** Resolves a `$ref`. A schema without one is returned unchanged. */
export function resolved(one: JsonSchema): JsonSchema {
  return typeof one['$ref'] === 'string' ? referred(components.schemas, one['$ref']) : one;
}

function referred<Value>(table: Readonly<Record<string, Value>>, address: string): Value {
  const found = table[address.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`Nothing at ${address}`);
  return found;
}
