import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { PROBLEMS } from '../../../src/core/catalogue.ts';
import { OPERATIONS } from '../../../src/http/rest/routes.ts';

/** The parts of the document that describe procedures. */
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(
    z.string(),
    z.object({
      content: z
        .record(z.string(), z.object({ schema: z.looseObject({}), example: z.unknown().optional() }))
        .optional(),
    }),
  ),
});
const openApi = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});
const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
const { paths, tags } = openApi.parse(JSON.parse(text));

function operationAt(method: string, path: string) {
  const found = paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
  return found;
}

const PROCEDURES = OPERATIONS.map((each) => [each.name, each] as const);

describe.each(PROCEDURES)('%s', (name, { method, path, meta, mediaTypes }) => {
  const found = operationAt(method, path);

  it('is documented under a described tag', () => {
    expect(found.operationId).toBe(name);
    expect(tags.map((tag) => tag.name)).toEqual(expect.arrayContaining(found.tags));
  });

  it('states whether production has it', () => {
    const isMissing = meta.deployments?.includes('production') === false;
    expect(found.description?.includes('On production this path does not exist (404).') ?? false).toBe(isMissing);
    const hasOwn = meta.problems?.some((code) => PROBLEMS[code].status === 404) ?? false;
    expect('404' in found.responses).toBe(isMissing || hasOwn);
  });

  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...z.looseObject({}).parse(JSON.parse(text)), $id: 'openapi' });
  const hasJson = (status: number) => status !== 204 && mediaTypes[0] === 'application/json';
  const statuses = (meta.successStatuses ?? [200]).filter(hasJson);
  it.each(statuses)('has an example of its response %i that matches the schema', (status) => {
    const body = found.responses[status]?.content?.['application/json'];
    const schema = JSON.stringify(body?.schema).replaceAll('"#/', '"openapi#/');
    const accepts = ajv.compile(z.looseObject({}).parse(JSON.parse(schema)));
    expect(accepts(body?.example), JSON.stringify(accepts.errors)).toBe(true);
  });
});

const OF_PERSON = [{ sessionToken: [] }, { sessionCookie: [] }];

it.each([
  ['POST', '/v2/external/shipments', [{ oauth2: ['shipments:write'] }]],
  ['GET', '/v2/external/shipments', [{ oauth2: ['shipments:read'] }]],
  ['GET', '/v2/external/shipments/{shipmentId}/waybill', [{ oauth2: ['shipments:read'] }, ...OF_PERSON]],
  ['GET', '/v2/external/waybills', [{ oauth2: ['shipments:read'] }, ...OF_PERSON]],
  ['POST', '/v2/external/shipment-price-estimates', [{ oauth2: ['shipments:read'] }]],
  ['PUT', '/v2/external/sandbox/dispatch-hold', [{ oauth2: ['shipments:write'] }, ...OF_PERSON]],
  ['GET', '/v2/external/branches', [{ oauth2: ['shipments:read'] }, ...OF_PERSON]],
  // Any scope is accepted.
  ['POST', '/v2/external/sandbox/bootstrap', [{ oauth2: [] }, ...OF_PERSON]],
  ['GET', '/v2/external/sandbox/readiness', [{ oauth2: [] }, ...OF_PERSON]],
  ['POST', '/v2/merchant-api-credential', OF_PERSON],
  ['GET', '/v2/driver/offers', [{ driverToken: [] }]],
  ['DELETE', '/v2/driver/sessions/current', [{ driverToken: [] }]],
  ['POST', '/v2/driver/shipments/{shipmentId}/actions', [{ driverToken: [] }]],
  // A person who signs in has no token yet.
  ['POST', '/v2/driver/sessions', []],
  ['POST', '/v2/driver/sessions/{challengeId}/verifications', []],
])('the document states the security of %s %s', (method, path, security) => {
  expect(operationAt(method, path).security).toEqual(security);
});

it('every procedure for clients states its scope', () => {
  const scoped = OPERATIONS.filter(({ meta }) => meta.scope !== undefined);
  expect(scoped.map(({ method, path }) => operationAt(method, path).security)).toEqual(
    scoped.map(({ meta }) => [{ oauth2: [meta.scope] }, ...(meta.alsoSession === true ? OF_PERSON : [])]),
  );
});
