import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Admission } from '../../../src/http/admission.ts';
import { readBytes } from '../../../src/http/body.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** The refusal of a body that never ends, in a process that gets so many other requests after so long. */
async function refusalOfLate(others: number, afterMs = 14_000): Promise<unknown> {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const permit = admission.enter();
  const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
  const request = new Request('https://mirsal.example/', init);
  const refusal = readBytes({ request, permit }, 100).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(afterMs);
  for (let count = 0; count < others; count += 1) admission.enter();
  await vi.advanceTimersByTimeAsync(16_000 - afterMs);
  return await refusal;
}

test('a late body is its sender’s fault', async () => {
  expect(await refusalOfLate(0)).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test('a late body in a burst that leaves places is its sender’s fault', async () => {
  expect(await refusalOfLate(382)).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test.each([
  ['full', 384, 14_000],
  ['overloaded', 96, 12_000],
])(
  'a late body in a process that is %s is refused, because it may have arrived in time',
  async (_, others, afterMs) => {
    const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
    expect(await refusalOfLate(others, afterMs)).toMatchObject({ refusal });
  },
);
