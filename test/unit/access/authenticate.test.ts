import { beforeEach, describe, expect, test } from 'vitest';
import { newSigningKey } from '../../../scripts/shared/keys.ts';
import { AccessTokens } from '../../../src/access/access-token.ts';
import { authenticate, TokenCache, type TokenStatus } from '../../../src/access/authenticate.ts';
import type { CompanyClient } from '../../../src/access/principal.ts';
import { PROBLEMS } from '../../../src/core/catalogue.ts';
import { addSeconds, type Instant, instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';
import { systemRandom } from '../../../src/providers/system.ts';

/** A token whose secret is no longer valid is refused within 60 s in every isolate that has used it. */

const START = instantFromMillis(Date.UTC(2026, 10, 21, 9));
const tokens = new AccessTokens([await newSigningKey()], 'https://api.mirsal.test');
let now: Instant = START;
let status: TokenStatus = 'alive';
let asked = 0;

function isolate() {
  const clock = { now: () => now };
  const dependencies = {
    tokens,
    clock,
    cache: new TokenCache(clock),
    tokenStatus: () => {
      asked += 1;
      return Promise.resolve(status);
    },
  };
  return {
    cache: dependencies.cache,
    async ask(token: string): Promise<number> {
      try {
        await authenticate(dependencies, `Bearer ${token}`);
        return 200;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return PROBLEMS[error.refusal.code].status;
      }
    },
  };
}

function newClient(clientId: string): CompanyClient {
  const ids = { secretId: systemRandom.uuid(), tokenId: systemRandom.uuid(), companyId: systemRandom.uuid() };
  return { kind: 'company', clientId, shard: 'shard-1', scopes: new Set(['shipments:read']), ...ids };
}

beforeEach(() => {
  now = START;
  status = 'alive';
  asked = 0;
});

describe('a token whose secret has ended', () => {
  test('is refused within 60 s in every isolate, however often it is used', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    const [first, second] = [isolate(), isolate()];
    expect([await first.ask(token), await second.ask(token)]).toEqual([200, 200]);
    status = 'dead';
    const deaths: number[] = [];
    for (const { ask } of [first, second]) {
      now = START;
      let second = 0;
      while ((await ask(token)) === 200) {
        second += 1;
        now = addSeconds(START, second);
      }
      deaths.push(second);
    }
    for (const death of deaths) {
      expect(death).toBeLessThan(60);
      expect(death).toBeGreaterThan(1);
    }
    // It is still refused afterwards.
    expect(await first.ask(token)).toBe(401);
  });

  test('is refused at once in an isolate that has not used it', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    status = 'dead';
    expect(await isolate().ask(token)).toBe(401);
  });

  test('is refused at once after its client was removed from the cache, unlike tokens of other clients', async () => {
    const [one, other] = [await tokens.issue(newClient('mcl_one'), now), await tokens.issue(newClient('mcl_two'), now)];
    const { ask, cache } = isolate();
    expect([await ask(one), await ask(other)]).toEqual([200, 200]);
    status = 'dead';
    cache.deleteOf('mcl_one');
    expect([await ask(one), await ask(other)]).toEqual([401, 200]);
  });
});

describe('a token of a suspended company', () => {
  /** The seconds until the token is answered with `expected`. */
  async function secondsUntil(ask: (token: string) => Promise<number>, token: string, expected: number) {
    const from = now;
    let seconds = 0;
    while ((await ask(token)) !== expected) {
      seconds += 1;
      now = addSeconds(from, seconds);
    }
    return seconds;
  }

  test('is 403 within 60 s, and works again within 60 s after the company is resumed', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    const { ask } = isolate();
    expect(await ask(token)).toBe(200);
    status = 'suspended';
    const seconds = await secondsUntil(ask, token, 403);
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(60);
    // The refusal is cached too, so a company that keeps asking costs the directory nothing.
    const askedBefore = asked;
    for (let second = 0; second < 10; second += 1) expect(await ask(token)).toBe(403);
    expect(asked).toBe(askedBefore);
    status = 'alive';
    expect(await secondsUntil(ask, token, 200)).toBeLessThan(60);
  });

  test('is 403 at once in an isolate that has not used it', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    status = 'suspended';
    expect(await isolate().ask(token)).toBe(403);
  });
});

test('the directory is asked less than twice a minute for a token in constant use', async () => {
  const token = await tokens.issue(newClient('mcl_one'), now);
  const { ask } = isolate();
  for (let second = 0; second < 120; second += 1) {
    now = addSeconds(START, second);
    expect(await ask(token)).toBe(200);
  }
  expect(asked).toBe(3);
});

describe('a token in use by many requests', () => {
  test('is checked again by one of them before the check is too old', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    const { ask } = isolate();
    expect(await ask(token)).toBe(200);
    now = addSeconds(START, 45);
    expect(await Promise.all(Array.from({ length: 10 }, () => ask(token)))).toEqual(
      Array.from({ length: 10 }, () => 200),
    );
    expect(asked).toBe(2);
    now = addSeconds(START, 80);
    expect([await ask(token), asked]).toEqual([200, 2]);
  });

  test('is accepted for the rest of 50 s if the directory does not answer', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    const { ask } = isolate();
    expect(await ask(token)).toBe(200);
    status = 'unknown';
    now = addSeconds(START, 49);
    expect(await ask(token)).toBe(200);
    now = addSeconds(START, 50);
    expect(await ask(token)).toBe(503);
  });

  test('is refused to all as soon as one has learned that it ended', async () => {
    const token = await tokens.issue(newClient('mcl_one'), now);
    const { ask } = isolate();
    expect(await ask(token)).toBe(200);
    status = 'dead';
    now = addSeconds(START, 41);
    expect([await ask(token), await ask(token)]).toEqual([401, 401]);
  });
});

test('a directory that does not answer is 503, and the failure is not cached', async () => {
  const token = await tokens.issue(newClient('mcl_one'), now);
  const { ask } = isolate();
  status = 'unknown';
  expect(await ask(token)).toBe(503);
  status = 'alive';
  expect(await ask(token)).toBe(200);
});
