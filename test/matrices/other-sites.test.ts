import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { AUTHENTICATION, addPerson, addSession } from '../../scripts/shared/people.ts';
import { OPERATIONS } from '../../src/http/rest/routes.ts';
import { BRANCH } from '../support/places.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { PROCEDURES, type Procedure } from '../support/tenancy/procedures.ts';

/** Cross-site request forgery: a page of another site can do nothing with the session cookie. */

const environment = sharedEnvironment();
const company = await addCompany(environment);
const token = await addSession(environment, await addPerson(environment, company), { assurance: 'AAL2' });
const cookie = `__Host-session=${token}`;
const OWN = environment.baseUrl;
const UNKNOWN = '0190d0c8-7a6b-7c3d-8e4f-0123456789ab';

type Headers = Readonly<Record<string, string>>;

/** What browsers may send as the origin of a request, and what scripts may try. */
const ELSEWHERE: Readonly<Record<string, Headers>> = {
  'another site': { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
  'a frame without an origin': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'an unknown origin': {},
  'another site with Sec-Fetch-Site: same-origin': { origin: 'https://other.example', 'sec-fetch-site': 'same-origin' },
  'a subdomain': { origin: OWN.replace('https://', 'https://x.'), 'sec-fetch-site': 'same-site' },
  'a sibling domain': { origin: 'https://www.mirsal.test', 'sec-fetch-site': 'same-site' },
  'a host with the same prefix': { origin: `${OWN}.other.example` },
  'the same host without TLS': { origin: OWN.replace('https:', 'http:') },
  'another port': { origin: `${OWN}:8443` },
  'a path': { origin: `${OWN}/` },
  'capital letters': { origin: OWN.toUpperCase() },
  'two origins': { origin: `${OWN}, https://other.example` },
  'an unknown origin on the same site': { 'sec-fetch-site': 'same-site' },
  'a bookmark': { 'sec-fetch-site': 'none' },
  'a Referer only': { referer: `${OWN}/console` },
  'another site with X-Forwarded-Host': { origin: 'https://other.example', 'x-forwarded-host': 'other.example' },
};

/** Mutations that accept a session: over tRPC also those for client programs. */
const CHANGES = PROCEDURES.filter(
  ({ type, meta }) =>
    type === 'mutation' &&
    (meta.security === 'session' || (meta.security === undefined && meta.scope !== 'operations')),
);

describe.each(Object.entries(ELSEWHERE))('from %s', (_where, headers) => {
  it('a cookie changes nothing over tRPC', async () => {
    const answers = await Promise.all(CHANGES.map(({ name }) => overTrpc(name, headers)));
    expect(answers.filter(({ status, code }) => status !== 403 || code !== 'ACCESS_DENIED')).toEqual([]);
  });

  it('a cookie changes nothing on REST', async () => {
    const operations = OPERATIONS.filter(
      ({ method, meta }) => method !== 'GET' && (meta.security === 'session' || meta.alsoSession === true),
    );
    expect(operations.length).toBeGreaterThan(10);
    const answers = await Promise.all(operations.map((operation) => onRest(operation, headers)));
    expect(answers.filter(({ status, code }) => status !== 403 || code !== 'ACCESS_DENIED')).toEqual([]);
    // A merchant's operations take the cookie from the reference only, and otherwise want a token.
    const merchants = OPERATIONS.filter(
      ({ method, meta: { scope, security, alsoSession } }) =>
        method !== 'GET' && scope !== undefined && security === undefined && alsoSession !== true,
    );
    expect(merchants.length).toBeGreaterThan(10);
    const outcome = headers['sec-fetch-site'] === 'same-origin' ? 'ACCESS_DENIED' : 'AUTHENTICATION_REQUIRED';
    const codes = await Promise.all(merchants.map(async (operation) => (await onRest(operation, headers)).code));
    expect(new Set(codes)).toEqual(new Set([outcome]));
  });

  it('a cookie changes nothing in a batch of ten calls', async () => {
    const body = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, BRANCH]));
    const response = await environment.fetch(`/trpc/${Array(10).fill('branches.create').join(',')}?batch=1`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answers = (await response.json()) as { error?: { message: string } }[];
    expect(answers.map(({ error }) => error?.message)).toEqual(Array(10).fill('ACCESS_DENIED'));
  });
});

it.each<readonly [string, Headers]>([
  ['an origin', { origin: OWN }],
  ['a browser that sends none', { 'sec-fetch-site': 'same-origin' }],
])('the service’s own page may change things: by %s', async (_by, headers) => {
  // The session of a company's person is refused by what only operators may do, from any page.
  const own = CHANGES.filter(({ name }) => !name.startsWith('operations.'));
  for (const { status, code } of await Promise.all(own.map(({ name }) => overTrpc(name, headers))))
    expect([status, code]).not.toContain('ACCESS_DENIED');
});

describe('a form of another site', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'cannot send JSON as %j, even without an origin',
    async (type) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: '{"0":{}}' };
      const signIn = await environment.fetch(`${AUTHENTICATION}/sign-ins`, init);
      expect(signIn.status).toBe(415);
      expect((await environment.fetch('/trpc/sessions.startSignIn', init)).status).toBe(415);
    },
  );
});

describe('a link of another site', () => {
  const mutations = PROCEDURES.filter(({ type }) => type === 'mutation');

  it('calls no mutation by GET, by HEAD or with a method override', async () => {
    const headers = { cookie, origin: OWN, 'x-http-method-override': 'POST', 'x-method-override': 'POST' };
    const answers = await Promise.all(
      mutations.map(async ({ name }) => {
        const response = await environment.fetch(`/trpc/${name}?input=%7B%7D&_method=POST`, { headers });
        const head = await environment.fetch(`/trpc/${name}?input=%7B%7D`, { method: 'HEAD', headers });
        return [name, response.status, head.status];
      }),
    );
    // tRPC has no HEAD: it is answered without calling a procedure.
    expect(answers.filter(([, get, head]) => get !== 405 || (head !== 204 && head !== 405))).toEqual([]);
  });

  it('cannot override the method of a path', async () => {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const headers = { cookie, origin: OWN, [name]: 'DELETE' };
      const session = await environment.fetch(`${AUTHENTICATION}/sessions/current?_method=DELETE`, { headers });
      expect(session.status).toBe(400);
      const posted = await environment.fetch(`${AUTHENTICATION}/sessions/current`, { method: 'POST', headers });
      expect(posted.status).toBe(405);
    }
    expect((await environment.fetch(`${AUTHENTICATION}/sessions/current`, { headers: { cookie } })).status).toBe(200);
  });
});

it.each<readonly [string, Headers]>([
  ['beside a token', { cookie, authorization: `Bearer ${token}` }],
  ['beside another scheme', { cookie, authorization: 'Basic eDp5' }],
])('a cookie %s is 400 on every session route', async (_beside, headers) => {
  for (const { method, path } of OPERATIONS.filter(({ meta }) => meta.security === 'session')) {
    const response = await environment.fetch(filled(path), { method, headers });
    expect([path, response.status]).toEqual([path, 400]);
  }
});

it('a cookie that is sent twice is 401', async () => {
  const headers = { cookie: `${cookie}; ${cookie}` };
  expect((await environment.fetch(`${AUTHENTICATION}/sessions/current`, { headers })).status).toBe(401);
});

async function overTrpc(name: Procedure['name'], headers: Headers) {
  const response = await environment.fetch(`/trpc/${name}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', ...headers },
    body: '{"nonsense":1}',
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return { name, status: response.status, code: error?.message };
}

async function onRest({ method, path }: { readonly method: string; readonly path: string }, headers: Headers) {
  const response = await environment.fetch(filled(path), { method, headers: { cookie, ...headers } });
  const { code } = (await response.json()) as { code: string };
  return { path, status: response.status, code };
}

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, UNKNOWN);
}
