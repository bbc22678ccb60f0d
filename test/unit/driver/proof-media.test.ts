import { afterEach, expect, test, vi } from 'vitest';
import type { KeptMedia } from '../../../src/driver/proof-media.ts';

/* Pictures of a parcel, without a database: they live as long as the page. */

vi.stubGlobal('document', { documentElement: { lang: 'en' } });
const { forgetMedia, keepMedia, mediaOf, withProof } = await import('../../../src/driver/proof-media.ts');

const SESSION = { driverToken: 'token', driverId: 'sami', firstName: 'Sami' };
const DELIVER = { actionId: 'a', action: 'DELIVER', shipmentId: 'one' } as const;
const NOW_MS = Date.UTC(2026, 0, 1);
const picture = (keptMs: number): KeptMedia => ({
  ...{ driverId: 'sami', shipmentId: 'one', purpose: 'DELIVERY_PHOTO', keptMs, content: new Blob(['x']) },
});

/** The service, which answers when the test says so. */
function slowService() {
  vi.useFakeTimers({ now: NOW_MS });
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  return answers;
}

afterEach(async () => {
  await forgetMedia(() => true);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a try waits ten seconds for a picture, and the next one waits for the same upload', async () => {
  const answers = slowService();
  await keepMedia(picture(NOW_MS));
  const first = withProof(DELIVER, SESSION);
  first.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(first).rejects.toThrow('no problem body');
  const second = withProof(DELIVER, SESSION);
  await vi.advanceTimersByTimeAsync(5000);
  expect(answers).toHaveLength(1);
  answers[0]?.(Response.json({ mediaAssetId: 'asset' }));
  expect(await second).toEqual({ proof: { mediaAssetIds: ['asset'] } });
  expect(await withProof(DELIVER, SESSION)).toEqual({ proof: { mediaAssetIds: ['asset'] } });
  expect(answers).toHaveLength(1);
});

test('an upload that ends late brings back no picture that was replaced or deleted', async () => {
  const answers = slowService();
  await keepMedia(picture(NOW_MS));
  const late = withProof(DELIVER, SESSION);
  late.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(late).rejects.toThrow('no problem body');
  await keepMedia(picture(NOW_MS + 1));
  answers[0]?.(Response.json({ mediaAssetId: 'old' }));
  await vi.advanceTimersByTimeAsync(0);
  expect(await mediaOf('sami', 'one')).toEqual([picture(NOW_MS + 1)]);
});

test('a picture goes after a day', async () => {
  vi.useFakeTimers({ now: NOW_MS });
  await keepMedia(picture(NOW_MS));
  vi.setSystemTime(NOW_MS + 23 * 3_600_000);
  await forgetMedia(() => false);
  expect(await mediaOf('sami', 'one')).toHaveLength(1);
  vi.setSystemTime(NOW_MS + 25 * 3_600_000);
  await forgetMedia(() => false);
  expect(await mediaOf('sami', 'one')).toEqual([]);
});
