import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Problem } from '../../../src/core/problem.ts';
import { Admission } from '../../../src/http/admission.ts';
import { readBytes } from '../../../src/http/body.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** The refusal of an endless body in a process that gets this many other requests after this time. */
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

test('a late body is the client’s fault in an idle process', async () => {
  expect(await refusalOfLate(0)).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test('a late body is the client’s fault in a burst that leaves places free', async () => {
  expect(await refusalOfLate(382)).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test.each([
  ['full', 384, 14_000],
  ['overloaded', 96, 12_000],
])('a late body is 503 in a process that is %s, because it may have arrived in time', async (_, others, afterMs) => {
  const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };
  expect(await refusalOfLate(others, afterMs)).toMatchObject({ refusal });
});

test('bodies share 64 MiB: the next one is 503 until another request has ended', async () => {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const open = () => {
    const permit = admission.enter();
    const chunk = new Uint8Array(255 * 1024);
    // Sends 255 KiB and never ends.
    const body = new ReadableStream({ start: (controller) => controller.enqueue(chunk) });
    const request = new Request('https://mirsal.example/', { method: 'POST', body, ...{ duplex: 'half' } });
    const state = { permit, outcome: 'reading' };
    readBytes({ request, permit }, 256 * 1024).catch((error: unknown) => {
      state.outcome = error instanceof Problem ? error.refusal.code : String(error);
    });
    return state;
  };
  const sent = Array.from({ length: 400 }, open);
  await vi.advanceTimersByTimeAsync(0);
  const reading = sent.filter(({ outcome }) => outcome === 'reading');
  expect(reading).toHaveLength(Math.floor((64 * 1024) / 255));
  expect(sent.filter(({ outcome }) => outcome === 'SERVICE_UNAVAILABLE')).toHaveLength(400 - reading.length);
  expect(sent.filter(({ permit }) => permit.isRefused)).toHaveLength(400 - reading.length);
  reading[0]?.permit.release();
  const [next, last] = [open(), open()];
  await vi.advanceTimersByTimeAsync(0);
  expect([next.outcome, last.outcome]).toEqual(['reading', 'SERVICE_UNAVAILABLE']);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(reading.map(({ outcome }) => outcome).filter((outcome) => outcome === 'reading')).toEqual([]);
  for (const { permit } of [...sent, next, last]) permit.release();
});

/** Sends a body of this size, and says what became of it. */
async function openLarge(admission: Admission, mebibytes: number, companyId?: string) {
  const permit = admission.enter();
  if (companyId !== undefined) permit.enterCompany(companyId);
  const init = { method: 'POST', body: new Uint8Array(mebibytes * 1024 * 1024) };
  const request = new Request('https://mirsal.example/', init);
  const read = readBytes({ request, permit }, 4 * 1024 * 1024);
  const outcome = await read.then(
    () => 'read',
    (error: unknown) => (error instanceof Problem ? error.refusal.code : String(error)),
  );
  return { permit, outcome };
}

test('two bodies of more than 1 MiB are in memory at once, until their requests wait for something else', async () => {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const open = (mebibytes: number) => openLarge(admission, mebibytes);
  const first = await open(4);
  const second = await open(1.5);
  const others = [await open(1), await open(2)];
  expect([first, second, ...others].map(({ outcome }) => outcome)).toEqual([
    'read',
    'read',
    'read',
    'SERVICE_UNAVAILABLE',
  ]);
  const waiting = Promise.withResolvers<void>();
  const waited = first.permit.outside(() => waiting.promise);
  expect((await open(4)).outcome).toBe('read');
  expect((await open(2)).outcome).toBe('SERVICE_UNAVAILABLE');
  second.permit.release();
  expect((await open(2)).outcome).toBe('read');
  waiting.resolve();
  await waited;
});

test('a company has at most one large body in memory', async () => {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const open = async (companyId: string, mebibytes = 2) => openLarge(admission, mebibytes, companyId);
  const first = await open('one');
  expect([first.outcome, (await open('one')).outcome]).toEqual(['read', 'SERVICE_UNAVAILABLE']);
  expect((await open('one', 1)).outcome).toBe('read');
  expect((await open('two')).outcome).toBe('read');
  first.permit.release();
  expect((await open('two')).outcome).toBe('SERVICE_UNAVAILABLE');
  expect((await open('one')).outcome).toBe('read');
});

test('a short body is late in the same time, and its stated length counts before it arrives', async () => {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const length = 4 * 1024;
  const open = () => {
    const permit = admission.enter();
    const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
    const request = new Request('https://mirsal.example/', { ...init, headers: { 'content-length': String(length) } });
    const refusal = readBytes({ request, permit }, length).catch((error: unknown) => error);
    return { permit, refusal };
  };
  const sent = Array.from({ length: (64 * 1024 * 1024) / length }, open);
  const last = open();
  expect(await last.refusal).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE' } });
  for (const { permit } of sent.slice(1)) permit.release();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await sent[0]?.refusal).toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
});

test('a short body is read as sent, and one that breaks off is refused', async () => {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const readShort = (body: BodyInit) => {
    const init = { method: 'POST', body, headers: { 'content-length': '2' }, duplex: 'half' };
    const request = new Request('https://mirsal.example/', init);
    return readBytes({ request, permit: admission.enter() }, 100);
  };
  expect(new TextDecoder().decode(await readShort('{}'))).toBe('{}');
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
  await expect(readShort(broken)).rejects.toMatchObject({ refusal: { code: 'MALFORMED_JSON' } });
  await expect(readShort('{"longer":1}')).rejects.toMatchObject({ refusal: { code: 'PAYLOAD_TOO_LARGE' } });
});
