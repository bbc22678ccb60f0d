import { expect, test } from 'vitest';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { ITEM } from '../../scripts/shared/shipments.ts';
import { openSite } from '../support/open-site.ts';

/* What a shop prints beside its labels. */

const { site, browser } = await openSite('deno');

test('a list prints its columns without navigation, and the parcels that are handed over with their sums', async () => {
  const desk = await newDesk(browser, site);
  const cash = { paymentMethod: 'COD', codAmount: 1250.05 };
  await desk.sandbox.create({ ...cash, externalReference: 'طلب-١', items: [{ ...ITEM, quantity: 3 }, ITEM] });
  await desk.sandbox.create({ ...cash, codAmount: 0.95, externalReference: 'B-2' });
  await desk.sandbox.create({ externalReference: 'C-3' });
  await desk.sandbox.create({ externalReference: 'NOT-HANDED-OVER' });
  const window = await desk.open('/shipments?lang=ar');
  const { page } = window;
  await page.evaluate(() => {
    globalThis.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.emulateMedia({ media: 'print' });
  // A4 without its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  await page.getByText('B-2').waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.getByRole('columnheader').count()).toBe(5);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(703);
  await page.emulateMedia({ media: 'screen' });
  for (const reference of ['طلب-١', 'B-2', 'C-3'])
    await page.getByRole('row').filter({ hasText: reference }).getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'كشف التسليم' }).press('Enter');
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('table');
  expect(await sheet.getByRole('row').count()).toBe(4);
  const sums = page.getByRole('definition');
  // Five pieces of the first, and two of each other one.
  expect((await sums.allInnerTexts()).map((text) => text.replaceAll(/[^\d.,]/g, ''))).toEqual(['3', '9', '1,251.00']);
  expect(await page.locator('main').innerText()).not.toContain('NOT-HANDED-OVER');
  await page.screenshot({ path: '/tmp/sheet.png', fullPage: true });
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => page.locator('.handover').count()).toBe(0);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
