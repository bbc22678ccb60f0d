import { describe, expect, it, test } from 'vitest';
import { TokenCache } from '../../../src/access/authenticate.ts';
import { handle } from '../../../src/app.ts';
import { AdmissionLimiter, admit, type Permit } from '../../../src/http/admission.ts';
import { noMetrics } from '../../../src/runtime/adapters/metrics/none.ts';
import { SystemClock, systemRandom } from '../../../src/runtime/adapters/system.ts';
import type { Services } from '../../../src/runtime/services.ts';

const BURST_MAX = 384;

/** A limiter with as many requests inside, and the clock in the test's hands. */
function openLimiter(inside: number, shards = 2) {
  const clock = { nowMs: 0 };
  const limiter = new AdmissionLimiter({ monotonicMs: () => clock.nowMs, shards });
  const permits = Array.from({ length: inside }, () => {
    const permit = limiter.acquire();
    if (permit === undefined) throw new Error('Nobody was admitted');
    return permit;
  });
  const [first] = permits;
  if (first === undefined) throw new Error('Nobody asked');
  /** How many more are admitted, until one is refused. */
  const more = () => {
    let admitted = 0;
    while (admitted < BURST_MAX && limiter.acquire() !== undefined) admitted += 1;
    return admitted;
  };
  return { clock, limiter, permits, first, more };
}

test('one more is refused until one has left', () => {
  const { first, more } = openLimiter(BURST_MAX);
  expect(more()).toBe(0);
  first.release();
  first.release();
  expect(more()).toBe(1);
});

test('who waits for somebody outside is not inside, and goes on when that has ended', () => {
  const { first, permits, more } = openLimiter(BURST_MAX);
  first.suspend();
  expect(more()).toBe(1);
  first.resume();
  permits[1]?.release();
  // One is still too many.
  expect(more()).toBe(0);
  first.release();
  expect(more()).toBe(1);
});

test('who has begun nothing is refused when as many are inside as may ever be', () => {
  const { first, permits, more } = openLimiter(BURST_MAX);
  first.suspend();
  expect(more()).toBe(1);
  expect(first.tryResume()).toBe(false);
  permits[1]?.release();
  expect(first.tryResume()).toBe(true);
  expect(more()).toBe(0);
});

test('who has left does not come in by his body', () => {
  const { first, more } = openLimiter(BURST_MAX);
  first.suspend();
  first.release();
  first.resume();
  expect(more()).toBe(1);
});

test('a permit that was never given back is free again when no request can last so long', () => {
  const { clock, more } = openLimiter(BURST_MAX);
  clock.nowMs = 29_999;
  expect(more()).toBe(0);
  clock.nowMs = 30_000;
  expect(more()).toBe(BURST_MAX);
});

describe('a crowd that lasts', () => {
  test('is let in while it may be a burst', () => {
    const { clock, more } = openLimiter(200);
    clock.nowMs = 2000;
    expect(more()).toBe(184);
  });

  test('is too many when more than a few do not come to an end, until fewer are inside', () => {
    const { clock, permits, more } = openLimiter(200);
    clock.nowMs = 2001;
    expect(more()).toBe(0);
    for (const permit of permits.slice(0, 110)) permit.release();
    expect(more()).toBe(6);
    // It is still one when those have left who were slow, and none when that is some seconds ago.
    for (const permit of permits) permit.release();
    expect(more()).toBe(90);
    clock.nowMs = 2500;
    expect(more()).toBe(0);
  });

  test('is none for some slow requests among quick ones', () => {
    const { clock, more } = openLimiter(16);
    clock.nowMs = 20_000;
    expect(more()).toBe(BURST_MAX - 16);
  });

  test('begins for each when his body has come', () => {
    const { clock, permits, more } = openLimiter(200);
    for (const permit of permits) permit.suspend();
    clock.nowMs = 14_000;
    for (const permit of permits) permit.resume();
    expect(more()).toBe(184);
  });
});

describe('what one shard may have of the permits', () => {
  const isIn = (permit: Permit | undefined, shard: string) => {
    try {
      permit?.enterShard(shard);
      return permit !== undefined;
    } catch (error) {
      expect(error).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 } });
      return false;
    }
  };

  test('is three quarters of a burst', () => {
    const { permits } = openLimiter(BURST_MAX);
    expect(permits.map((permit) => isIn(permit, 'shard-1')).lastIndexOf(true)).toBe(287);
    expect(isIn(permits[300], 'shard-2')).toBe(true);
  });

  test('is three quarters of a crowd that lasts, so that others are answered while it hangs', () => {
    const { clock, limiter, permits } = openLimiter(72);
    for (const permit of permits) expect(isIn(permit, 'shard-1')).toBe(true);
    clock.nowMs = 3000;
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    expect(isIn(limiter.acquire(), 'shard-2')).toBe(true);
  });

  test('is known before anybody is asked, where it is known', () => {
    const { clock, limiter, permits } = openLimiter(72);
    for (const permit of permits) permit.enterShard('shard-1');
    clock.nowMs = 3000;
    expect(limiter.acquire('shard-1')).toBeUndefined();
    expect(limiter.acquire('shard-2')).toBeDefined();
  });

  test('is not in the others’ way when a burst had more of them', () => {
    const { clock, limiter, permits } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    clock.nowMs = 2500;
    const others = Array.from({ length: 40 }, () => limiter.acquire()).filter((permit) => permit !== undefined);
    expect(others).toHaveLength(24);
    expect(others.map((permit) => isIn(permit, 'shard-1'))).not.toContain(true);
    expect(others.map((permit) => isIn(permit, 'shard-2'))).not.toContain(false);
  });

  test('is all of them where there is one shard', () => {
    const { permits, more } = openLimiter(BURST_MAX, 1);
    expect(permits.map((permit) => isIn(permit, 'shard-1'))).not.toContain(false);
    expect(more()).toBe(0);
  });

  test('is taken in each shard that a batch is at work in', () => {
    const { limiter, permits } = openLimiter(288);
    for (const permit of permits) for (const shard of ['shard-1', 'shard-2']) permit.enterShard(shard);
    expect([isIn(limiter.acquire(), 'shard-1'), isIn(limiter.acquire(), 'shard-2')]).toEqual([false, false]);
  });

  test('is not used by those whose body is on its way, nor by who has left, nor twice by one', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) expect([isIn(permit, 'shard-1'), isIn(permit, 'shard-1')]).toEqual([true, true]);
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    first.suspend();
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(false);
    permits[1]?.release();
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
  });

  test('is free again when its requests have gone on to another', () => {
    const { limiter, permits, first } = openLimiter(288);
    for (const permit of permits) permit.enterShard('shard-1');
    first.enterShard('shard-2', 'shard-1');
    expect(isIn(limiter.acquire(), 'shard-1')).toBe(true);
  });
});

describe('a process that is full', () => {
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => 0,
    shards: new Map(),
    tokenCache: new TokenCache(),
    random: systemRandom,
    readAsset: () => Promise.resolve(new TextEncoder().encode('{"entries":{},"names":[]}')),
  } as unknown as Services;
  for (let count = 0; count < BURST_MAX; count += 1) admit(new Request('https://mirsal.example/'), services);
  const send = (path: string, init?: RequestInit) =>
    handle(new Request(`https://mirsal.example${path}`, init), services, {
      address: undefined,
      later: () => undefined,
    });

  it.each([
    ['a merchant', '/v2/external/shipments', {}, 'application/problem+json', '"code":"SERVICE_UNAVAILABLE"'],
    ['who wants a token', '/oauth/token', { method: 'POST' }, 'application/json', '"error":"temporarily_unavailable"'],
    ['a tRPC client', '/trpc/shipments.list', {}, 'application/json', '"httpStatus":503'],
    ['a recipient', '/t/shard-1_0', {}, 'text/html; charset=utf-8', '<h1'],
  ])('tells %s to come again, in his own words', async (_who, path, init, mediaType, text) => {
    const response = await send(path, init);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toContain(text);
  });

  it('says to operators that it lives, and shows what it can without a database', async () => {
    expect((await send('/health')).status).toBe(200);
    expect((await send('/console')).status).toBe(200);
  });
});
