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

/** Where an answer leads: an operation, and what its parameters are taken from (OpenAPI 3.1, runtime expressions). */
interface DescribedLink {
  readonly name: string;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Described {
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly FuzzedParameter[];
  /** Of its JSON body. */
  readonly body: JsonSchema | undefined;
  /** By the status of the answer. */
  readonly links: ReadonlyMap<number, readonly DescribedLink[]>;
}

const schema = z.record(z.string(), z.unknown());
const reference = z.object({ $ref: z.string() });
const parameter = z.looseObject({ in: z.enum(['path', 'query', 'header']), name: z.string(), schema });
const link = z.looseObject({ operationId: z.string(), parameters: z.record(z.string(), z.string()) });
const response = z.looseObject({ links: z.record(z.string(), link).default({}) });
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.union([parameter, reference])).default([]),
  responses: z.record(z.string(), response),
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

const FILE = resolve(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
const { paths, components } = document.parse(JSON.parse(readFileSync(FILE, 'utf8')));

export const DESCRIBED: readonly Described[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
    name: operationId,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((one) => ('$ref' in one ? referred(components.parameters, String(one.$ref)) : one)),
    body: requestBody?.content['application/json']?.schema,
    links: new Map(
      Object.entries(responses).map(([status, { links }]) => [
        Number(status),
        Object.entries(links).map(([name, one]) => ({ name, ...one })),
      ]),
    ),
  })),
);

/** The operation with this name. */
export function describedAs(name: string): Described {
  const found = DESCRIBED.find((one) => one.name === name);
  if (found === undefined) throw new Error(`The document has no ${name}`);
  return found;
}

/** Resolves a `$ref`. A schema without one is returned unchanged. */
export function resolved(one: JsonSchema): JsonSchema {
  return typeof one['$ref'] === 'string' ? referred(components.schemas, one['$ref']) : one;
}

function referred<Value>(table: Readonly<Record<string, Value>>, address: string): Value {
  const found = table[address.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`Nothing at ${address}`);
  return found;
}
