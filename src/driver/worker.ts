/*
 * The service worker of the drivers' page. It only lets the page start without a connection: calls of the service are never answered from
 * here, and what a driver does waits in the page, because phones have no background sync to rely on.
 */

export {};

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** What this file uses of a service worker, whose types exclude those of pages. */
interface WorkerScope {
  readonly location: { readonly href: string; readonly origin: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}
declare const self: WorkerScope;

/** The page names the cache after its build, so a new build has a new worker and a new cache. */
const CACHE = new URL(self.location.href).searchParams.get('cache') ?? '';
/** The page waits for the beginning of the service's answer this long before the kept one is shown. */
const PATIENCE_MS = 4000;

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener('activate', (event) => event.waitUntil(start()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && pathname === '/driver') event.respondWith(freshPage(request));
  // Their names have a hash of their content.
  else if (pathname.startsWith('/assets/')) event.respondWith(keptFile(event));
});

async function start(): Promise<void> {
  await forgetOld().catch(() => undefined);
  await self.clients.claim();
}

/** Only this worker and its page use the caches of this origin. */
async function forgetOld(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** A broken service or its proxy answers too. The kept page is better than such an answer, because the work goes on without the service. */
const BROKEN_FROM = 500;

async function freshPage(request: Request): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(request.url, { signal: patience.signal, redirect: 'manual' });
    return answer.status < BROKEN_FROM ? answer : ((await keptPage(request)) ?? answer);
  } catch (error) {
    const kept = await keptPage(request);
    if (kept === undefined) throw error;
    return kept;
  } finally {
    // The service has answered. A slow connection may take longer for the rest.
    clearTimeout(timer);
  }
}

async function keptPage({ url }: Request): Promise<Response | undefined> {
  return (await kept(url)) ?? kept(url, { ignoreSearch: true });
}

/** The cache may be full, refused or broken. Everything but the start without a connection works then too. */
function kept(url: string, options?: CacheQueryOptions): Promise<Response | undefined> {
  return caches.match(url, { ignoreVary: true, ...options }).catch(() => undefined);
}

async function keptFile(event: Fetching): Promise<Response> {
  const { request } = event;
  const found = await kept(request.url);
  if (found !== undefined) return found;
  const answer = await fetch(request);
  if (answer.ok) event.waitUntil(keep(request.url, answer.clone()).catch(() => undefined));
  return answer;
}

async function keep(url: string, answer: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(url, answer);
}
