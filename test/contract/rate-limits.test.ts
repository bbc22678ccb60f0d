import { afterAll, describe, expect, it } from 'vitest';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { startEnvironment } from '../../scripts/shared/environment.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox, SANDBOX, sendJson } from '../../scripts/shared/sandbox.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { follow } from '../../scripts/shared/tracking.ts';
import { CREDENTIAL, newOwner } from '../support/credentials.ts';
import { newPhone } from '../support/driver-sign-in.ts';
import { basic, expectOAuthError, postForm } from '../support/oauth.ts';
import { expectProblem } from '../support/problem.ts';
import { storedOf } from '../support/rows.ts';

/** A service with low limits. A window lasts a minute from the first use, so no test runs into its end. */
const environment = await startEnvironment('worker', {
  RATE_LIMITS: JSON.stringify({
    reads: 3,
    writes: 2,
    estimates: 1,
    tokens: 4,
    secrets: 1,
    tracking: 3,
    codesOfAddress: 3,
  }),
});
afterAll(() => environment.stop());

const RATE_LIMITED = { status: 429, code: 'RATE_LIMITED' } as const;

async function expectLimited(response: Response): Promise<void> {
  await expectProblem(response, RATE_LIMITED);
  expectRetryAfter(response);
}
function expectRetryAfter(response: Response): void {
  const retryAfter = response.headers.get('retry-after') ?? '';
  expect(retryAfter).toMatch(/^[1-9]\d*$/);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
}

describe('a client', () => {
  it('is 429 after too many reads, and may still write', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    const statuses = [];
    for (const path of [SHIPMENTS, '/v2/external/branches', `${SHIPMENTS}?limit=0`])
      statuses.push((await merchant.get(path)).status);
    expect(statuses).toEqual([200, 200, 400]);
    await expectLimited(await merchant.get(SHIPMENTS));
    // The limit is checked before headers, path and query.
    await expectLimited(await merchant.get(`${SHIPMENTS}?limit=0`));
    expect((await merchant.postShipment(shipmentBody(company))).status).toBe(201);
  });

  it('is 429 after too many writes before the body is read, stores nothing, and may still read', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    for (let index = 0; index < 2; index += 1) await merchant.create();
    await expectLimited(await merchant.postShipment(shipmentBody(company)));
    await expectLimited(await merchant.postShipment('{'));
    expect(await storedOf(environment, company)).toMatchObject({ shipments: 2, keys: 2 });
    expect((await merchant.get(SHIPMENTS)).status).toBe(200);
  });

  it('is counted across all of its tokens, apart from other clients', async () => {
    const company = await addCompany(environment);
    const sibling = { ...company, ...(await addClient(environment, { companyId: company.companyId })) };
    const scopes = ['shipments:read', 'shipments:read shipments:write'];
    const [first, second] = await Promise.all(scopes.map((scope) => merchantOf(environment, company, scope)));
    for (let index = 0; index < 3; index += 1) await first?.get(SHIPMENTS);
    for (const merchant of [first, second]) await expectLimited((await merchant?.get(SHIPMENTS)) ?? Response.error());
    expect((await (await merchantOf(environment, sibling)).get(SHIPMENTS)).status).toBe(200);
  });

  it('is 403 without the scope, and the request is not counted', async () => {
    const company = await addCompany(environment);
    const writer = await merchantOf(environment, company, 'shipments:write');
    for (let index = 0; index < 5; index += 1) {
      await expectProblem(await writer.get(SHIPMENTS), { status: 403, code: 'ACCESS_DENIED' });
    }
    expect((await (await merchantOf(environment, company)).get(SHIPMENTS)).status).toBe(200);
  });

  it('is counted once per call of a tRPC batch', async () => {
    const authorization = `Bearer ${await environment.token(await addCompany(environment))}`;
    const names = Array.from({ length: 5 }, () => 'branches.list').join(',');
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {}, 2: {}, 3: {}, 4: {} }));
    const response = await environment.fetch(`/trpc/${names}?batch=1&input=${input}`, { headers: { authorization } });
    const answers = (await response.json()) as { error?: { data: { problem: { code: string } } } }[];
    const codes = answers.map(({ error }) => error?.data.problem.code ?? 'OK').toSorted();
    expect(codes).toEqual(['OK', 'OK', 'OK', 'RATE_LIMITED', 'RATE_LIMITED']);
    expectRetryAfter(response);
  });
});

describe('the headers RateLimit-Policy and RateLimit', () => {
  const limitOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
  /** The window ends within a minute. */
  const left = (text: string) => expect.stringMatching(new RegExp(`^${text};t=(?:[1-9]|[1-5]\\d|60)$`));

  it('count down in answers, problems and refusals of an identified client', async () => {
    const company = await addCompany(environment);
    const merchant = await merchantOf(environment, company);
    const told = [];
    for (const path of [SHIPMENTS, `${SHIPMENTS}?limit=0`, SHIPMENTS, SHIPMENTS])
      told.push(limitOf(await merchant.get(path)));
    const policy = '"reads";q=3;w=60';
    const reads = (uses: number) => [policy, left(`"reads";r=${uses}`)];
    expect(told).toEqual([reads(2), reads(1), reads(0), reads(0)]);
    expect(limitOf(await merchant.postShipment(shipmentBody(company)))).toEqual([
      '"writes";q=2;w=60',
      left('"writes";r=1'),
    ]);
  });

  it('are over tRPC too, and not for strangers', async () => {
    const authorization = `Bearer ${await environment.token(await addCompany(environment))}`;
    const listed = await environment.fetch('/trpc/branches.list', { headers: { authorization } });
    expect(limitOf(listed)).toEqual(['"reads";q=3;w=60', left('"reads";r=2')]);
    expect(limitOf(await environment.fetch(SHIPMENTS))).toEqual([null, null]);
  });
});

describe('a person', () => {
  const newSession = async (companyId: string) =>
    addSession(environment, await addPerson(environment, { companyId }), { assurance: 'AAL2' });
  const send = (token: string, method: string, path: string) =>
    environment.fetch(path, { method, headers: { authorization: `Bearer ${token}` } });

  it('is counted across all of their sessions, apart from other people and client programs', async () => {
    const company = await addCompany(environment);
    const person = await addPerson(environment, company);
    const [first, second] = [await addSession(environment, person), await addSession(environment, person)];
    for (const token of [first, second, first])
      expect((await send(token, 'GET', '/v2/external/branches')).status).toBe(200);
    for (const token of [first, second]) await expectLimited(await send(token, 'GET', '/v2/external/branches'));
    await expectLimited(await send(first, 'GET', '/v2/external/sandbox/readiness'));
    expect((await send(await newSession(company.companyId), 'GET', '/v2/external/branches')).status).toBe(200);
    expect((await (await merchantOf(environment, company)).get('/v2/external/branches')).status).toBe(200);
  });

  it('receives Retry-After over tRPC', async () => {
    const token = await newSession((await addCompany(environment)).companyId);
    const call = () =>
      environment.fetch('/trpc/branches.create', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
    expect([(await call()).status, (await call()).status]).toEqual([422, 422]);
    const limited = await call();
    expect(limited.status).toBe(429);
    expectRetryAfter(limited);
  });

  it('is limited in new secrets per hour and company, and may always delete', async () => {
    const { companyId } = await newOwner(environment);
    const [first, second] = [await newSession(companyId), await newSession(companyId)];
    expect((await send(first, 'POST', CREDENTIAL)).status).toBe(201);
    for (const token of [first, second]) {
      const limited = await send(token, 'POST', `${CREDENTIAL}/rotations`);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3500);
      await expectProblem(limited, RATE_LIMITED);
    }
    expect((await send(second, 'DELETE', CREDENTIAL)).status).toBe(204);
    const limited = await send(await newSession(companyId), 'POST', CREDENTIAL);
    expect(limited.headers.get('retry-after')).toMatch(/^3[56]\d\d$/);
    await expectProblem(limited, RATE_LIMITED);
  });
});

describe('the token endpoint', () => {
  it('is 429 for a client that sends too many requests, whether its secret is right or wrong', async () => {
    const company = await addCompany(environment);
    const grant = { grant_type: 'client_credentials' };
    const wrong = { ...company, clientSecret: 'msk_test_wrong' };
    const ask = (client: typeof company) => postForm(environment, '/oauth/token', grant, basic(client));
    const statuses = [];
    for (const client of [company, wrong, wrong, company]) statuses.push((await ask(client)).status);
    expect(statuses).toEqual([200, 401, 401, 200]);
    for (const client of [company, wrong]) {
      const response = await ask(client);
      expectRetryAfter(response);
      await expectOAuthError(response, { status: 429, error: 'temporarily_unavailable' });
    }
    expect((await ask(await addCompany(environment))).status).toBe(200);
  });

  it('counts revocations too', async () => {
    const company = await addCompany(environment);
    const revoke = () => postForm(environment, '/oauth/revoke', { token: 'x' }, basic(company));
    for (let index = 0; index < 4; index += 1) expect((await revoke()).status).toBe(200);
    await expectOAuthError(await revoke(), { status: 429, error: 'temporarily_unavailable' });
  });
});

describe('a network address', () => {
  it('is 429 after too many reads of tracking links, whichever links they are', async () => {
    const from = (address: string, token: string) =>
      follow(environment, token, { 'cf-connecting-ip': address, authorization: 'Bearer nonsense' });
    const statuses = [];
    for (const token of ['x', 'y', 'z']) statuses.push((await from('2001:db8:1:2::1', token)).status);
    expect(statuses).toEqual([404, 404, 404]);
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']) {
      const response = await from(address, 'x');
      await expectLimited(response);
    }
    // The limit is checked before headers, path and query.
    await expectLimited(await from('2001:db8:1:2::1', 'x?nonsense=1'));
    expect((await from('2001:db8:1:3::1', 'x')).status).toBe(404);
  });

  it('is 429 after requesting codes for many phones, also through a sandbox', async () => {
    const from = (address: string) =>
      sendJson(environment, 'POST', '/v2/driver/sessions', { phone: newPhone() }, { 'cf-connecting-ip': address });
    const statuses = [];
    for (let use = 1; use <= 300; use += 50) {
      const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:5:6::${(use + index).toString(16)}`);
      statuses.push(...(await Promise.all(addresses.map(from))).map(({ status }) => status));
    }
    expect(statuses.toSorted((first, second) => first - second)).toEqual([
      202,
      202,
      202,
      ...Array.from({ length: 297 }, () => 429),
    ]);
    const limited = await from('2001:db8:5:6::1');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(800);
    await expectProblem(limited, { status: 429, code: 'OTP_RATE_LIMITED' });
    const { send, phone } = await newSandbox(environment);
    const inSandbox = (address: string) =>
      send('POST', `${SANDBOX}/driver-sessions`, { phone }, { 'cf-connecting-ip': address });
    await expectProblem(await inSandbox('2001:db8:5:6::1'), { status: 429, code: 'OTP_RATE_LIMITED' });
    expect((await from('2001:db8:5:7::1')).status).toBe(202);
  });
});
