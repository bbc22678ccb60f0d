import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow, startBrowser } from '../support/browser.ts';
import type { OwnEnvironment } from '../support/environment.ts';
import { startSite } from '../support/site.ts';

let site: OwnEnvironment;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite('worker'), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});

describe.each(['en', 'ar'] as const)('in %s', (locale) => {
  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    test.each([
      ['/', 1280],
      ['/', 320],
      ['/problems/rate-limited', 1280],
      ['/problems/rate-limited', 320],
    ])('%s at %d px has no barrier, no fault and nothing cut off', async (path, width) => {
      const window = await openWindow(browser, `${site.address}${path}?lang=${locale}`, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      expect(await findBarriers(window.page)).toEqual([]);
      expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(window.faults).toEqual([]);
      await window.close();
    });
  });
});
