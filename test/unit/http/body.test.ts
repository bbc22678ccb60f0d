import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RequestFacts } from '../../../routers/context.ts';
import { TokenCache } from '../../../src/access/authenticate.ts';
import { admit } from '../../../src/http/admission.ts';
import { readBytes } from '../../../src/http/body.ts';
import { SystemClock } from '../../../src/providers/system.ts';
import type { Services } from '../../../src/service/services.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** How a body that never comes to its end is refused, in a process with so many requests inside for three seconds. */
async function refusalOfLate(inside: number): Promise<unknown> {
  const clock = { nowMs: 0 };
  const services = {
    clock: new SystemClock(),
    monotonicMs: () => clock.nowMs,
    shards: new Map(),
    tokenCache: new TokenCache(new SystemClock()),
  } as unknown as Services;
  const facts = { authorization: null } as RequestFacts;
  const enter = (request: Request) => admit(request, { services, facts, parameters: {} });
  for (let count = 0; count < inside; count += 1) enter(new Request('https://mirsal.example/'));
  const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
  const late = new Request('https://mirsal.example/', init);
  enter(late);
  const refusal = readBytes(late, 100).catch((error: unknown) => error);
  clock.nowMs = 3000;
  await vi.advanceTimersByTimeAsync(15_000);
  return await refusal;
}

test('a body that is late is its sender’s fault', async () => {
  expect(await refusalOfLate(16)).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test('a body that is late where too many are inside may have been there all the time', async () => {
  expect(await refusalOfLate(17)).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 } });
});
