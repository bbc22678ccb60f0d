import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** An answer that a page has loaded. */
export interface LoadedFile {
  readonly url: string;
  /** Of its body: fonts and pictures as they are, everything else in gzip. */
  readonly bytes: number;
}

/** Keeps the sizes of everything that the page loads from now on. Call the result once the page has loaded. */
export function watchFiles(page: Page): () => Promise<LoadedFile[]> {
  const files: Promise<LoadedFile>[] = [];
  page.on('response', (response) => {
    const isPacked = ['font', 'image'].includes(response.request().resourceType());
    const sizeOf = (body: Buffer) => (isPacked ? body.length : gzipSync(body).length);
    files.push(response.body().then((body) => ({ url: response.url(), bytes: sizeOf(body) })));
  });
  return () => Promise.all(files);
}

/** Adds up the layout shifts of the page's next documents. The result answers the sum of the current one. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { moved } = globalThis as unknown as { moved: number };
        Object.assign(globalThis, { moved: moved + (entry as unknown as { value: number }).value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { moved: number }).moved);
}
