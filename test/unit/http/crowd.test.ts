import { describe, expect, it, test } from 'vitest';
import { handle } from '../../../src/app.ts';
import { Crowd, enter } from '../../../src/http/crowd.ts';
import { noMetrics } from '../../../src/runtime/adapters/metrics/none.ts';
import { SystemClock, systemRandom } from '../../../src/runtime/adapters/system.ts';
import type { Services } from '../../../src/runtime/services.ts';

const REQUESTS_MAX = 384;

function openCrowd() {
  const crowd = new Crowd();
  const [first] = Array.from({ length: REQUESTS_MAX }, () => crowd.enter(0));
  if (first === undefined) throw new Error('Nobody was let in');
  return { first, isLetIn: (nowMs = 1) => crowd.enter(nowMs) !== undefined };
}

test('one more is refused until one has left', () => {
  const { first, isLetIn } = openCrowd();
  expect(isLetIn()).toBe(false);
  first.leave();
  expect([isLetIn(), isLetIn()]).toEqual([true, false]);
});

test('who waits for a body takes no place, and is not refused when it has come', () => {
  const { first, isLetIn } = openCrowd();
  first.stepOut();
  expect(isLetIn()).toBe(true);
  first.comeBack();
  expect(isLetIn()).toBe(false);
  first.leave();
  // One is still too many.
  expect(isLetIn()).toBe(false);
});

test('who has left does not come in by his body', () => {
  const { first, isLetIn } = openCrowd();
  first.stepOut();
  first.leave();
  first.comeBack();
  expect(isLetIn()).toBe(true);
});

describe('a crowd that lasts', () => {
  /** The first came at 0, and two hundred more after him. */
  function openLasting() {
    const crowd = new Crowd();
    const inside = Array.from({ length: 201 }, (_, at) => crowd.enter(at));
    return { crowd, inside };
  }

  test('is let in while it may be a burst', () => {
    expect(openLasting().crowd.enter(2000)).toBeDefined();
  });

  test('is too many when its first does not come to an end, until fewer are inside', () => {
    const { crowd, inside } = openLasting();
    expect(crowd.enter(2001)).toBeUndefined();
    for (const place of inside.slice(1, 75)) place?.leave();
    expect([crowd.enter(2001), crowd.enter(2001)]).toEqual([expect.anything(), undefined]);
  });

  test('is a burst again when the first has left', () => {
    const { crowd, inside } = openLasting();
    inside[0]?.leave();
    expect(crowd.enter(2001)).toBeDefined();
    expect(crowd.enter(2002)).toBeUndefined();
  });
});

describe('what one shard may have of the places', () => {
  const enterShard = (crowd: Crowd, shard: string, nowMs: number) => crowd.enter(nowMs)?.goTo(shard, nowMs);

  test('is three quarters, however many come', () => {
    const crowd = new Crowd();
    const taken = Array.from({ length: REQUESTS_MAX }, () => enterShard(crowd, 'shard-1', 0));
    expect(taken.filter((isIn) => isIn)).toHaveLength(0.75 * REQUESTS_MAX);
    expect(taken.at(-1)).toBe(false);
  });

  test('leaves room in the others while it hangs', () => {
    const crowd = new Crowd();
    // As many as are let in within the time in which they may be a burst, and then no more.
    for (let at = 0; at < 96; at += 1) expect(enterShard(crowd, 'shard-1', at)).toBe(true);
    expect(enterShard(crowd, 'shard-2', 2001)).toBe(true);
    const place = crowd.enter(2001);
    expect(place?.goTo('shard-1', 2001)).toBe(false);
    place?.leave();
    expect(enterShard(crowd, 'shard-2', 2001)).toBe(true);
  });

  test('is free again when those in it have left, and each counts once', () => {
    const crowd = new Crowd();
    const places = Array.from({ length: 288 }, () => crowd.enter(0));
    for (const place of places) expect([place?.goTo('shard-1', 0), place?.goTo('shard-1', 0)]).toEqual([true, true]);
    expect(enterShard(crowd, 'shard-1', 0)).toBe(false);
    places[0]?.leave();
    places[0]?.leave();
    expect([enterShard(crowd, 'shard-1', 0), enterShard(crowd, 'shard-1', 0)]).toEqual([true, false]);
  });
});

test('a place that was never given back is free again when no request can last so long', () => {
  const { isLetIn } = openCrowd();
  expect(isLetIn(29_999)).toBe(false);
  expect(isLetIn(30_000)).toBe(true);
});

describe('a process that is full', () => {
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => 0,
    random: systemRandom,
    readAsset: () => Promise.resolve(new TextEncoder().encode('{"entries":{},"names":[]}')),
  } as unknown as Services;
  for (let count = 0; count < REQUESTS_MAX; count += 1) enter(new Request('https://mirsal.example/'), services);
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

  it('says to operators that it lives', async () => {
    expect((await send('/health')).status).toBe(200);
  });
});
