import { afterAll, expect, test, vi } from 'vitest';

/* The order in which the page fills its cache and brings its worker, which deletes the cache of the build before. */

const done: string[] = [];
let isOnline = false;
vi.stubGlobal('navigator', {
  serviceWorker: { register: (url: string) => Promise.resolve(done.push(url.slice(0, url.indexOf('?')))) },
});
vi.stubGlobal('location', { origin: 'https://mirsal.example' });
vi.stubGlobal('caches', {
  open: () => ({
    addAll: ([page]: readonly string[]) =>
      isOnline ? Promise.resolve(done.push(`kept ${page}`)) : Promise.reject(new TypeError('offline')),
  }),
});
// The rare parts of the page need a document.
for (const part of ['offers', 'trouble', 'proof', 'again', 'stuck', 'scan'])
  vi.doMock(`../../../src/driver/${part}.tsx`, () => ({}));
afterAll(() => vi.unstubAllGlobals());
const { keepPage } = await import('../../../src/driver/keep-page.ts');

test('a new worker comes only when the page of its build is kept', async () => {
  await keepPage();
  expect(done).toEqual([]);
  isOnline = true;
  await keepPage();
  expect(done).toEqual(['kept /driver', '/driver-worker.js']);
});
