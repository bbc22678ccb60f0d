import { afterAll, describe, expect, it } from 'vitest';
import { type OwnEnvironment, startEnvironment } from '../../scripts/shared/environment.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { newDriverToken } from '../../src/access/driver-token.ts';
import { newSessionToken } from '../../src/access/session-token.ts';
import { systemRandom } from '../../src/providers/system.ts';
import { newPhone } from '../support/driver-sign-in.ts';
import { expectPlainDocument } from '../support/expect-plain-document.ts';
import { basic, postForm } from '../support/oauth.ts';
import { expectProblem } from '../support/problem.ts';

/** Small rate limits: counted in the process locally, and by Cloudflare's bindings when deployed. */

describe('counted by the process', async () => {
  const environment = await startEnvironment('worker', {
    RATE_LIMITS: JSON.stringify({ reads: 3, writes: 2, estimates: 2, tokens: 4, tracking: 2, failures: 4 }),
  });
  afterAll(() => environment.stop());
  const [company, other] = environment.companies;

  it('refuses the fourth read of a client before it checks the query', async () => {
    const token = await environment.token(company);
    const read = (query = '') =>
      environment.fetch(`/v2/external/shipments${query}`, { headers: { authorization: `Bearer ${token}` } });
    for (let use = 1; use <= 3; use += 1) expect((await read()).status).toBe(200);
    const refused = await read('?limit=0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await expectProblem(refused, { status: 429, code: 'RATE_LIMITED' });
  });

  it('counts reads and writes apart, and each client apart', async () => {
    const write = (token: string) =>
      environment.fetch('/v2/external/shipments', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    const [own, others] = [await environment.token(company), await environment.token(other)];
    expect([(await write(own)).status, (await write(own)).status, (await write(own)).status]).toEqual([400, 400, 429]);
    expect((await write(others)).status).toBe(400);
  });

  it('shows people an error page when a limit is reached or a shard is down', async () => {
    const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } });
    const link = `shard-1_${'0'.repeat(32)}`;
    expect((await environment.fetch(`/v2/public/tracking/${link}`, from('192.0.2.1'))).status).toBe(404);
    expect((await environment.fetch(`/t/${link}`, from('192.0.2.1'))).status).toBe(404);
    await expectTroublePage(await environment.fetch(`/t/${link}`, from('192.0.2.1')), 429);
    await environment.databases.shards['shard-1'].kill();
    await expectTroublePage(await environment.fetch(`/t/${link}`, from('192.0.2.2')), 503);
    await environment.databases.shards['shard-1'].restart();
  });

  it('does not read the database for tokens from a network that sent too many unknown ones', () =>
    expectFailuresBounded(environment, 'cf-connecting-ip'));

  it('does not reveal the limit to a client without the scope', async () => {
    const token = await environment.token(company, 'shipments:read');
    const refused = await environment.fetch('/v2/external/shipments', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(403);
  });
});

/** Each of four unknown tokens is counted: a session, a driver token, a revoked token and one of an unknown client. */
async function expectFailuresBounded(environment: OwnEnvironment, header: string): Promise<void> {
  const ask = (token: string, address = '203.0.113.99', path = '/v2/external/sandbox/readiness') =>
    environment.fetch(path, { headers: { [header]: address, authorization: `Bearer ${token}` } });
  const company = environment.companies[1];
  const [revoked, valid] = [await environment.token(company), await environment.token(company)];
  expect((await ask(valid)).status).toBe(200);
  expect((await postForm(environment, '/oauth/revoke', { token: revoked }, basic(company))).status).toBe(200);
  const invented = newSessionToken(systemRandom);
  const wrong = { ...basic({ ...company, clientId: 'nobody' }), [header]: '203.0.113.99' };
  const answers = [
    await ask(invented),
    await ask(newDriverToken('shard-1', systemRandom), '203.0.113.99', '/v2/driver/offers'),
    await ask(revoked),
    await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, wrong),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  // Any response that needs the directory is 503 now.
  await environment.databases.directory.kill();
  const limited = await ask(newSessionToken(systemRandom));
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  await expectProblem(limited, { status: 429, code: 'RATE_LIMITED' });
  expect((await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, wrong)).status).toBe(429);
  // A token that was not found before, one that was found, and another network.
  expect([(await ask(invented)).status, (await ask(revoked)).status]).toEqual([401, 401]);
  expect((await ask(valid)).status).not.toBe(429);
  expect((await ask(newSessionToken(systemRandom), '203.0.113.98')).status).toBe(503);
  await environment.databases.directory.restart();
}

/** An error page: its status, Retry-After, and the request id for support. */
async function expectTroublePage(response: Response, status: number): Promise<void> {
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await response.text();
  expectPlainDocument(text, 'en');
  expect(text).toContain(response.headers.get('x-request-id'));
}

describe('counted on Deno', async () => {
  const limits = { reads: 9, writes: 9, estimates: 9, tokens: 9, tracking: 2, failures: 4, codesOfAddress: 3 };
  const environment = await startEnvironment('deno', { RATE_LIMITS: JSON.stringify(limits) });
  afterAll(() => environment.stop());
  const look = async (headers: Readonly<Record<string, string>>) =>
    (await environment.fetch('/v2/public/tracking/x', { headers })).status;

  it('ignores forwarding headers without a configured proxy', async () => {
    const names = ['x-forwarded-for', 'cf-connecting-ip', 'x-real-ip', 'true-client-ip', 'forwarded', 'x-client-ip'];
    const statuses = [];
    for (const [at, name] of names.entries()) statuses.push(await look({ [name]: `203.0.113.${at}` }));
    expect(statuses).toEqual([404, 404, 429, 429, 429, 429]);
  });

  it('trusts one configured proxy, but not what the client sent before it', async () => {
    await environment.restart({ PROXIES: '1' });
    const from = (address: string, lie: string) => look({ 'x-forwarded-for': `${lie}, ${address}` });
    expect([await from('203.0.113.7', 'a'), await from('203.0.113.7', 'b')]).toEqual([404, 404]);
    expect([await from('203.0.113.7', '203.0.113.8'), await from('203.0.113.8', 'c')]).toEqual([429, 404]);
  });

  it('does not read the database for tokens from a network that sent too many unknown ones', async () => {
    await environment.restart({ PROXIES: '1' });
    await expectFailuresBounded(environment, 'x-forwarded-for');
  });

  it('refuses codes for many drivers’ phones from one network address', async () => {
    const ask = async () => (await sendJson(environment, 'POST', '/v2/driver/sessions', { phone: newPhone() })).status;
    const statuses = [];
    for (let use = 1; use <= 20; use += 1) statuses.push(await ask());
    expect(statuses).toEqual([202, 202, 202, ...Array.from({ length: 17 }, () => 429)]);
  });
});

describe('counted by Cloudflare', async () => {
  const environment = await startEnvironment('worker', { DEPLOYMENT: 'sandbox' });
  afterAll(() => environment.stop());

  it('refuses more than twenty token requests a minute, as an OAuth error', async () => {
    const ask = (clientId: string) =>
      environment.fetch('/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: 'wrong' }),
      });
    const minute = () => Math.floor(Date.now() / 60_000);
    let answers: Response[];
    let begun: number;
    // The binding counts in minutes of the clock, so a run past the end of one proves nothing and is repeated.
    do {
      begun = minute();
      answers = [];
      for (let use = 1; use <= 21; use += 1) answers.push(await ask(`nobody-${begun}`));
    } while (minute() !== begun);
    expect(answers.slice(0, 20).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 401));
    const last = answers[20];
    expect(last?.status).toBe(429);
    expect(last?.headers.get('retry-after')).toBe('60');
    expect(await last?.json()).toMatchObject({ error: 'temporarily_unavailable', code: 'RATE_LIMITED', status: 429 });
  });
});
