import { expect, test } from 'vitest';
import * as z from 'zod';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, openConsole, signedIn, unexpected } from '../../scripts/shared/console.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { readTimelinePage } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { pngOfPixels } from '../support/files.ts';
import { addCompanyIn, addDriver, letFallDue, newCity } from '../support/fleet.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];

test('a clerk sees on home how long there is to decide, delivers again for its price, and opens what follows', async () => {
  const desk = await newDesk(browser, site);
  const driver = await desk.sandbox.signIn();
  const { shipmentId } = await desk.sandbox.create();
  await desk.sandbox.untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await driver.act(shipmentId, { action });
  const position = { latitude: 24.7951, longitude: 46.6262 };
  const picture = await site.fetch(`/v2/driver/shipments/${shipmentId}/proof-media?purpose=ATTEMPT_PHOTO`, {
    method: 'POST',
    headers: { authorization: `Bearer ${driver.token}`, 'content-type': 'image/png' },
    body: pngOfPixels(640, 480),
  });
  const { mediaAssetId } = z.looseObject({ mediaAssetId: z.string() }).parse(await picture.json());
  const arrived = await driver.act(shipmentId, { action: 'ARRIVE', position });
  const refused = await driver.act(shipmentId, {
    action: 'FAIL',
    reasonCode: 'RECIPIENT_REFUSED',
    position,
    proof: { mediaAssetIds: [mediaAssetId] },
  });
  expect([arrived.status, refused.status]).toEqual([200, 200]);

  const window = await desk.open('?lang=ar');
  const { page } = window;
  const look = async (name: string, widths = [390, 1440]) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/console-failure-${name}-${width}.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await findBarriers(page)).toEqual([]);
    }
  };
  await page.getByText('شحنات تنتظر قرارك: 1.').waitFor();
  await page.getByText(/23 ساعة و5\d دقيقة/).waitFor();
  await look('1-home');
  await page.getByRole('link', { name: 'اتخذ القرار' }).click();
  const cards = page.locator('.cards > li');
  await cards.first().waitFor();
  await page.getByRole('heading', { name: 'الإثبات' }).waitFor();
  await page.getByRole('heading', { name: 'الشكاوى' }).waitFor();
  expect(await cards.getByRole('heading').allInnerTexts()).toEqual(['إعادة المحاولة', 'إعادتها إليك', 'إتلافها']);
  expect(await cards.nth(0).innerText()).toMatch(/SAR|ر\.س/);
  expect(await cards.nth(0).innerText()).toContain('تدفع أنت');
  expect(await cards.nth(1).innerText()).toContain('يُعتمد إن لم تقرر');
  expect(await cards.nth(2).innerText()).toContain('دون تكلفة');
  await look('2-shipment');

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.address}/console/shipments/${shipmentId}?lang=en`);
  await cards.first().waitFor();
  // In one row, with the buttons on one line.
  const tops = await cards.getByRole('button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect([tops.length, new Set(tops).size]).toEqual([3, 1]);
  await page.getByText(/^\d+ m from the pin$/).waitFor();
  const [print] = await Promise.all([
    page.waitForEvent('popup'),
    page.locator('#proof').getByRole('link', { name: 'Print' }).click(),
  ]);
  await print.getByRole('heading', { name: 'Proof of an attempt to deliver' }).waitFor();
  const drawn = print.getByRole('img', { name: 'Attempt' });
  await expect.poll(() => drawn.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth)).toBe(640);
  if (shots !== undefined) await print.screenshot({ path: `${shots}/console-failure-print.png`, fullPage: true });
  expect(await findBarriers(print)).toEqual([]);
  await print.close();
  const again = cards.filter({ hasText: 'Deliver it again' });
  const price = (await again.locator('.sum').innerText()).replaceAll(/[^\d.]/g, '');
  expect(Number(price)).toBeGreaterThan(0);
  await again.getByRole('button', { name: 'Choose Deliver it again' }).focus();
  await page.keyboard.press('Enter');
  await look('3-sure', [390]);
  await again.getByRole('button', { name: 'Yes, do it' }).click();
  await page.getByText('This is decided. The driver has it.').waitFor();
  await look('4-decided', [1440]);
  await page.getByRole('link', { name: 'The shipment that carries it on' }).click();
  await page.getByRole('heading', { level: 1, name: 'Picked up' }).waitFor();
  expect(await page.locator('.sums').innerText()).toContain(price);
  await page.goto(`${site.address}/console?lang=en`);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  expect(await page.getByText('for your decision').count()).toBe(0);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('the page of a shipment folds its offers into one line, and home names it after five minutes', async () => {
  const city = newCity();
  const company = await addCompanyIn(site, city);
  const merchant = await merchantOf(site, company);
  for (let drivers = 0; drivers < 3; drivers += 1) await addDriver(site, city);
  const { shipmentId, shipmentNumber } = await merchant.create();
  const address = `${SHIPMENTS}/${shipmentId}/timeline`;
  // Nobody answers.
  for (const offers of [1, 2, 3]) {
    await until(`offer ${offers}`, async () => {
      const { data } = await readTimelinePage(await merchant.get(address));
      return data.filter(({ type }) => type === 'shipment.offered').length >= offers || undefined;
    });
    if (offers < 3) await letFallDue(site, merchant, shipmentId);
  }
  const { storageState } = await signedIn(site, company);
  const window = await openConsole(browser, site, { path: `/shipments/${shipmentId}?lang=en`, storageState });
  const { page } = window;
  const look = async (name: string) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      if (shots !== undefined)
        await page.screenshot({ path: `${shots}/console-search-${name}-${width}.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await findBarriers(page)).toEqual([]);
    }
  };
  const timeline = page.locator('.timeline');
  const fold = timeline.locator('summary');
  await fold
    .getByText(/^Drivers were asked 3 times\. The next search is at \d\d:\d\d\. The search ends at \d\d:\d\d\.$/)
    .waitFor();
  expect(await timeline.locator('> li').count()).toBe(3);
  expect(await timeline.getByText('The driver did not answer').first().isVisible()).toBe(false);
  await fold.press('Enter');
  expect(await timeline.getByText('The driver did not answer').filter({ visible: true }).count()).toBe(2);
  await page.goto(`${site.address}/console/shipments/${shipmentId}?lang=ar`);
  await fold
    .getByText(/^عُرضت الشحنة على السائقين 3 مرات\. البحث التالي في \d\d:\d\d\. ينتهي البحث في \d\d:\d\d\.$/)
    .waitFor();
  await fold.press('Enter');
  await look('1-shipment');

  await page.goto(`${site.address}/console?lang=ar`);
  await page.getByText('لا شيء يحتاج إليك الآن.').waitFor();
  const longAgo = 'update shipments set search_since = search_since - 300000000 where id = ?';
  await site.sql(company.shard, longAgo, [shipmentId]);
  const needs = page.getByRole('region', { name: 'يحتاج إليك' }).getByRole('listitem');
  await page.reload();
  await needs.getByText(shipmentNumber).waitFor();
  expect(await needs.count()).toBe(1);
  await needs.getByText(/عُرضت الشحنة على السائقين|لا يوجد سائق|مشغولون/).waitFor();
  await look('2-home');
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
