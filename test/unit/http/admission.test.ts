import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { RequestFacts } from '../../../routers/context.ts';
import { TokenCache } from '../../../src/access/authenticate.ts';
import { handle } from '../../../src/app.ts';
import { admit } from '../../../src/http/admission.ts';
import { noMetrics } from '../../../src/providers/no-metrics.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';
import { BURST_MAX } from '../../support/open-limiter.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

type Asking = Partial<{ authorization: string; token: string }>;

/** A process with as many requests inside, and what it is asked. */
function openProcess(inside: number, shards: readonly string[] = []) {
  const clock = { nowMs: 0 };
  const tokenCache = new TokenCache(new SystemClock());
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => clock.nowMs,
    shards: new Map(shards.map((shard) => [shard, {}])),
    tokenCache,
    random: systemRandom,
    readAsset: () => Promise.resolve(new TextEncoder().encode('{"entries":{},"names":[]}')),
  } as unknown as Services;
  const enter = ({ authorization, token }: Asking = {}) => {
    const facts = { authorization: authorization ?? null } as RequestFacts;
    const parameters: Record<string, string> = token === undefined ? {} : { token };
    return admit(new Request('https://mirsal.example/'), { services, facts, parameters });
  };
  const send = (path: string, init?: RequestInit) => {
    const request = new Request(`https://mirsal.example${path}`, init);
    const told = vi.fn<(response: Response) => void>();
    void handle(request, services, { address: undefined, later: () => undefined }).then(told);
    return told;
  };
  const permits = Array.from({ length: inside }, () => enter());
  return { clock, tokenCache, permits, enter, send };
}

/** What was answered a second from now, and no sooner. */
async function heldAnswer(told: ReturnType<ReturnType<typeof openProcess>['send']>): Promise<Response> {
  await vi.advanceTimersByTimeAsync(999);
  expect(told).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  const [response] = told.mock.calls[0] ?? [];
  if (response === undefined) throw new Error('Nothing was answered');
  return response;
}

describe('a process that is full', () => {
  const { send } = openProcess(BURST_MAX);

  it.each([
    ['a merchant', '/v2/external/shipments', {}, 'application/problem+json', '"code":"SERVICE_UNAVAILABLE"'],
    ['who wants a token', '/oauth/token', { method: 'POST' }, 'application/json', '"error":"temporarily_unavailable"'],
    ['a tRPC client', '/trpc/shipments.list', {}, 'application/json', '"httpStatus":503'],
    ['a recipient', '/t/shard-1_0', {}, 'text/html; charset=utf-8', '<h1'],
  ])('tells %s to come again, in his own words and after a second', async (_who, path, init, mediaType, text) => {
    const response = await heldAnswer(send(path, init));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toContain(text);
  });

  it('says to operators that it lives, and shows what it can without a database', async () => {
    const answers = [send('/health'), send('/console')];
    await vi.advanceTimersByTimeAsync(0);
    expect(answers.map(({ mock }) => mock.calls[0]?.[0].status)).toEqual([200, 200]);
  });
});

test('who finds it full when his form has come is told so, a second later and with no place taken meanwhile', async () => {
  const { send, enter, permits } = openProcess(BURST_MAX - 1);
  const { readable, writable } = new TransformStream<Uint8Array>();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const told = send('/oauth/token', { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit);
  await vi.advanceTimersByTimeAsync(0);
  expect([enter(), enter()]).toEqual([expect.anything(), undefined]);
  await writable.close();
  const answered = heldAnswer(told);
  permits[0]?.release();
  expect([enter(), enter()]).toEqual([expect.anything(), undefined]);
  const response = await answered;
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ error: 'temporarily_unavailable' }),
  ]);
});

test('timers of refusals that ring late make the crowd smaller', async () => {
  const { clock, send, enter, permits } = openProcess(200);
  clock.nowMs = 2001;
  const answered = heldAnswer(send('/v2/external/shipments'));
  clock.nowMs += 1151;
  expect((await answered).status).toBe(503);
  for (const permit of permits) permit?.release();
  let admitted = 0;
  while (enter() !== undefined) admitted += 1;
  expect(admitted).toBe(86);
});

test.each<[string, Asking]>([
  ['a tracking token', { token: `shard-1_${'0'.repeat(32)}` }],
  ['a driver’s token', { authorization: `Bearer drv_shard-1_${'a'.repeat(43)}` }],
  ['the token of a client that was seen before', { authorization: 'Bearer of.a.client' }],
])('%s is refused where its shard has its share, and no other', (_what, asking) => {
  const { tokenCache, enter } = openProcess(0, ['shard-1', 'shard-2']);
  const principal = { kind: 'company', shard: 'shard-1', clientId: 'client' };
  const expiresAt = Date.now() / 1000 + 60;
  tokenCache.set('of.a.client', { principal, expiresAt } as never);
  for (let count = 0; count < 288; count += 1) enter(asking)?.enterShard('shard-1');
  expect(enter(asking)).toBeUndefined();
  expect(enter({ token: `shard-2_${'0'.repeat(32)}` })).toBeDefined();
  expect(enter()).toBeDefined();
});
