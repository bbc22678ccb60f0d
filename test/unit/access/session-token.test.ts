import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import type { Person } from '../../../src/access/principal.ts';
import {
  authenticatePerson,
  type FindSession,
  hasSessionCredential,
  NO_SESSION_COOKIE,
  newSessionToken,
  type SessionFacts,
  sessionCookie,
} from '../../../src/access/session-token.ts';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';
import { systemRandom } from '../../../src/providers/system.ts';

/* A person’s session, as a bearer token or as the cookie that browsers send for any page. */

const OWN = 'https://api.mirsal.test';
const token = newSessionToken(systemRandom);
const hash = createHash('sha256').update(token).digest('base64url');
const person: Person = {
  ...{ kind: 'person', personId: newId(), companyId: newId(), sessionId: newId(), shard: 'shard-1' },
  ...{ role: 'OWNER', channel: 'SMS', assurance: 'AAL1', freshUntil: null },
  ...{ signedInAt: instantFromMillis(0), expiresAt: instantFromMillis(1), heldUntil: null },
  ...{ fullName: 'Huda Al-Amri', email: 'huda@shop.example', companyName: 'Tihama Spices' },
};
const find: FindSession = (tokenHash) => Promise.resolve(tokenHash === hash ? person : undefined);

const COOKIE = `__Host-session=${token}`;
const NONE: SessionFacts = {
  ...{ method: 'POST', authorization: null, cookie: null, origin: null, fetchSite: null },
  actingAs: null,
};
const bearer = `Bearer ${token}`;

/** `in`, or code, Retry-After and challenge of the problem. */
async function told(facts: Partial<SessionFacts>, findSession: FindSession = find): Promise<string> {
  try {
    const found = await authenticatePerson({ findSession, ownOrigin: OWN }, { ...NONE, ...facts });
    return found === person ? 'in' : 'somebody else';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, retryAfterSeconds } = error.refusal;
    return [code, retryAfterSeconds, ...Object.values(error.headers)].filter((part) => part !== undefined).join(' ');
  }
}

const ASKED = 'AUTHENTICATION_REQUIRED Bearer realm="mirsal"';
const BAD = `${ASKED}, error="invalid_token"`;

describe('a person is authenticated', () => {
  test('by their bearer token, whatever the origin', async () => {
    expect(await told({ authorization: bearer })).toBe('in');
    expect(await told({ authorization: bearer, origin: 'https://elsewhere.example' })).toBe('in');
  });

  test.each([
    [COOKIE],
    [`theme=dark; ${COOKIE}`],
    [`theme=dark;${COOKIE} ; lang=ar`],
    [`x__Host-session=no; ${COOKIE}`],
    [`${'x'.repeat(8192 - COOKIE.length - 2)}; ${COOKIE}`],
  ])('by their cookie, beside other cookies', async (cookie) => {
    expect(await told({ cookie, origin: OWN })).toBe('in');
  });

  test.each(['GET', 'HEAD'])('by cookie for reads, whatever the origin: %s', async (method) => {
    for (const origin of [null, OWN, 'https://elsewhere.example']) {
      expect(await told({ method, cookie: COOKIE, origin, fetchSite: 'cross-site' })).toBe('in');
    }
  });
});

describe('a change authenticated by cookie', () => {
  test.each([
    [OWN, null, 'in'],
    [OWN, 'cross-site', 'in'],
    [null, 'same-origin', 'in'],
    ['https://elsewhere.example', 'same-origin', 'ACCESS_DENIED'],
    ['null', null, 'ACCESS_DENIED'],
    [`${OWN}.elsewhere.example`, null, 'ACCESS_DENIED'],
    [null, null, 'ACCESS_DENIED'],
    [null, 'same-site', 'ACCESS_DENIED'],
    [null, 'none', 'ACCESS_DENIED'],
  ])('from the origin %s (%s): %s', async (origin, fetchSite, outcome) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      expect(await told({ method, cookie: COOKIE, origin, fetchSite })).toBe(outcome);
    }
  });

  test('is refused for a bad cookie before its origin is checked', async () => {
    const cookie = `__Host-session=${newSessionToken(systemRandom)}`;
    expect(await told({ cookie, origin: 'https://elsewhere.example' })).toBe(BAD);
  });
});

describe('a person is not authenticated', () => {
  test('without a token or cookie, and the challenge asks for one', async () => {
    expect(await told({})).toBe(ASKED);
    expect(await told({ cookie: '' })).toBe(ASKED);
    expect(await told({ cookie: 'theme=dark' })).toBe(ASKED);
    expect(await told({ authorization: 'Basic x' })).toBe(ASKED);
  });

  test.each([
    ['unknown', newSessionToken(systemRandom)],
    ['malformed', 'token'],
    ['truncated', token.slice(0, -1)],
    ['too long', `${token}x`],
    ['prefixed', `x${token}`],
    ['a driver token', token.replace('ses_', 'drv_')],
  ])('with a token that is %s, as a bearer token or as a cookie', async (_case, other) => {
    expect(await told({ authorization: `Bearer ${other}` })).toBe(BAD);
    expect(await told({ cookie: `__Host-session=${other}`, origin: OWN })).toBe(BAD);
  });

  test('with a malformed token, which causes no database read', async () => {
    const never: FindSession = () => Promise.reject(new Error('Somebody was asked'));
    for (const other of ['', 'token', `x${token}`, `${token}x`]) {
      expect(await told({ cookie: `__Host-session=${other}`, origin: OWN }, never)).toBe(BAD);
    }
  });

  test('with two session cookies, even if both are valid', async () => {
    expect(await told({ cookie: `${COOKIE}; ${COOKIE}`, origin: OWN })).toBe(BAD);
  });

  test('with a token and a cookie at once', async () => {
    expect(await told({ authorization: bearer, cookie: COOKIE, origin: OWN })).toBe('INVALID_HEADER');
    expect(await told({ authorization: 'Basic x', cookie: COOKIE, origin: OWN })).toBe('INVALID_HEADER');
    expect(await told({ authorization: bearer, cookie: 'theme=dark' })).toBe('in');
  });

  test('with cookies of more than 8 KiB', async () => {
    const cookie = `${'x'.repeat(8192 - COOKIE.length - 1)}; ${COOKIE}`;
    expect(await told({ cookie, origin: OWN })).toBe('INVALID_HEADER');
  });

  test('of a suspended company', async () => {
    expect(await told({ authorization: bearer }, () => Promise.resolve({ kind: 'suspended', person }))).toBe(
      'ACCESS_DENIED',
    );
  });

  test('while the database does not answer', async () => {
    expect(await told({ authorization: bearer }, () => Promise.resolve('unknown'))).toBe('SERVICE_UNAVAILABLE 1');
  });
});

// Cases are named, because a title with a random token would change with every run.
test.each([
  ['nothing', {}, false],
  ['a token', { authorization: bearer }, true],
  ['the cookie', { cookie: COOKIE }, true],
  ['the cookie with anything in it', { cookie: '__Host-session=anything' }, true],
  ['another cookie', { cookie: 'session=anything' }, false],
  ['a token of another type', { authorization: 'Bearer eyJ.a.b' }, false],
  ['a token with a suffix', { authorization: `Bearer ${token}x` }, false],
  ['a token with a prefix', { authorization: `Bearer x${token}` }, false],
])('%s counts as a session or not', (_what, facts, isSession) => {
  expect(hasSessionCredential({ ...NONE, ...facts })).toBe(isSession);
});

test('the cookie is limited to this host, TLS and HTTP', () => {
  expect(sessionCookie('ses_x', 60)).toBe('__Host-session=ses_x; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=Lax');
  expect(NO_SESSION_COOKIE).toBe('__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax');
});
