import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenCache } from '../../../src/access/authenticate.ts';
import { handle } from '../../../src/app.ts';
import { loadParts } from '../../../src/core/part.ts';
import { Admission, admissionOf, knownShard, Permit } from '../../../src/http/admission.ts';
import { noMetrics, noStreets } from '../../../src/providers/absent.ts';
import { SystemClock, systemRandom } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';

// Loading a file takes real time, which fake timers do not wait for.
await loadParts();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The number of requests admitted in a burst. */
const PLACES = 384;
const PLACES_UNDER_OVERLOAD = 96;
const REFUSAL = { refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 } };

/** The admission of a process that has admitted this many requests. */
function openAdmission(count: number, { shards = 2, shard }: { shards?: number; shard?: string } = {}) {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards });
  const permits = Array.from({ length: count }, () => admission.enter(shard));
  const [first] = permits;
  if (first === undefined) throw new Error('Nothing was admitted');
  /** How many more requests are admitted until one is refused. */
  const more = (name?: string) => {
    let admitted = 0;
    while (!admission.enter(name).isRefused) admitted += 1;
    return admitted;
  };
  const admit = (some: number) => Array.from({ length: some }, () => admission.enter(shard));
  return { admission, admit, permits, first, more };
}

describe('a full process', () => {
  it('refuses the next request until one has ended', () => {
    const { permits, first, more } = openAdmission(PLACES);
    expect(permits.some(({ isRefused }) => isRefused)).toBe(false);
    expect(more()).toBe(0);
    first.release();
    first.release();
    expect(more()).toBe(1);
  });

  it('admits requests again after the runtime ended others without notice', async () => {
    const { more } = openAdmission(PLACES);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(more()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(more()).toBe(PLACES_UNDER_OVERLOAD);
  });

  it('holds up to 4,096 refusals for two seconds each', async () => {
    const { admission } = openAdmission(PLACES);
    const sent = vi.fn<() => void>();
    const refuse = () => admission.holdRefusal(admission.enter());
    for (let count = 0; count < 4096; count += 1) void refuse().then(sent);
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).not.toHaveBeenCalled();
    const oneMore = vi.fn<() => void>();
    void refuse().then(oneMore);
    await vi.advanceTimersByTimeAsync(0);
    expect([sent.mock.calls.length, oneMore.mock.calls.length]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(2);
    expect(sent).toHaveBeenCalledTimes(4096);
  });
});

describe('a process under overload', () => {
  it('admits fewer requests, and a full burst again five seconds after the last slow one has ended', async () => {
    const { admit, permits, more } = openAdmission(PLACES);
    await vi.advanceTimersByTimeAsync(2000);
    expect(more()).toBe(0);
    for (const permit of permits) permit.release();
    const admitted = admit(PLACES_UNDER_OVERLOAD);
    expect(more()).toBe(0);
    for (const permit of admitted) permit.release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(more()).toBe(PLACES);
  });

  it('is not detected from a few slow requests', async () => {
    const { more } = openAdmission(15);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(more()).toBe(PLACES - 15);
  });

  it('keeps places for other shards when a whole burst hangs in one', async () => {
    const { more } = openAdmission(288, { shard: 'shard-1' });
    await vi.advanceTimersByTimeAsync(2000);
    expect([more('shard-1'), more('shard-2')]).toEqual([0, 24]);
  });
});

describe('a request that waits for an external service', () => {
  it('gives its place to others, and continues even if no place is free', async () => {
    const { admission, first, more } = openAdmission(PLACES);
    const { promise, resolve } = Promise.withResolvers<string>();
    const outside = first.outside(() => promise);
    expect(more()).toBe(1);
    resolve('answered');
    expect(await outside).toBe('answered');
    expect(admission.held).toBe(PLACES + 1);
    first.release();
    expect(admission.held).toBe(PLACES);
  });

  it('takes no place again if it has been answered meanwhile', async () => {
    const { admission, first } = openAdmission(PLACES);
    const { promise, resolve } = Promise.withResolvers<void>();
    const outside = first.outside(() => promise);
    first.release();
    resolve();
    await outside;
    expect(admission.held).toBe(PLACES - 1);
  });
});

describe('a request that waits for its body', () => {
  it('gives its place to others, and continues when its body has arrived', async () => {
    const { admission, first, more } = openAdmission(PLACES);
    const { promise, resolve } = Promise.withResolvers<string>();
    const body = first.body(() => promise);
    expect(more()).toBe(1);
    resolve('text');
    expect(await body).toBe('text');
    expect(admission.held).toBe(PLACES + 1);
  });

  it('is refused if more than a burst is in progress by then', async () => {
    const { admission, permits, first, more } = openAdmission(PLACES);
    const { promise, resolve } = Promise.withResolvers<string>();
    const bodies = permits.map((permit) => permit.body(() => promise).catch((error: unknown) => error));
    expect(more()).toBe(PLACES);
    for (let count = 0; count < PLACES_UNDER_OVERLOAD; count += 1) admission.hold(new Permit(admission));
    resolve('text');
    expect(await bodies[0]).toMatchObject(REFUSAL);
    expect(first.isRefused).toBe(true);
  });
});

describe('one shard', () => {
  const isIn = (permit: Permit | undefined, shard: string) => {
    try {
      permit?.enterShard(shard);
      return permit !== undefined;
    } catch (error) {
      expect(error).toMatchObject(REFUSAL);
      return false;
    }
  };

  it('may use three quarters of the places, so that others are answered while it hangs', () => {
    const { more } = openAdmission(288, { shard: 'shard-1' });
    expect([more('shard-1'), more('shard-2')]).toEqual([0, 96]);
  });

  it('refuses an admitted request when it is full', () => {
    const { permits } = openAdmission(289);
    expect(permits.slice(0, 288).map((permit) => isIn(permit, 'shard-1'))).not.toContain(false);
    expect(permits[288]?.isRefused).toBe(false);
    expect([isIn(permits[288], 'shard-1'), permits[288]?.isRefused]).toEqual([false, true]);
    expect([isIn(permits[0], 'shard-1'), isIn(permits[288], 'shard-2')]).toEqual([true, true]);
  });

  it('may use all places if it is the only one', () => {
    const { permits } = openAdmission(PLACES, { shards: 1 });
    expect(permits.map((permit) => isIn(permit, 'shard-1'))).not.toContain(false);
  });

  it('counts a batch in every shard that it uses', () => {
    const { permits, more } = openAdmission(288);
    for (const permit of permits) for (const shard of ['shard-1', 'shard-2']) permit.enterShard(shard);
    expect([more('shard-1'), more('shard-2'), more()]).toEqual([0, 0, 96]);
  });

  it('has a free place when a request has ended, moved to another shard or waits for its body', () => {
    const { permits, first, more } = openAdmission(288, { shard: 'shard-1' });
    first.enterShard('shard-2', 'shard-1');
    expect(more('shard-1')).toBe(1);
    permits[1]?.release();
    expect(more('shard-1')).toBe(1);
    void permits[2]?.body(() => new Promise(() => undefined));
    expect(more('shard-1')).toBe(1);
  });

  it('counts a request again after its body has arrived', async () => {
    const { first, more } = openAdmission(288, { shard: 'shard-1' });
    await first.body(() => Promise.resolve());
    expect(more('shard-1')).toBe(0);
  });

  it.each([
    ['a tracking token', { token: `shard-1_${'0'.repeat(32)}` }, null],
    ['a driver’s token', {}, `Bearer drv_shard-1_${'a'.repeat(43)}`],
    ['the cached token of a client', {}, 'Bearer of.a.client'],
  ])('is known in advance from %s', (_what, parameters: Record<string, string>, authorization) => {
    const tokenCache = new TokenCache(new SystemClock());
    const principal = { kind: 'company', shard: 'shard-1', clientId: 'client' };
    tokenCache.set('of.a.client', { principal, expiresAt: Date.now() / 1000 + 60 } as never);
    expect(knownShard({ tokenCache }, { authorization }, parameters)).toBe('shard-1');
  });
});

/** A process without databases. */
function openProcess() {
  const services = {
    config: { baseUrl: 'https://mirsal.example', deployment: 'production' },
    clock: new SystemClock(),
    metrics: noMetrics,
    monotonicMs: () => performance.now(),
    shards: new Map(),
    streets: noStreets,
    tokenCache: new TokenCache(new SystemClock()),
    random: systemRandom,
    readAsset: () => Promise.resolve(new TextEncoder().encode('{"entries":{},"names":[]}')),
  } as unknown as Services;
  const send = (path: string, init?: RequestInit) => {
    const request = new Request(`https://mirsal.example${path}`, init);
    const answered = vi.fn<(response: Response) => void>();
    void handle(request, services, { address: undefined, later: () => undefined }).then(answered);
    return answered;
  };
  const fill = (count: number) => Array.from({ length: count }, () => admissionOf(services).enter());
  return { services, send, fill };
}

/** The response, which must take two seconds and not less. */
async function responseAfterWait(answered: ReturnType<ReturnType<typeof openProcess>['send']>): Promise<Response> {
  await vi.advanceTimersByTimeAsync(1999);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2);
  const [response] = answered.mock.calls[0] ?? [];
  if (response === undefined) throw new Error('Nothing was answered');
  return response;
}

describe('a process with no free place', () => {
  it.each([
    ['a merchant', '/v2/external/shipments', {}, 'application/problem+json', '"code":"SERVICE_UNAVAILABLE"'],
    ['an OAuth client', '/oauth/token', { method: 'POST' }, 'application/json', '"error":"temporarily_unavailable"'],
    ['a tRPC client', '/trpc/shipments.list', {}, 'application/json', '"httpStatus":503'],
    ['a recipient', '/t/shard-1_0', {}, 'text/html; charset=utf-8', '<h1'],
  ])('refuses %s after two seconds, in the format of the path', async (_who, path, init, mediaType, text) => {
    const { send, fill } = openProcess();
    fill(PLACES);
    const response = await responseAfterWait(send(path, init));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(await response.text()).toContain(text);
  });

  it('still answers health checks and pages that need no database', async () => {
    const { send, fill } = openProcess();
    fill(PLACES);
    const answers = [send('/health'), send('/console')];
    await vi.advanceTimersByTimeAsync(0);
    expect(answers.map(({ mock }) => mock.calls[0]?.[0].status)).toEqual([200, 200]);
  });

  it('refuses an OAuth form whose body arrives when too many requests are in progress', async () => {
    const { services, send, fill } = openProcess();
    const { readable, writable } = new TransformStream<Uint8Array>();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const init = { method: 'POST', headers, body: readable, duplex: 'half' };
    const answered = send('/oauth/token', init);
    await vi.advanceTimersByTimeAsync(0);
    const admission = admissionOf(services);
    for (const permit of [...fill(PLACES), ...Array.from({ length: PLACES }, () => new Permit(admission))])
      admission.hold(permit);
    await writable.close();
    const response = await responseAfterWait(answered);
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({ error: 'temporarily_unavailable' }),
    ]);
    expect(admission.held).toBe(2 * PLACES);
  });
});
