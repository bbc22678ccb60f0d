import { describe, expect, test } from 'vitest';
import { newSigningKey } from '../../../scripts/shared/keys.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { AccessTokens } from '../../../src/access/access-token.ts';
import { authenticate, bearerOf, TokenCache, unauthenticated } from '../../../src/access/authenticate.ts';
import type { Client } from '../../../src/access/principal.ts';
import { instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';

/* Recently verified tokens, and the parsing of Authorization headers. */

const NOW = 1_795_224_000_000;
const clientOf = (clientId: string): Client => ({
  ...{ kind: 'company', companyId: newId(), shard: 'shard-1', clientId, secretId: newId(), tokenId: newId() },
  scopes: new Set(['shipments:read']),
});
const one = clientOf('mcl_one');
/** A cache and its clock: `getAt` sets the time before it reads. */
function newCache() {
  let nowMs = NOW;
  const cache = new TokenCache({ now: () => instantFromMillis(nowMs) });
  const getAt = (token: string, ms: number) => {
    nowMs = ms;
    return cache.get(token)?.principal;
  };
  return { cache, getAt };
}
const verified = { principal: one, expiresAt: NOW / 1000 + 3600, isSuspended: false };

describe('a verified token', () => {
  test('is cached for less than a minute', () => {
    const { cache, getAt } = newCache();
    cache.set('token', verified);
    expect(cache.get('token')).toBe(verified);
    expect(getAt('token', NOW + 49_999)).toBe(one);
    expect(getAt('token', NOW + 50_000)).toBeUndefined();
    // It was removed, so an earlier time does not bring it back.
    expect(getAt('token', NOW)).toBeUndefined();
    expect(cache.get('another')).toBeUndefined();
  });

  test('is not cached beyond its own expiry', () => {
    const { cache, getAt } = newCache();
    cache.set('token', { ...verified, expiresAt: NOW / 1000 + 10 });
    expect(getAt('token', NOW + 9999)).toBe(one);
    expect(getAt('token', NOW + 10_000)).toBeUndefined();
  });

  test('is removed alone when it is revoked, and with its client when that is removed', () => {
    const { cache } = newCache();
    const other = clientOf('mcl_other');
    for (const token of ['first', 'second']) cache.set(token, verified);
    cache.set('other', { ...verified, principal: other });
    cache.delete('first');
    expect(['first', 'second', 'other'].map((token) => cache.get(token)?.principal)).toEqual([undefined, one, other]);
    cache.deleteOf('mcl_one');
    expect(['first', 'second', 'other'].map((token) => cache.get(token)?.principal)).toEqual([
      undefined,
      undefined,
      other,
    ]);
  });

  test('is dropped when the cache is full', () => {
    const { cache } = newCache();
    for (let index = 0; index < 10_000; index += 1) cache.set(`token-${index}`, verified);
    expect([cache.get('token-0'), cache.get('token-9999')]).toEqual([verified, verified]);
    cache.set('one more', verified);
    expect([cache.get('token-0'), cache.get('one more')]).toEqual([undefined, verified]);
  });
});

describe('an Authorization header', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    ['Bearer aZ09-._~+/', 'aZ09-._~+/'],
    ['Bearer abc==', 'abc=='],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearerabc', undefined],
    [' Bearer abc', undefined],
    ['Bearer abc def', undefined],
    ['Bearer a=b', undefined],
    ['Bearer =', undefined],
    ['Bearer a,b', undefined],
    ['Bearer abc\n', undefined],
    ['Basic abc', undefined],
    ['X Bearer abc', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j contains the token %j', (header, token) => {
    expect(bearerOf(header)).toBe(token);
  });

  test.each([
    [null, 'Bearer realm="mirsal"'],
    ['', 'Bearer realm="mirsal"'],
    ['Basic abc', 'Bearer realm="mirsal"'],
    ['Bearerabc', 'Bearer realm="mirsal"'],
    ['X Bearer abc', 'Bearer realm="mirsal"'],
    ['Bearer abc', 'Bearer realm="mirsal", error="invalid_token"'],
    ['bearer', 'Bearer realm="mirsal", error="invalid_token"'],
  ])('%j is answered with the challenge %s', (header, challenge) => {
    const { refusal, headers } = unauthenticated(header);
    expect(refusal).toEqual({ ok: false, code: 'AUTHENTICATION_REQUIRED' });
    expect(headers).toEqual({ 'www-authenticate': challenge });
  });

  test('is refused without a valid token, and is 503 while the directory does not answer', async () => {
    const now = instantFromMillis(NOW);
    const tokens = new AccessTokens([await newSigningKey()], 'https://api.mirsal.test');
    const token = `Bearer ${await tokens.issue(one, now)}`;
    const problemOf = async (header: string | null, status: 'dead' | 'unknown') => {
      const clock = { now: () => now };
      const asked = { clock, cache: new TokenCache(clock), tokenStatus: () => Promise.resolve(status) };
      const error: unknown = await authenticate({ tokens, ...asked }, header).catch((thrown: unknown) => thrown);
      if (!(error instanceof Problem)) throw error;
      return [error.refusal.code, error.headers['www-authenticate'] ?? error.refusal.retryAfterSeconds];
    };
    const bad = ['AUTHENTICATION_REQUIRED', 'Bearer realm="mirsal", error="invalid_token"'];
    expect(await problemOf(null, 'dead')).toEqual(['AUTHENTICATION_REQUIRED', 'Bearer realm="mirsal"']);
    expect(await problemOf(token, 'dead')).toEqual(bad);
    expect(await problemOf('Bearer abc', 'unknown')).toEqual(bad);
    expect(await problemOf(token, 'unknown')).toEqual(['SERVICE_UNAVAILABLE', 1]);
  });
});
