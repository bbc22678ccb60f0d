import { afterAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { CASES, type Case, type Journey, journeyTo } from '../../scripts/shared/journeys.ts';
import { SECRET } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';
import { startStreets } from '../support/street-archive.ts';

const streets = await startStreets();
afterAll(() => streets.stop());
const { site, browser } = await openSite('worker', streets.variables);

/** The legend contains the word "address", to say that the address is not shown. */
const SECRET_OF_PAGE = new RegExp(SECRET.source.replace(/\|recipient\|address/, ''), 'i');

/** The heading of each case in both languages, and whether it draws the route and the driver. */
const SHOWN: Readonly<Record<Case, readonly [en: string, ar: string, hasWay: boolean, hasDriver: boolean]>> = {
  'not confirmed': ['Order received', 'تم استلام الطلب', true, false],
  'looking for a driver': ['Looking for a driver', 'جارٍ البحث عن سائق', true, false],
  'no driver': ['No driver is available yet', 'لا يوجد سائق متاح حاليًا', true, false],
  accepted: ['The driver is on the way to collect it', 'السائق في طريقه لاستلام الشحنة من المتجر', true, false],
  'picked up': ['The driver has collected it', 'الشحنة مع السائق', true, false],
  'out for delivery': ['Out for delivery', 'الشحنة في الطريق إليك', true, true],
  'position too old': ['Out for delivery', 'الشحنة في الطريق إليك', true, false],
  delivered: ['Delivered', 'تم التوصيل', false, false],
  failed: ['Delivery did not succeed', 'تعذّر توصيل الشحنة', false, false],
  cancelled: ['Cancelled', 'أُلغيت الشحنة', false, false],
};

describe.each(CASES)('%s', (name) => {
  const [en, ar, hasWay, hasDriver] = SHOWN[name];
  /** All tests of a case share one shipment. */
  let journey: Promise<Journey> | undefined;

  test.each([
    ['en', 'light', 1280],
    ['en', 'dark', 320],
    ['ar', 'light', 320],
    ['ar', 'dark', 1280],
  ] as const)('in %s, %s, at %d px: shows the state first and passes axe', async (lang, colorScheme, width) => {
    const { path, shipmentNumber } = await (journey ??= journeyTo(site, name));
    // The streets may come with a later view.
    const hasStreets = async () => (await (await fetch(`${site.address}${path}`)).text()).includes('class="streets"');
    await expect.poll(hasStreets).toBe(hasWay);
    const options = { colorScheme, viewport: { width, height: 800 } } as const;
    const window = await openWindow(browser, `${site.address}${path}?lang=${lang}`, options);
    const { page } = window;
    expect(await page.locator('h1').innerText()).toBe(lang === 'ar' ? ar : en);
    expect(await page.locator('html').getAttribute('dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr');
    const drawn = [await page.locator('.drawing .line').count(), await page.locator('.drawing .driver').count()];
    expect(drawn).toEqual([hasWay ? 1 : 0, hasDriver ? 1 : 0]);
    expect(await page.locator('#parcel').innerText()).toContain(shipmentNumber);
    expect(await page.locator('.strip').isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await page.content()).not.toMatch(SECRET_OF_PAGE);
    expect(window.faults).toEqual([]);
    await window.close();
  });
});
