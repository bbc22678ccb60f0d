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
