import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import { authenticateDriver, type FindDriver, newDriverToken } from '../../../src/access/driver-token.ts';
import { newSessionToken } from '../../../src/access/session-token.ts';
import { newTrackingToken, shardOfTrackingToken } from '../../../src/access/tracking-token.ts';
import { Problem } from '../../../src/core/problem.ts';
import { systemRandom } from '../../../src/providers/system.ts';

/* Opaque tokens: their format, their stored hash, and authentication by them. */

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

test('a token is stored as its SHA-256', async () => {
  for (const text of ['', 'drv_shard-1_x', 'ses_é']) {
    expect(await tokenHashOf(text)).toBe(hashOf(text));
  }
});

test.each([
  ['a session', () => newSessionToken(systemRandom), /^ses_[A-Za-z0-9_-]{43}$/],
  ['a driver', () => newDriverToken('shard-1', systemRandom), /^drv_shard-1_[A-Za-z0-9_-]{43}$/],
  ['a tracking link', () => newTrackingToken('shard-1', systemRandom), /^shard-1_[0-9a-hjkmnp-tv-z]{32}$/],
])('every new token of %s is unique', (_whose, make, form) => {
  const made = Array.from({ length: 20 }, make);
  expect(new Set(made).size).toBe(20);
  for (const token of made) expect(token).toMatch(form);
});

describe('a tracking token', () => {
  test('encodes all of its random bits', () => {
    const tokenOf = (bytes: Uint8Array<ArrayBuffer>) => newTrackingToken('s', { ...systemRandom, bytes: () => bytes });
    expect(tokenOf(new Uint8Array(20))).toBe(`s_${'0'.repeat(32)}`);
    expect(tokenOf(new Uint8Array(20).fill(255))).toBe(`s_${'z'.repeat(32)}`);
    const counted = tokenOf(Uint8Array.from({ length: 20 }, (_, index) => index));
    expect(counted).toBe('s_000g40r40m30e209185gr38e1w8124gk');
  });

  test('names its shard', () => {
    const random = '0123456789abcdefghjkmnpqrstvwxyz';
    expect(shardOfTrackingToken(`shard-1_${random}`)).toBe('shard-1');
    expect(shardOfTrackingToken(newTrackingToken('x', systemRandom))).toBe('x');
    expect(shardOfTrackingToken(`${'s'.repeat(32)}_${random}`)).toBe('s'.repeat(32));
    const wrong = [
      '',
      random,
      `_${random}`,
      `${'s'.repeat(33)}_${random}`,
      `Shard_${random}`,
      `shard_1_${random}`,
      `shard-1_${random}0`,
      `shard-1_${random.slice(1)}`,
      `shard-1_${random.replace('a', 'i')}`,
      `shard-1_${random.replace('a', 'u')}`,
      `shard-1_${random.toUpperCase()}`,
      ` shard-1_${random}`,
      `shard-1_${random}\n`,
    ];
    for (const token of wrong) expect(shardOfTrackingToken(token)).toBeUndefined();
  });
});

describe('a driver', () => {
  const driverId = newId();
  const token = newDriverToken('shard-1', systemRandom);
  const find: FindDriver = (shard, hash) =>
    Promise.resolve(
      shard === 'shard-1' && hash === hashOf(token) ? { driverId, shard: 'shard-2', companyId: null } : undefined,
    );

  /** The driver, or code, Retry-After and challenge of the problem. */
  async function told(header: string | null, findDriver: FindDriver = find): Promise<unknown> {
    try {
      return await authenticateDriver(findDriver, header, null);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, retryAfterSeconds } = error.refusal;
      return [code, retryAfterSeconds ?? error.headers['www-authenticate']];
    }
  }
  const BAD = ['AUTHENTICATION_REQUIRED', 'Bearer realm="mirsal", error="invalid_token"'];

  test('is authenticated in the shard where the session was found', async () => {
    expect(await told(`Bearer ${token}`)).toEqual({ driverId, shard: 'shard-2', companyId: null });
  });

  test('without a token is challenged for one', async () => {
    expect(await told(null)).toEqual(['AUTHENTICATION_REQUIRED', 'Bearer realm="mirsal"']);
    expect(await told(`Basic ${token}`)).toEqual(['AUTHENTICATION_REQUIRED', 'Bearer realm="mirsal"']);
  });

  test.each([
    ['of another driver', newDriverToken('shard-1', systemRandom)],
    ['of another shard', token.replace('shard-1', 'shard-2')],
    ['without the format', 'token'],
    ['of a person', newSessionToken(systemRandom)],
    ['without a shard', token.replace('shard-1', '')],
    ['with too long a shard name', token.replace('shard-1', 's'.repeat(33))],
    ['that is truncated', token.slice(0, -1)],
    ['with a suffix', `${token}x`],
    ['with a prefix', `x${token}`],
  ])('is refused with a token %s', async (_case, other) => {
    expect(await told(`Bearer ${other}`)).toEqual(BAD);
  });

  test('with a malformed token causes no database read', async () => {
    const never: FindDriver = () => Promise.reject(new Error('Somebody was asked'));
    for (const other of ['token', `x${token}`, `${token}x`]) expect(await told(`Bearer ${other}`, never)).toEqual(BAD);
  });

  test('is 503 while the database does not answer', async () => {
    expect(await told(`Bearer ${token}`, () => Promise.resolve('unknown'))).toEqual(['SERVICE_UNAVAILABLE', 1]);
  });
});
