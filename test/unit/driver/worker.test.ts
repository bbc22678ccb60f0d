import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/* The service worker, with the caches and the network of a browser. */

const PAGE = 'https://mirsal.example/driver?lang=ar';
const FILE = 'https://mirsal.example/assets/work-1.js';
const stored = new Map<string, string>();
const deleted: string[] = [];
let isRefused = false;
let network: (signal: AbortSignal | undefined) => Promise<Response> = () => Promise.reject(new TypeError('offline'));
const refusal = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));

type Listener = (event: object) => void;
const listeners = new Map<string, Listener>();
vi.stubGlobal('self', {
  location: { href: 'https://mirsal.example/driver-worker.js?cache=driver-page-2', origin: 'https://mirsal.example' },
  clients: { claim: () => Promise.resolve() },
  skipWaiting: () => Promise.resolve(),
  addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
});
vi.stubGlobal('caches', {
  keys: () => (isRefused ? refusal() : Promise.resolve(['driver-page-1', 'driver-page-2'])),
  delete: (name: string) => Promise.resolve(deleted.push(name) > 0),
  open: () => Promise.resolve({ put: async (url: string, answer: Response) => put(url, await answer.text()) }),
  match: (url: string) => {
    const text = stored.get(url);
    return isRefused ? refusal() : Promise.resolve(text === undefined ? undefined : new Response(text));
  },
});
vi.stubGlobal('fetch', (_: unknown, { signal }: { signal?: AbortSignal } = {}) => network(signal));
afterAll(() => vi.unstubAllGlobals());
await import('../../../src/driver/worker.ts');

function put(url: string, text: string): Promise<void> {
  if (isRefused) return refusal();
  stored.set(url, text);
  return Promise.resolve();
}

beforeEach(() => {
  stored.clear();
  isRefused = false;
});

/** Sends an event and returns the text of its answer, once all of its work has ended. */
async function send(type: string, url = '', mode = 'navigate'): Promise<string | undefined> {
  const works: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  listeners.get(type)?.({
    request: { method: 'GET', url, mode },
    waitUntil: (work: Promise<unknown>) => works.push(work),
    respondWith: (given: Promise<Response>) => (answer = given),
  });
  const text = await (await answer)?.text();
  await Promise.all(works);
  return text;
}

test('keeps a file, and answers it from the cache', async () => {
  network = () => Promise.resolve(new Response('script'));
  expect(await send('fetch', FILE, 'no-cors')).toBe('script');
  network = () => Promise.reject(new TypeError('offline'));
  expect(await send('fetch', FILE, 'no-cors')).toBe('script');
});

test('passes the network’s answer on when the cache is full or refused', async () => {
  isRefused = true;
  network = () => Promise.resolve(new Response('script'));
  expect(await send('fetch', FILE, 'no-cors')).toBe('script');
  expect(await send('fetch', PAGE)).toBe('script');
  network = () => Promise.reject(new TypeError('offline'));
  await expect(send('fetch', PAGE)).rejects.toThrow('offline');
  await send('activate');
});

test('shows the kept page in place of a broken service, and its answer when no page is kept', async () => {
  network = () => Promise.resolve(new Response('bad gateway', { status: 502 }));
  expect(await send('fetch', PAGE)).toBe('bad gateway');
  stored.set(PAGE, 'kept page');
  expect(await send('fetch', PAGE)).toBe('kept page');
  network = () => Promise.resolve(new Response('not found', { status: 404 }));
  expect(await send('fetch', PAGE)).toBe('not found');
});

test('waits four seconds for the beginning of an answer, and longer for the rest', async () => {
  vi.useFakeTimers();
  // Fake timers do not reach this one.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const patience = new AbortController();
    setTimeout(() => patience.abort(), ms);
    return patience.signal;
  });
  stored.set(PAGE, 'kept page');
  network = (signal) =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            signal?.addEventListener('abort', () => controller.error(signal.reason));
            setTimeout(() => {
              controller.enqueue(new TextEncoder().encode('slow page'));
              controller.close();
            }, 9000);
          },
        }),
      ),
    );
  const slow = send('fetch', PAGE);
  await vi.advanceTimersByTimeAsync(9000);
  expect(await slow).toBe('slow page');
  network = (signal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const silent = send('fetch', PAGE);
  await vi.advanceTimersByTimeAsync(4000);
  expect(await silent).toBe('kept page');
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('deletes the caches of older builds', async () => {
  deleted.length = 0;
  await send('activate');
  expect(deleted).toEqual(['driver-page-1']);
});
