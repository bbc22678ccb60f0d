import type { Page } from 'playwright-core';

interface KeptUpload {
  /** Those that were not sent. */
  readonly rows: readonly unknown[];
  readonly sent?: { readonly batchIds: readonly string[] };
  readonly sheet: { readonly defaults: { readonly values: { readonly branchCode?: string } } };
}

/** The upload that the browser of a page keeps. */
export function keptUpload(page: Page): Promise<KeptUpload | undefined> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const opened = indexedDB.open('mirsal-kept');
        opened.onsuccess = () => {
          const all = opened.result.transaction('values').objectStore('values').getAll();
          all.onsuccess = () => {
            opened.result.close();
            const [kept] = all.result as { value: { draft: KeptUpload } }[];
            resolve(kept?.value.draft);
          };
        };
      }),
  );
}
