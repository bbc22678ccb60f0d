import { expect, test } from 'vitest';
import { answerFile } from '../../../../src/http/web/street-file.ts';
import type { FileVersion } from '../../../../src/ports/ranged-file.ts';
import type { StreetFile } from '../../../../src/ports/streets.ts';

const MIB = 1024 * 1024;
const SIZE = 3 * MIB + 5;

/** An archive of zeros whose reading can fail. */
function open() {
  const state = { nowMs: 0, isReadable: true };
  const file: StreetFile = {
    find: async (): Promise<FileVersion> => ({ size: SIZE, etag: '"one"' }),
    read: async (_file, { length }) => (state.isReadable ? new Uint8Array(length) : undefined),
  };
  const ask = (range?: string) => {
    const headers = range === undefined ? {} : { range };
    return answerFile(new Request('http://local/map', { headers }), file, () => state.nowMs);
  };
  return { state, ask };
}
const BUSY = { refusal: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 } };
/** Eight answers that nobody reads to their end. */
const begin = (ask: () => Promise<Response>) => Promise.all(Array.from({ length: 8 }, ask));

test('eight long answers are sent at once, and tiles beside them', async () => {
  const { ask } = open();
  const [one, other] = await begin(ask);
  await expect(ask()).rejects.toMatchObject(BUSY);
  await expect(ask('bytes=5-')).rejects.toMatchObject(BUSY);
  expect((await ask('bytes=0-126')).status).toBe(206);
  expect((await ask(`bytes=0-${MIB - 1}`)).status).toBe(206);
  expect((await one?.arrayBuffer())?.byteLength).toBe(SIZE);
  const next = await ask();
  await expect(ask()).rejects.toMatchObject(BUSY);
  await other?.body?.cancel();
  expect((await ask()).status).toBe(200);
  expect((await next.arrayBuffer()).byteLength).toBe(SIZE);
});

test('an answer that breaks off, or that takes ten minutes, leaves its place', async () => {
  const { ask, state } = open();
  const [one] = await begin(ask);
  state.isReadable = false;
  await expect(one?.arrayBuffer()).rejects.toThrow('broke off');
  await expect(ask()).rejects.toMatchObject(BUSY);
  state.isReadable = true;
  const [slow] = [await ask()];
  await expect(ask()).rejects.toMatchObject(BUSY);
  state.nowMs = 10 * 60_000;
  expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([200, 200]);
  await expect(slow.arrayBuffer()).rejects.toThrow('broke off');
});
