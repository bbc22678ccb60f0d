import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RequestFacts } from '../../../routers/context.ts';
import { TokenCache } from '../../../src/access/authenticate.ts';
import { handle } from '../../../src/app.ts';
import { admit } from '../../../src/http/admission.ts';
import { noMetrics } from '../../../src/runtime/adapters/metrics/none.ts';
import { SystemClock, systemRandom } from '../../../src/runtime/adapters/system.ts';
import type { Services } from '../../../src/runtime/services.ts';
import { BURST_MAX } from '../../support/open-limiter.ts';

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
  const send = (path: string, init?: RequestInit) =>
    handle(new Request(`https://mirsal.example${path}`, init), services, {
      address: undefined,
      later: () => undefined,
    });
  beforeAll(() => {
    const facts = { authorization: null } as RequestFacts;
    for (let count = 0; count < BURST_MAX; count += 1)
      admit(new Request('https://mirsal.example/'), { services, facts, parameters: {} });
    vi.useFakeTimers();
  });
  afterAll(() => vi.useRealTimers());

  it.each([
    ['a merchant', '/v2/external/shipments', {}, 'application/problem+json', '"code":"SERVICE_UNAVAILABLE"'],
    ['who wants a token', '/oauth/token', { method: 'POST' }, 'application/json', '"error":"temporarily_unavailable"'],
    ['a tRPC client', '/trpc/shipments.list', {}, 'application/json', '"httpStatus":503'],
    ['a recipient', '/t/shard-1_0', {}, 'text/html; charset=utf-8', '<h1'],
  ])('tells %s to come again, in his own words', async (_who, path, init, mediaType, text) => {
    const told = vi.fn<(response: Response) => void>();
    const answered = send(path, init).then(told);
    await vi.advanceTimersByTimeAsync(999);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await answered;
    const response = told.mock.calls[0]?.[0] ?? new Response();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toContain(text);
  });

  it('says to operators that it lives, and shows what it can without a database', async () => {
    expect((await send('/health')).status).toBe(200);
    expect((await send('/console')).status).toBe(200);
  });
});
