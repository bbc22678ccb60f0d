import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CUT, driversAtWork, expectOnScreen, expectUsable, shoot, tap } from '../support/driver-page.ts';
import { openSite } from '../support/open-site.ts';

/* A driver compares the label of a parcel with the page, by the camera or by the end of its number. */

const { site, browser } = await openSite('deno');
const atWork = driversAtWork(site, browser);
const WORDS = {
  check: 'تحقق من الملصق',
  right: '✓ هذه هي الشحنة الصحيحة.',
  typed: 'آخر أربع خانات من الرقم',
  back: 'تابع دون تحقق',
  noCamera: 'لا يمكن استخدام الكاميرا',
} as const;
const PLACES = ['حي النخيل، شارع الأمير تركي، الرياض', '4 King Fahd Road (Tower 2), Riyadh'];
const AT = { cityCode: 'RUH', latitude: 24.794722, longitude: 46.626111 };

/** The end of a number as a driver types it with an Arabic keyboard. */
const endOf = (number: string) => number.slice(-4).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));

/** A driver at the pickup location of two parcels. The first of them is on the page. */
async function atPickup() {
  const work = await atWork('ar');
  const { sandbox, page } = work;
  const numbers: string[] = [];
  for (const addressLine of PLACES)
    numbers.push((await sandbox.create({ destination: { ...AT, addressLine } })).shipmentNumber);
  await page.getByRole('button', { name: 'قبول الكل: 2' }).click();
  await page.getByRole('heading', { level: 1, name: 'توجّه إلى موقع الاستلام' }).waitFor();
  await tap(page, 'وصلت');
  await page.getByRole('heading', { level: 1, name: 'استلم الشحنة' }).waitFor();
  const shown = await page.locator('.task > .quiet').innerText();
  const [mine = '', other = ''] = numbers.toSorted((number) => (number === shown ? -1 : 1));
  expect(mine).toBe(shown);
  return { ...work, mine, other };
}

/** Gives the page a camera, and a reader that finds what `seen` says. */
async function giveCamera(page: Page, isAllowed: boolean): Promise<void> {
  await page.evaluate((allowed) => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    navigator.mediaDevices.getUserMedia = () =>
      allowed ? Promise.resolve(canvas.captureStream()) : Promise.reject(new DOMException('no', 'NotAllowedError'));
    const detect = () => {
      const { seen } = document.body.dataset;
      return Promise.resolve(seen === undefined ? [] : [{ rawValue: seen }]);
    };
    const getSupportedFormats = () => Promise.resolve(['qr_code', 'code_128']);
    Object.assign(globalThis, {
      BarcodeDetector: class {
        static getSupportedFormats = getSupportedFormats;
        detect = detect;
      },
    });
  }, isAllowed);
}

/** Holds a label in front of the camera. */
const hold = (page: Page, code: string) => page.evaluate((seen) => void (document.body.dataset['seen'] = seen), code);

test('without a reader of barcodes, the end of the number tells the right parcel from another', async () => {
  const { page, window, mine, other } = await atPickup();
  await expectOnScreen(page, 'استلمت الشحنة');
  await shoot(page, '20-check');
  await tap(page, WORDS.check);
  const field = page.getByLabel(WORDS.typed);
  await page.getByText(WORDS.noCamera).waitFor();
  await field.fill('ZZZZ');
  await page.getByText('هذه ليست شحنتك. اتركها هنا.').waitFor();
  // A wrong parcel is not taken by a tap.
  expect(await page.getByRole('button', { name: 'استلمت الشحنة' }).count()).toBe(0);
  await expectUsable(page);
  await shoot(page, '21-wrong');
  // The step stays when the language changes.
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByLabel('Last four characters of the number').waitFor();
  await page.getByRole('button', { name: 'العربية' }).click();
  await field.fill(endOf(other));
  await page.getByText('هذه شحنة أخرى من شحناتك.').waitFor();
  await page.locator('.scan').getByText(other).waitFor();
  await expectUsable(page);
  await shoot(page, '22-own');
  await field.fill(endOf(mine));
  await page.getByText(WORDS.right).waitFor();
  await expectUsable(page);
  await shoot(page, '23-right');
  await tap(page, 'استلمت الشحنة');
  await page.getByText(other).first().waitFor();
  expect(window.faults).toEqual([]);
  await window.close();
}, 120_000);

test('a driver who forbids the camera types, or goes on', async () => {
  const { sandbox, page, window } = await atPickup();
  await giveCamera(page, false);
  await tap(page, WORDS.check);
  await page.getByText(WORDS.noCamera).waitFor();
  expect(await page.locator('video').count()).toBe(0);
  await tap(page, WORDS.back);
  await tap(page, 'استلمت الشحنة');
  await expect
    .poll(async () => JSON.stringify(await (await sandbox.merchant.get('/v2/external/shipments')).json()))
    .toContain('PICKED_UP');
  expect(window.faults).toEqual([]);
  await window.close();
}, 120_000);

test('the camera finds the parcel for this door among several, without network', async () => {
  const { page, window, mine, other } = await atPickup();
  const stop = (text: string) => page.locator('.stops button').filter({ hasText: text });
  await tap(page, 'استلمت الشحنة');
  await stop(other).click();
  await page.evaluate(() => scrollTo(0, 0));
  await tap(page, 'وصلت');
  await tap(page, 'استلمت الشحنة');
  await page.getByRole('heading', { level: 1, name: 'الشحنة معك' }).waitFor();
  // The page has loaded its rare parts by now.
  await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1);
  await expect
    .poll(() => page.evaluate(async () => (await caches.match('/driver', { ignoreVary: true }))?.ok))
    .toBe(true);
  await page.context().setOffline(true);
  if ((await stop(mine).count()) > 0) await stop(mine).click();
  await page.evaluate(() => scrollTo(0, 0));
  await tap(page, 'بدء التوصيل');
  await tap(page, 'وصلت');
  await giveCamera(page, true);
  await tap(page, WORDS.check);
  await page.locator('video').waitFor();
  await expectUsable(page);
  await shoot(page, '24-camera');
  await hold(page, other);
  await page.getByText('هذه شحنة محطة أخرى. لا تسلّمها.').waitFor();
  expect(await page.getByRole('button', { name: 'تم التوصيل' }).count()).toBe(0);
  await expectUsable(page);
  await shoot(page, '25-other-stop');
  await hold(page, 'SHP-ZZZZZZZZZZ9');
  await page.getByText('هذه ليست شحنة هذا الباب. لا تسلّمها.').waitFor();
  await hold(page, mine);
  await page.getByText(WORDS.right).waitFor();
  expect(await page.locator('video').count()).toBe(0);
  await expectOnScreen(page, 'تم التوصيل');
  await shoot(page, '26-at-the-door');
  expect(window.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
  await window.close();
}, 120_000);
