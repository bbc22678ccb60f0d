import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { newSandbox, sendJson } from '../../scripts/shared/sandbox.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { CREDENTIAL, newOwner, readIssued } from '../support/credentials.ts';
import { basic, postForm } from '../support/oauth.ts';
import { type ExpectedProblem, expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** Which callers may not manage a credential, and how they are refused. */

const environment = sharedEnvironment();
const owner = await newOwner(environment);
const OPERATIONS = [
  ['POST', CREDENTIAL, undefined],
  ['GET', CREDENTIAL, undefined],
  ['POST', `${CREDENTIAL}/rotations`, { overlapSeconds: 60 }],
  ['DELETE', CREDENTIAL, undefined],
] as const;
type Headers = Readonly<Record<string, string>>;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `__Host-session=${token}` });
const ACCESS_DENIED = { status: 403, code: 'ACCESS_DENIED' } as const;

/** Expects every operation to be refused in this way and to change nothing. */
async function expectRefused(headers: Headers, expected: ExpectedProblem): Promise<Response[]> {
  const before = await owner.audited();
  const responses: Response[] = [];
  for (const [method, path, body] of OPERATIONS) {
    const response = await sendJson(environment, method, path, method === 'GET' ? undefined : body, headers);
    responses.push(response.clone());
    await expectProblem(response, expected);
  }
  expect(await owner.audited()).toEqual(before);
  return responses;
}

describe('a session is refused', () => {
  it('if its second factor is more than ten minutes old', async () => {
    const token = await addSession(environment, owner, { assurance: 'AAL2', provedSecondsAgo: 601 });
    await expectRefused(bearer(token), { status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    const fresh = await addSession(environment, owner, { assurance: 'AAL2', provedSecondsAgo: 540 });
    expect((await environment.fetch(CREDENTIAL, { headers: bearer(fresh) })).status).toBe(404);
  });

  it('if it has expired or was idle for half an hour', async () => {
    for (const column of ['expires_at', 'last_seen_at']) {
      const token = await addSession(environment, owner, { assurance: 'AAL2' });
      const end = `update sessions set ${column} = ${column} - 46800000000 where person_id = ? and fresh_until =
        (select max(fresh_until) from sessions where person_id = ?)`;
      await environment.sql('directory', end, [owner.personId, owner.personId]);
      await expectRefused(bearer(token), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    }
  });

  it('if its person was removed from the company', async () => {
    const former = await addPerson(environment, owner);
    const token = await addSession(environment, former, { assurance: 'AAL2' });
    await environment.sql('directory', 'delete from company_members where person_id = ?', [former.personId]);
    await expectRefused(bearer(token), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

describe('a request without a session', () => {
  it('is 401 with a challenge without an error code', async () => {
    for (const response of await expectRefused({}, { status: 401, code: 'AUTHENTICATION_REQUIRED' }))
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it.each([
    ['a client token of a merchant', async () => environment.token(await addCompany(environment))],
    ['a client token of an operator', () => environment.token(environment.operator)],
    ['a driver token', async () => (await (await newSandbox(environment)).signIn()).token],
    ['an unknown session token', () => Promise.resolve(`ses_${'A'.repeat(43)}`)],
    ['a malformed token', () => Promise.resolve('x')],
  ])('is 401 with %s', async (_whose, token) => {
    const responses = await expectRefused(bearer(await token()), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    for (const response of responses) expect(response.headers.get('www-authenticate')).toContain('invalid_token');
  });
});

describe('a session cookie', () => {
  it('may change something only from a page of the service itself', async () => {
    const token = await addSession(environment, owner, { assurance: 'AAL2' });
    const CHANGES = OPERATIONS.filter(([method]) => method !== 'GET');
    const foreign: Headers[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${environment.baseUrl}.evil.example` },
      { origin: environment.baseUrl.replace('https:', 'http:') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ];
    for (const headers of foreign) {
      for (const [method, path, body] of CHANGES) {
        const response = await sendJson(environment, method, path, body, { ...cookie(token), ...headers });
        await expectProblem(response, ACCESS_DENIED);
      }
    }
    expect(await owner.audited()).toEqual([]);
    const other = await newOwner(environment);
    const own = { ...cookie(other.token), origin: environment.baseUrl };
    for (const [method, path, body] of [...OPERATIONS.slice(0, 1), ...OPERATIONS.slice(2)])
      expect((await sendJson(environment, method, path, body, own)).ok).toBe(true);
    expect(await other.audited()).toEqual(['credential.created', 'credential.rotated', 'credential.deleted']);
  });

  it('may read from any page, but the browser hides the answer from other origins', async () => {
    const headers = { ...cookie(owner.token), origin: 'https://evil.example' };
    const response = await environment.fetch(CREDENTIAL, { headers });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    await expectProblem(response, { status: 404, code: 'RESOURCE_NOT_FOUND' });
  });

  it('is 400 together with a bearer token', async () => {
    const headers = { ...cookie(owner.token), ...bearer(owner.token), origin: environment.baseUrl };
    await expectRefused(headers, {
      status: 400,
      code: 'INVALID_HEADER',
      violations: ['Authorization FORBIDDEN_FIELD', 'Cookie FORBIDDEN_FIELD'],
    });
  });

  it('is 401 when it is sent twice', async () => {
    const headers = { cookie: `__Host-session=${owner.token}; __Host-session=${owner.token}` };
    await expectRefused({ ...headers, origin: environment.baseUrl }, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

it('a session cannot be used for a merchant’s API', async () => {
  const { company } = await merchantOf(environment, await addCompany(environment));
  for (const [method, path, body] of [
    ['POST', SHIPMENTS, shipmentBody(company)],
    ['GET', SHIPMENTS, undefined],
    ['POST', '/v2/external/shipment-price-estimates', {}],
  ] as const) {
    const response = await sendJson(environment, method, path, body, bearer(owner.token));
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  }
});

it('a credential can be read, rotated and deleted only by its own company', async () => {
  const [one, other] = [await newOwner(environment), await newOwner(environment)];
  const issued = await readIssued(await one.send('POST', CREDENTIAL));
  for (const [method, path, body] of OPERATIONS.slice(1))
    await expectProblem(await other.send(method, path, body), { status: 404, code: 'RESOURCE_NOT_FOUND' });
  const mine = await readIssued(await other.send('POST', CREDENTIAL));
  expect((await other.send('DELETE', CREDENTIAL)).status).toBe(204);
  const ask = async (client: typeof issued) =>
    (await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, basic(client))).status;
  expect([await ask(issued), await ask(mine)]).toEqual([200, 401]);
});
