import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildDocument } from '../../../scripts/build/openapi/document.ts';
import { explainSchemas } from '../../../scripts/build/openapi/properties.ts';
import { text } from '../../../src/contract/values.ts';
import { PROBLEM_CODES } from '../../../src/core/catalogue.ts';

/** The parts of the document that the tests read; everything else is kept. */
const schema = z.record(z.string(), z.unknown());
const parameter = z.object({ $ref: z.string(), name: z.string(), in: z.string(), required: z.boolean() }).partial();
const response = z.object({
  $ref: z.string().optional(),
  headers: schema.optional(),
  content: z
    .record(
      z.string(),
      z.object({ schema, example: z.unknown().optional(), examples: z.record(z.string(), schema).optional() }),
    )
    .optional(),
  'x-codes': z.array(z.string()).optional(),
});
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(parameter).default([]),
  // Binary bodies have neither schema nor example.
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: schema.optional(), example: z.unknown().optional() })) })
    .optional(),
  responses: z.record(z.string(), response),
});
const openApi = z.object({
  openapi: z.string(),
  info: z.object({ description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
    headers: z.record(z.string(), z.object({ required: z.boolean().optional() })),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
});

const source = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
const document = openApi.parse(JSON.parse(source));
const { paths, components } = document;

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, found]) => ({ name: `${method.toUpperCase()} ${path}`, ...found })),
);

function operationAt(method: string, path: string) {
  const found = paths[path]?.[method];
  if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
  return found;
}

function responseAt(method: string, path: string, status: number) {
  const found = operationAt(method, path).responses[status];
  const name = found?.$ref?.replace('#/components/responses/', '');
  return name === undefined ? found : components.responses[name];
}

function exampleAt(reference: unknown): unknown {
  const name = z.string().parse(reference).replace('#/components/examples/', '');
  return components.examples[name]?.value;
}

function bodyAt(method: string, path: string) {
  return operationAt(method, path).requestBody?.content['application/json'];
}

/** The schema that a reference names. */
function referred(reference: unknown): Record<string, unknown> {
  const { $ref } = z.object({ $ref: z.string() }).parse(reference);
  return components.schemas[$ref.replace('#/components/schemas/', '')] ?? {};
}

const SHIPMENTS = '/v2/external/shipments';

describe('the document', () => {
  it('names every object and every enum', () => {
    expect(JSON.stringify(document.paths)).not.toMatch(/"(?:properties|enum)":/);
    const inner = Object.entries(components.schemas).filter(([, { properties, items, anyOf }]) =>
      /"(?:properties|enum)":/.test(JSON.stringify([properties, items, anyOf])),
    );
    expect(inner.map(([name]) => name)).toEqual([]);
  });

  it('is generated from the procedures', () => {
    expect(source).toBe(`${JSON.stringify(buildDocument(), undefined, 2)}\n`);
  });

  it('is OpenAPI 3.1 with a variable base URL', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers.map(({ url }) => url)).toEqual(['{baseUrl}']);
  });

  it('has the operations that are not procedures', () => {
    const names = operations
      .filter(({ tags }) => !['Shipments', 'Places'].includes(tags[0] ?? ''))
      .map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /oauth/token',
        'POST /oauth/revoke',
        'GET /.well-known/oauth-authorization-server',
        'GET /.well-known/jwks.json',
        'GET /health',
        'GET /ready',
      ]),
    );
  });

  it('explains every property', () => {
    const members = Object.values(components.schemas).flatMap(({ properties }) => Object.values(Object(properties)));
    expect(members.length).toBeGreaterThan(300);
    expect(members.filter((member) => !/"description":/.test(JSON.stringify(member)))).toEqual([]);
    const explained = () =>
      explainSchemas({}, { Thing: { type: 'object', properties: { unheardOf: { type: 'string' } } } });
    expect(explained).toThrow('Thing.unheardOf');
  });

  it('says of every enum in answers that it may grow', () => {
    for (const [name, found] of Object.entries(components.schemas)) {
      if (!('x-extensible-enum' in found)) continue;
      expect(found['x-extensible-enum'], name).toEqual(found['enum']);
      expect(found['description'], name).toContain('New values may be added');
    }
    expect(components.schemas['ShipmentState']).toHaveProperty('x-extensible-enum');
    expect(components.schemas['LegalBasis']).not.toHaveProperty('x-extensible-enum');
  });

  it('names the characters that no text may have', () => {
    expect(document.info.description).toContain('a text with NUL (U+0000) or an unpaired surrogate is refused');
    for (const value of ['a\0b', 'a\ud800b']) expect(text({ max: 9 }).safeParse(value).success, value).toBe(false);
  });

  it('has unique operation ids', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has only known problem codes', () => {
    const responses = [
      ...operations.flatMap((each) => Object.values(each.responses)),
      ...Object.values(components.responses),
    ];
    const codes = new Set(responses.flatMap((each) => each['x-codes'] ?? []));
    expect([...codes].filter((code) => !PROBLEM_CODES.some((known) => known === code))).toEqual([]);
    expect(codes).toContain('RATE_LIMITED');
  });
});

describe('creating a shipment', () => {
  it('takes its idempotency key and language from headers', () => {
    const own = operationAt('post', SHIPMENTS).parameters;
    expect(own).toContainEqual({ name: 'Idempotency-Key', in: 'header', required: true });
    expect(own).toContainEqual({ $ref: '#/components/parameters/Accept-Language' });
  });

  it('answers 201, or 200 for a replay', () => {
    const created = responseAt('post', SHIPMENTS, 201);
    const replayed = responseAt('post', SHIPMENTS, 200);
    const shipment = { $ref: '#/components/schemas/Shipment' };
    expect(created?.content?.['application/json']?.schema).toEqual(shipment);
    expect(replayed?.content?.['application/json']?.schema).toEqual(shipment);
    expect(Object.keys(created?.headers ?? {})).toEqual([
      'ETag',
      'Location',
      'Price-Lock-Id',
      'Mirsal-Warnings',
      'RateLimit-Policy',
      'RateLimit',
      'Mirsal-Sandbox-Now',
      'X-Request-Id',
      'X-Correlation-Id',
      'Content-Language',
    ]);
    expect(Object.keys(replayed?.headers ?? {})).toContain('Idempotency-Replayed');
  });

  it.each([
    [
      400,
      [
        'MALFORMED_JSON',
        'INVALID_QUERY_PARAMETER',
        'UNKNOWN_QUERY_PARAMETER',
        'INVALID_HEADER',
        'IDEMPOTENCY_KEY_REQUIRED',
        'INVALID_IDEMPOTENCY_KEY',
      ],
    ],
    [401, ['AUTHENTICATION_REQUIRED']],
    [403, ['ACCESS_DENIED']],
    [405, ['METHOD_NOT_ALLOWED']],
    [
      409,
      [
        'EXTERNAL_REFERENCE_CONFLICT',
        'PRICE_LIMIT_EXCEEDED',
        'PRICE_LOCK_USED',
        'IDEMPOTENCY_REQUEST_IN_PROGRESS',
        'REGISTRATION_INCOMPLETE',
        'BRANCH_INACTIVE',
      ],
    ],
    [
      422,
      [
        'VALIDATION_FAILED',
        'IDEMPOTENCY_KEY_REUSED',
        'PRICE_LOCK_INVALID',
        'PRICE_LOCK_EXPIRED',
        'PRICE_LOCK_MISMATCH',
      ],
    ],
    [429, ['RATE_LIMITED']],
  ])('answers %i with a problem and lists its codes', (status, codes) => {
    const found = responseAt('post', SHIPMENTS, status);
    const media = found?.content?.['application/problem+json'];
    expect(Object.keys(found?.content ?? {})).toEqual(['application/problem+json']);
    expect(media?.schema).toEqual({ $ref: '#/components/schemas/Problem' });
    expect(Object.keys(media?.examples ?? {})).toEqual(codes);
    expect(found?.['x-codes']).toEqual(codes);
  });

  it('has decimals as numbers', () => {
    const members = z.object({ properties: z.record(z.string(), schema) });
    const { properties } = members.parse(referred(bodyAt('post', SHIPMENTS)?.schema));
    const money = { type: 'number', format: 'decimal', 'x-decimal': { digits: 19 }, minimum: 0 };
    expect(properties['declaredValue']).toMatchObject(money);
    expect(properties['codAmount']).toMatchObject(money);
    const destination = members.parse(referred(properties['destination']));
    expect(destination.properties['latitude']?.['type']).toBe('number');
  });
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...schema.parse(JSON.parse(source)), $id: 'openapi' });

describe('requests', () => {
  const bodies = ({ requestBody }: (typeof operations)[number]) =>
    Object.values(requestBody?.content ?? {}).filter((content) => content.schema !== undefined);
  it.each(operations.map((each) => [each.name, bodies(each)] as const))(
    '%s has no header parameters in its body',
    (_name, contents) => {
      const members = contents.flatMap(({ schema: body }) =>
        Object.keys(Object(body?.['$ref'] === undefined ? {} : referred(body)['properties'])),
      );
      expect(members.filter((member) => /^(?:idempotencyKey|ifMatch|acceptLanguage|shipmentId)$/.test(member))).toEqual(
        [],
      );
    },
  );

  it('refuse unknown members at every depth', () => {
    const bodies = jsonBodies();
    const taken = namesWithin(bodies);
    expect(taken.size).toBeGreaterThan(bodies.length);
    const open = [...taken].filter((name) => isOpen(components.schemas[name]));
    expect(open).toEqual([]);
  });

  it.each(
    operations
      .filter(({ requestBody }) => requestBody?.content['application/json'] !== undefined)
      .map((each) => [each.name, each] as const),
  )('%s has an example that matches its schema', (_name, { requestBody }) => {
    const body = requestBody?.content['application/json'];
    const accepts = ajv.compile(JSON.parse(JSON.stringify(body?.schema).replaceAll('"#/', '"openapi#/')));
    expect(accepts(body?.example)).toBe(true);
  });

  it('that change a version require If-Match', () => {
    const found = operationAt('post', `${SHIPMENTS}/{shipmentId}/cancellations`);
    expect(found.parameters).toContainEqual({ name: 'If-Match', in: 'header', required: true });
    expect(found.parameters).toContainEqual({ name: 'shipmentId', in: 'path', required: true });
  });
});

describe('examples of problems', () => {
  const problem = z.object({ title: z.string(), status: z.number(), instance: z.string().optional() });
  const shown = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).flatMap((status) => {
        const found = responseAt(method, path, Number(status));
        return Object.entries(found?.content ?? {}).flatMap(([type, { example, examples = {} }]) => {
          const values = [example, ...Object.values(examples).map(({ $ref: one }) => exampleAt(one))];
          const problems = values.map((value) => problem.safeParse(value)).flatMap(({ data }) => data ?? []);
          return problems.map((one) => ({
            where: `${method} ${path} ${status} ${type}`,
            path,
            status: Number(status),
            problem: one,
          }));
        });
      }),
    ),
  );

  it('have the path and the status of their own operation', () => {
    expect(shown.length).toBeGreaterThan(1200);
    const strange = shown.filter(
      ({ path, status, problem: { instance = path, ...one } }) => one.status !== status || instance !== path,
    );
    expect(strange).toEqual([]);
  });
});

describe('responses', () => {
  it('allow additional members', () => {
    const taken = namesWithin(jsonBodies());
    const others = Object.keys(components.schemas).filter((name) => !taken.has(name) && !name.endsWith('Request'));
    expect(others).toContain('Shipment');
    expect(others.filter((name) => components.schemas[name]?.['additionalProperties'] === false)).toEqual([]);
    expect(components.schemas['Problem']?.['additionalProperties']).toBe(true);
  });

  it('have decimals as numbers', () => {
    const { properties } = z.object({ properties: z.record(z.string(), schema) }).parse(components.schemas['Shipment']);
    expect(properties['totalWeightKilograms']).toMatchObject({ type: 'number', format: 'decimal' });
    expect(properties['version']).toMatchObject({ type: 'integer', format: 'int64', minimum: 0 });
  });
});

function jsonBodies(): unknown[] {
  return operations.flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema ?? []);
}

/** The names of all schemas that this value refers to, at any depth. */
function namesWithin(value: unknown, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesWithin(components.schemas[name], found);
  }
  return found;
}

/** Whether the schema is an object that allows unknown members. */
function isOpen(found: Readonly<Record<string, unknown>> | undefined): boolean {
  return found?.['type'] === 'object' && found['additionalProperties'] !== false;
}
