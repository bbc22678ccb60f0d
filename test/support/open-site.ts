import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { startBrowser } from '../../scripts/shared/browser.ts';
import type { OwnEnvironment } from '../../scripts/shared/environment.ts';
import type { Runtime } from '../../scripts/shared/service.ts';
import { startSite } from '../../scripts/shared/site.ts';

/** A site and a browser for all tests of a file that awaits this at its top. Both are closed afterwards. */
export async function openSite(
  runtime: Runtime,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly site: OwnEnvironment; readonly browser: Browser }> {
  const [site, browser] = await Promise.all([startSite(runtime, variables), startBrowser()]);
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });
  return { site, browser };
}
