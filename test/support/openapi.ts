import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import { BASE_URL } from '../../scripts/shared/connection.ts';

/** The parts of the committed OpenAPI document that tests compare answers with. */

const reference = z.strictObject({ $ref: z.string() });
const header = z.looseObject({ required: z.boolean().default(false), schema: z.looseObject({ type: z.string() }) });
const response = z.looseObject({
  headers: z.record(z.string(), z.union([reference, header])).optional(),
  content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional(),
  /** The problem codes that this status may have. */
  'x-codes': z.array(z.string()).optional(),
});
const operation = z.looseObject({
  operationId: z.string(),
  responses: z.record(z.string(), z.union([reference, response])),
});
const method = z.enum(['get', 'put', 'post', 'patch', 'delete']);
const webhook = z.looseObject({
  post: z.looseObject({
    requestBody: z.looseObject({
      content: z.looseObject({ 'application/json': z.looseObject({ schema: reference }) }),
    }),
  }),
});
const documentShape = z.looseObject({
  webhooks: z.record(z.string(), webhook),
  paths: z.record(z.string(), z.partialRecord(method, operation)),
  components: z.looseObject({ responses: z.record(z.string(), response), headers: z.record(z.string(), header) }),
});

const FILE = resolve(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
const text = readFileSync(FILE, 'utf8');
const { paths, webhooks, components } = documentShape.parse(JSON.parse(text));

export interface DocumentedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
}

export const DOCUMENTED: readonly DocumentedOperation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([name, { operationId, responses }]) => ({
    name: operationId,
    method: name.toUpperCase(),
    path,
    statuses: Object.keys(responses).map(Number),
  })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
// The number is checked by the rules beside the format.
ajv.addFormat('decimal', true);
ajv.addSchema({ ...(JSON.parse(text) as object), $id: 'openapi' });
const validators = new Map<object, ValidateFunction>();

/** The faults of an answer by the document: in its status, type, code, headers or schema. */
export async function faultsOf(name: string, answer: Response): Promise<string[]> {
  const documented = responseOf(name, answer.status);
  if (documented === undefined) return [`${name} has no status ${answer.status}`];
  const faults = Object.entries(documented.headers ?? {}).flatMap(([title, rule]) =>
    headerFaultsOf(title, rule, answer),
  );
  const body = await answer.text();
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const content = documented.content?.[type];
  if (content === undefined)
    return documented.content === undefined && body === '' ? faults : [...faults, `undocumented type ${type}`];
  // What is to be printed and pictures have no members; their schema is a string.
  const parsed: unknown = type.endsWith('json') ? JSON.parse(body) : body;
  const codes = documented['x-codes'];
  const code = Reflect.get(Object(parsed), 'code');
  if (codes !== undefined && !codes.includes(String(code))) faults.push(`undocumented code ${String(code)}`);
  return [...faults, ...schemaFaultsOf(content.schema, parsed)];
}

function headerFaultsOf(title: string, rule: z.output<typeof reference | typeof header>, answer: Response): string[] {
  const { required, schema } = '$ref' in rule ? headerAt(String(rule.$ref)) : headerOf(rule);
  const value = answer.headers.get(title);
  if (value === null) return required ? [`no header ${title}`] : [];
  const typed = schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
  return schemaFaultsOf(schema, typed).map((fault) => `header ${title} ${fault}`);
}

const headers = new WeakMap<object, z.output<typeof header>>();

function headerOf(rule: object): z.output<typeof header> {
  const known = headers.get(rule) ?? header.parse(rule);
  headers.set(rule, known);
  return known;
}

function headerAt(address: string): z.output<typeof header> {
  const found = components.headers[nameIn(address)];
  if (found === undefined) throw new Error(`The document has no ${address}`);
  return found;
}

function nameIn(address: string): string {
  return address.split('/').at(-1) ?? '';
}

/** Cached by a name such as `shipments.create 201`, because compiled schemas are found by the schema object. */
const responses = new Map(
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses: all }) =>
      Object.entries(all).map(([status, found]) => [`${operationId} ${status}`, resolved(found)] as const),
    ),
);

function responseOf(name: string, status: number): z.output<typeof response> | undefined {
  return responses.get(`${name} ${status}`);
}

function resolved(found: z.output<typeof reference | typeof response>): z.output<typeof response> | undefined {
  const referred = reference.safeParse(found);
  return referred.success ? components.responses[nameIn(referred.data.$ref)] : response.parse(found);
}

/** The faults of an event by the document's schema of its type. */
export function eventFaultsOf(event: { readonly type: string }): string[] {
  const media = webhooks[event.type]?.post.requestBody.content['application/json'];
  return media === undefined ? [`there is no webhook ${event.type}`] : schemaFaultsOf(media.schema, event);
}

/** The faults of a value by a schema of the document. */
export function schemaFaultsOf(schema: object, value: unknown): string[] {
  const validate = validators.get(schema) ?? compiled(schema);
  validators.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

function compiled(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object);
}

/** The Problem schema, written by hand from the interface, because the document must not check itself. */
const validateProblem = ajv.compile({
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'timestamp', 'correlationId', 'requestId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      pattern: `^${BASE_URL.replaceAll('.', '\\.')}/problems/[a-z0-9]+(?:-[a-z0-9]+)*$`,
    },
    title: { type: 'string', maxLength: 128 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', maxLength: 512 },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]{1,63}$' },
    timestamp: { type: 'string', format: 'date-time' },
    correlationId: { type: 'string', format: 'uuid' },
    requestId: { type: 'string', format: 'uuid' },
    traceId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    violations: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { type: 'string', maxLength: 128 },
          code: { type: 'string', maxLength: 64 },
          message: { type: 'string', maxLength: 256 },
        },
      },
    },
  },
});

/** The faults of a problem body. */
export function problemFaultsOf(body: unknown): string[] {
  return validateProblem(body)
    ? []
    : (validateProblem.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
