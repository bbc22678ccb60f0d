import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { describeAttacks } from '../support/attacks.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Requests designed to cost a lot, to confuse, or to reach what they must not. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const session = await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' });
const authorization = `Bearer ${await environment.token(company)}`;

const overTrpc = (path: string, body: string, more: Readonly<Record<string, string>> = {}) =>
  environment.fetch(`/trpc/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...more },
    body,
  });

describeAttacks(() => environment);

describe('over tRPC', () => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    '_def',
    'shipments',
    'shipments.__proto__',
    'shipments._def',
    'then',
    '',
    '%00',
  ])('there is no procedure %j', async (name) => {
    const answer = await overTrpc(encodeURIComponent(name), '{}');
    expect([name, answer.status]).toEqual([name, 404]);
  });

  it('ten calls are allowed in a batch, eleven are not, however the commas are encoded', async () => {
    const calls = (count: number, comma: string) => Array(count).fill('shipments.list').join(comma);
    const ask = (path: string) =>
      environment.fetch(`/trpc/${path}?batch=1&input=%7B%7D`, { headers: { authorization } });
    expect((await ask(calls(10, ','))).status).toBe(200);
    for (const comma of [',', '%2C', '%2c']) expect((await ask(calls(11, comma))).status).toBe(400);
    expect((await ask(calls(2000, ','))).status).toBe(400);
  });

  it.each([
    ['input that is not JSON', '?input=%7B'],
    ['a batch without its inputs', ',shipments.list?batch=1'],
    ['an empty batch', ',,?batch=1'],
    ['a batch whose inputs are a list', ',shipments.list?batch=1&input=%5B%5D'],
    ['a batch with prototype names', '?batch=1&input=%7B%22__proto__%22%3A%7B%22limit%22%3A1%7D%7D'],
    ['a duplicate input', '?input=%7B%7D&input=%7B'],
    ['connection parameters', '?connectionParams=%7B%22authorization%22%3A%22x%22%7D'],
    ['bytes', '?input=%FF%FE'],
    ['a batch of one', '?batch=1&input=%7B%7D'],
  ])('%s never causes an internal error', async (_kind, query) => {
    for (const accept of ['application/json', 'application/jsonl', 'text/event-stream']) {
      const headers = { authorization, 'trpc-accept': accept, accept: 'application/json' };
      const response = await environment.fetch(`/trpc/shipments.list${query}`, { headers });
      expect([200, 207, 400, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.text()).not.toMatch(/INTERNAL_ERROR|SyntaxError|node_modules/);
    }
  });

  it.each([
    ['lists', '['.repeat(12_000) + ']'.repeat(12_000)],
    ['objects', `${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}`],
  ])('thousands of levels of %s are malformed JSON, in a body and in an address', async (_what, value) => {
    const expectMalformed = async (answer: Response) => {
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('"MALFORMED_JSON"');
    };
    await expectMalformed(await overTrpc('shipments.create', `{"items":${value}}`));
    await expectMalformed(await overTrpc('shipments.create,shipments.create?batch=1', `{"0":{},"1":${value}}`));
    const address = `/trpc/shipments.list?input=${value.slice(0, 3000)}`;
    await expectMalformed(await environment.fetch(address, { headers: { authorization } }));
  });

  it('a batch with more members than two largest batches is refused before it is parsed', async () => {
    const members = Array.from({ length: 280_000 }, (_, at) => `"u${at}":1`).join(',');
    const names = 'shipmentBatches.create,shipmentBatches.create';
    const answer = await overTrpc(`${names}?batch=1`, `{"0":{"items":[],${members}},"1":{"items":[],${members}}}`);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('must not have more entries than 400000');
  });

  it('a body that claims an identity is refused', async () => {
    const claims = {
      companyId: environment.companies[0].companyId,
      shard: 'shard-2',
      scope: 'operations',
      principal: {},
    };
    const response = await overTrpc('branches.create', JSON.stringify(claims), { authorization: `Bearer ${session}` });
    expect(response.status).toBe(422);
  });
});

it('a body with thousands of unknown members is refused as a whole, and with some by their names', async () => {
  const sendMembers = (count: number) => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, at])));
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    return environment.fetch(SHIPMENTS, { method: 'POST', headers, body });
  };
  const refusal = { status: 422, code: 'VALIDATION_FAILED' } as const;
  await expectProblem(await sendMembers(10_000), { ...refusal, violations: ['body TOO_MANY_ITEMS'] });
  const some = (await (await sendMembers(1000)).json()) as { readonly violations: readonly unknown[] };
  expect(some.violations).toHaveLength(20);
});

describe('a header', () => {
  it('with a request id is ignored', async () => {
    for (const name of ['x-request-id', 'x-amzn-trace-id', 'cf-ray']) {
      const response = await environment.fetch('/health', { headers: { [name]: 'planted-qarfa' } });
      expect(JSON.stringify([...response.headers])).not.toContain('qarfa');
    }
  });

  it.each([
    ['if-match', `"${'1'.repeat(8000)}"`],
    ['if-none-match', `${'"a",'.repeat(2000)}"b"`],
    ['accept', `${'text/html;q=0.1,'.repeat(500)}application/json`],
    ['cookie', `${'a=b; '.repeat(1200)}`],
    ['traceparent', '0'.repeat(8000)],
    ['content-type', `application/json;${' '.repeat(7000)}x`],
    ['authorization', `Bearer ${'a'.repeat(8000)}`],
    ['authorization', `Basic ${'A'.repeat(8000)}`],
    ['idempotency-key', `"${'\\"'.repeat(4000)}`],
  ])('%s with thousands of characters is handled quickly', async (name, value) => {
    const before = performance.now();
    const headers = { authorization, 'content-type': 'application/json', [name]: value };
    const response = await environment.fetch(SHIPMENTS, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBeLessThan(500);
    expect(performance.now() - before).toBeLessThan(3000);
  });
});

it('no request is redirected to another site', async () => {
  const paths = [
    '/docs/',
    '/console/',
    '//other.example/',
    '/%2Fother.example/',
    '/docs//other.example/',
    '//other.example',
    '/\\other.example',
    '/https:/other.example',
    '/docs//other.example',
  ];
  const queries = [
    '?next=//other.example',
    '?redirect=https://other.example',
    '?lang=//other.example',
    '?url=https://other.example',
  ];
  for (const path of [...paths, ...queries.flatMap((query) => [`/${query}`, `/console${query}`, `/docs${query}`])]) {
    const response = await environment.fetch(path, { redirect: 'manual' });
    // A page with a slash at its end leads to the same page of this site.
    const isPage = path === '/docs/' || path === '/console/';
    expect([path, response.headers.get('location')]).toEqual([path, isPage ? path.slice(0, -1) : null]);
  }
});
