import { afterEach, expect, test, vi } from 'vitest';
import { openArchive } from '../../../../src/ui/map/map-archive.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that takes a request and never answers. */
function stalledFetch(_address: string, { signal }: RequestInit): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<Response>();
  signal?.addEventListener('abort', () => reject(signal.reason));
  return promise;
}

test('an archive that does not answer counts as away after 15 seconds', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', stalledFetch);
  let outcome = 'loading';
  const opened = openArchive('https://tiles.test/riyadh.pmtiles').catch((error: unknown) => {
    outcome = error instanceof DOMException ? error.name : 'another error';
  });
  await vi.advanceTimersByTimeAsync(14_000);
  expect(outcome).toBe('loading');
  await vi.advanceTimersByTimeAsync(2_000);
  await opened;
  expect(outcome).toBe('TimeoutError');
});
