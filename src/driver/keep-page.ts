/** The cache of this build: the hash in the name of this file changes with every build that changes the page. The worker learns it here. */
const CACHE = `driver-page-${new URL(import.meta.url).pathname.split('/').at(-1)}`;

/**
 * Keeps the page and all of its parts in the browser, so that it starts without a connection. Where the browser cannot, the page works
 * as long as it is open.
 */
export async function keepPage(): Promise<void> {
  try {
    if (!('serviceWorker' in navigator)) return;
    // Also the parts that this driver has not opened yet.
    await Promise.all([
      import('./offers.tsx'),
      import('./trouble.tsx'),
      import('./proof.tsx'),
      import('./again.tsx'),
      import('./stuck.tsx'),
      import('./scan.tsx'),
    ]);
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    const ours = files.filter((name) => name.startsWith(`${location.origin}/assets/`));
    const cache = await caches.open(CACHE);
    await cache.addAll(['/driver', '/driver?lang=ar', '/driver?lang=en', ...new Set(ours)]);
    // The worker of a new build deletes the cache of the old one, so it comes only when its own is full.
    await navigator.serviceWorker.register(`/driver-worker.js?cache=${CACHE}`, { scope: '/driver' });
  } catch {
    // Without room or without a connection there is another chance at the next start.
  }
}
