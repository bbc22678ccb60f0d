import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Problem } from '../../../src/core/problem.ts';
import { Admission } from '../../../src/http/admission.ts';
import { readBytes, readDocument } from '../../../src/http/body.ts';

beforeAll(() => {
  vi.useFakeTimers();
});
afterAll(() => {
  vi.useRealTimers();
});

/** The refusal of an endless body in a process that gets this many other requests after this time. */
async function refusalOfLate(others: number, afterMs = 9_000): Promise<unknown> {
  const admission = new Admission({ monotonicMs: () => performance.now(), shards: 1 });
  const permit = admission.enter();
  const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
  const request = new Request('https://mirsal.example/', init);
  const refusal = readBytes({ request, permit }, 100).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(afterMs);
  for (let count = 0; count < others; count += 1) admission.enter();
  await vi.advanceTimersByTimeAsync(11_000 - afterMs);
  return await refusal;
}

test('a late body is the client’s fault in an idle process', async () => {
  expect(await refusalOfLate(0)).toMatchObject({ refusal: { code: 'REQUEST_TIMEOUT' } });
});

test('a late body is the client’s fault in a burst that leaves places free', async () => {
  expect(await refusalOfLate(382)).toMatchObject({ refusal: { code: 'REQUEST_TIMEOUT' } });
});

test.each([
  ['full', 384, 9_000],
  ['overloaded', 96, 7_000],
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
  await vi.advanceTimersByTimeAsync(20_000);
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
  const length = 4000;
  const open = () => {
    const permit = admission.enter();
    const init = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
    const request = new Request('https://mirsal.example/', { ...init, headers: { 'content-length': String(length) } });
    const refusal = readBytes({ request, permit }, length).catch((error: unknown) => error);
    return { permit, refusal };
  };
  const sent = Array.from({ length: Math.floor((64 * 1024 * 1024) / length) }, open);
  const last = open();
  expect(await last.refusal).toMatchObject({ refusal: { code: 'SERVICE_UNAVAILABLE' } });
  for (const { permit } of sent.slice(1)) permit.release();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await sent[0]?.refusal).toMatchObject({ refusal: { code: 'REQUEST_TIMEOUT' } });
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

/** A body whose parts arrive at these times in seconds. It ends with the last part, unless it is `endless`. */
function openSlow(
  parts: readonly (readonly [atSeconds: number, bytes: number])[],
  {
    headers = {},
    endless = false,
    bytesMax = 2 * 1024 * 1024,
    admission = newAdmission(),
    companyId = undefined as string | undefined,
  } = {},
) {
  const permit = admission.enter();
  permit.companyId = companyId;
  const timers: NodeJS.Timeout[] = [];
  const body = new ReadableStream({
    start(controller) {
      for (const [at, bytes] of parts)
        timers.push(setTimeout(() => controller.enqueue(new Uint8Array(bytes)), at * 1000));
      if (!endless) timers.push(setTimeout(() => controller.close(), (parts.at(-1)?.[0] ?? 0) * 1000));
    },
    cancel: () => timers.forEach(clearTimeout),
  });
  const request = new Request('https://mirsal.example/', { method: 'POST', body, headers, ...{ duplex: 'half' } });
  const state = { permit, outcome: 'reading', headers: {} as unknown };
  readDocument({ request, permit }, bytesMax).then(
    ({ byteLength }) => {
      state.outcome = `read ${byteLength}`;
    },
    (error: unknown) => {
      state.outcome = error instanceof Problem ? error.refusal.code : String(error);
      state.headers = error instanceof Problem ? error.headers : {};
    },
  );
  return state;
}
const newAdmission = () => new Admission({ monotonicMs: () => performance.now(), shards: 1 });
const secondsOf = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each([
  ['a creation whose last bytes come one a second', [[0, 1200], ...secondsOf(9).map((at) => [at + 0.5, 1])]],
  ['a picture at 50 kB a second', secondsOf(20).map((at) => [at, 50_000])],
  ['a batch in one minute', secondsOf(60).map((at) => [at, 16_000])],
  ['4 kB in each ten seconds', secondsOf(6).map((at) => [at * 10 + 9, 4000])],
  [
    'a short rest after a long part',
    [
      [9, 900_000],
      [19, 10],
    ],
  ],
] as const)('%s arrives', async (_, parts) => {
  const sent = openSlow(parts as [number, number][]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(sent.outcome).toBe(`read ${(parts as [number, number][]).reduce((sum, [, bytes]) => sum + bytes, 0)}`);
});

test.each([
  ['nothing', [], 10],
  ['one byte a second', secondsOf(60).map((at) => [at, 1]), 10],
  ['less than 4 kB in ten seconds', secondsOf(7).map((at) => [at * 10 + 9, 3999]), 10],
  ['a long part and then nothing', [[0, 900_000]], 20],
  ['enough in each ten seconds, but not the end within a minute', secondsOf(70).map((at) => [at, 1000]), 60],
] as const)('a body that brings %s is 408 without a word about its length', async (_, parts, atSeconds) => {
  const sent = openSlow(parts as [number, number][], { endless: true });
  await vi.advanceTimersByTimeAsync(atSeconds * 1000 - 1);
  expect(sent.outcome).toBe('reading');
  await vi.advanceTimersByTimeAsync(2);
  expect([sent.outcome, sent.headers]).toEqual(['REQUEST_TIMEOUT', { connection: 'close' }]);
});

test('a slow body loses its room after 15 s to one that needs it, and keeps it as long as nobody does', async () => {
  const admission = newAdmission();
  const slow = secondsOf(60).map((at) => [at, at === 0 ? 900_000 : 1000] as const);
  const sent = Array.from({ length: 70 }, () => openSlow(slow, { admission, bytesMax: 1024 * 1024 }));
  await vi.advanceTimersByTimeAsync(14_000);
  const early = openSlow([[0, 900_000]], { admission });
  await vi.advanceTimersByTimeAsync(0);
  expect([sent.every(({ outcome }) => outcome === 'reading'), early.outcome]).toEqual([true, 'read 900000']);
  const others = Array.from({ length: 8 }, () => openSlow([[0, 900_000]], { admission }));
  await vi.advanceTimersByTimeAsync(2000);
  expect(others.map(({ outcome }) => outcome)).toContain('SERVICE_UNAVAILABLE');
  const late = Array.from({ length: 8 }, () => openSlow([[0, 900_000]], { admission }));
  await vi.advanceTimersByTimeAsync(0);
  expect(late.map(({ outcome }) => outcome)).toEqual(late.map(() => 'read 900000'));
  const ended = sent.filter(({ outcome }) => outcome === 'SERVICE_UNAVAILABLE');
  expect(ended.length).toBeGreaterThan(0);
  expect(ended.length).toBeLessThan(12);
  expect(ended.every(({ permit }) => permit.isRefused)).toBe(true);
});

test('a large body that arrives slowly makes place for another company’s after 15 s', async () => {
  const admission = newAdmission();
  const slow = secondsOf(50).map((at) => [at, at === 0 ? 1_500_000 : 10_000] as const);
  const sent = [openSlow(slow, { admission }), openSlow(slow, { admission })];
  await vi.advanceTimersByTimeAsync(14_000);
  const early = openSlow([[0, 1_500_000]], { admission });
  await vi.advanceTimersByTimeAsync(2000);
  const late = openSlow([[0, 1_500_000]], { admission });
  await vi.advanceTimersByTimeAsync(0);
  expect([early.outcome, late.outcome]).toEqual(['SERVICE_UNAVAILABLE', 'read 1500000']);
  expect(sent.map(({ outcome }) => outcome)).toEqual(['SERVICE_UNAVAILABLE', 'reading']);
});

test('a company’s next large body takes the room of its own slow one, and of no other company’s', async () => {
  const admission = newAdmission();
  const slow = secondsOf(50).map((at) => [at, at === 0 ? 1_500_000 : 10_000] as const);
  const [other, own] = ['two', 'one'].map((companyId) => openSlow(slow, { admission, companyId }));
  await vi.advanceTimersByTimeAsync(16_000);
  const next = openSlow([[0, 1_500_000]], { admission, companyId: 'one' });
  await vi.advanceTimersByTimeAsync(0);
  expect([other?.outcome, own?.outcome, next.outcome]).toEqual(['reading', 'SERVICE_UNAVAILABLE', 'read 1500000']);
});

test('a body of a stated length that brings 4 kB in ten seconds has time for its rest', async () => {
  const parts = [
    [9, 4000],
    [12, 96],
  ] as const;
  const sent = openSlow(parts, { headers: { 'content-length': '4096' } });
  await vi.advanceTimersByTimeAsync(13_000);
  expect(sent.outcome).toBe('read 4096');
});
