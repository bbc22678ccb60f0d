import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];
const AT = Date.parse('2026-10-31T21:30:00Z') * 1000;

async function save(page: Page, name: string): Promise<string[][]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  const rows = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  return rows.map((row) => row.split(','));
}

test('a clerk reads what a month costs, saves and prints it, and an owner enters the VAT number', async () => {
  const desk = await newDesk(browser, site);
  const { company } = desk.sandbox;
  const { shipmentId, shipmentNumber } = await desk.sandbox.create({ externalReference: 'طلب-١٢' });
  // 00:30 of 1 November in Riyadh, with a credit of the same day.
  await site.sql(company.shard, 'update shipment_terms set created_at = ? where shipment_id = ?', [AT, shipmentId]);
  await site.sql(
    company.shard,
    'insert into later_charges (shipment_id, number, company_id, code, amount, created_at) values (?, ?, ?, ?, ?, ?)',
    [shipmentId, 101, company.companyId, 'CREDIT', '-1234.5', AT + 3_600_000_000],
  );
  const window = await desk.open('/money?lang=ar&month=2026-11');
  const { page } = window;
  const shot = async (name: string) => {
    if (shots !== undefined) await page.screenshot({ path: `${shots}/console-money-${name}.png`, fullPage: true });
  };
  const settled = async () => {
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await findBarriers(page)).toEqual([]);
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  // 12 + 17.5 - 1234.5, and 15 % of it: 180.75.
  await page.getByText('1,385.75 SAR').first().waitFor();
  // The carrier owes it, so no part of it has a minus.
  const debt = await page.locator('.owed').innerText();
  expect(debt).toContain('1,205.00');
  expect(debt).not.toMatch(/[-−]/);
  await page.getByText('نوفمبر 2026').waitFor();
  expect(await page.getByText('كشف حساب، وليس فاتورة ضريبية.').count()).toBe(1);
  await settled();
  await shot('1-wide');
  await page.setViewportSize({ width: 390, height: 844 });
  await settled();
  await shot('2-phone');

  // Arabic digits, with spaces and the marks of a copied text.
  await page.getByText('الرقم الضريبي', { exact: true }).first().click();
  await page.getByLabel('الرقم الضريبي').fill('\u202b٣١٠١ ٢٢٣٩ ٣٥٠٠ ٠٠٣\u202c');
  await page.getByRole('button', { name: 'حفظ الرقم الضريبي' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^\d{6}$/ }).click();
  await page.locator('main bdi').filter({ hasText: '310122393500003' }).waitFor();
  expect(await page.getByLabel('الرقم الضريبي').inputValue()).toBe('310122393500003');
  await settled();
  await shot('3-number');

  const [header, ...rows] = await save(page, 'CSV');
  expect(header?.slice(0, 5).map((name) => name.replace('\ufeff', ''))).toEqual([
    ...['shipmentNumber', 'externalReference', 'code', 'day', 'netAmount'],
  ]);
  expect(rows.at(-1)?.slice(0, 8)).toEqual([
    ...[shipmentNumber, 'طلب-١٢', 'CREDIT', '2026-11-01', '-1234.5', '0.15', '-185.18', '-1419.68'],
  ]);

  await page.evaluate(() => {
    globalThis.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'طباعة' }).click();
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  // A4 without its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  const paper = await page.locator('main').innerText();
  for (const word of [
    company.name,
    '310122393500003',
    'كشف حساب، وليس فاتورة ضريبية.',
    'المستحق لك شاملًا الضريبة',
    '1,385.75',
    shipmentNumber,
  ])
    expect(paper).toContain(word);
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(703);
  await shot('4-paper');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.setViewportSize({ width: 390, height: 844 });

  // A month of a large merchant.
  await page.route('**/statements.get*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll(/"shipments":1\b/g, '"shipments":30001'),
    });
  });
  await page.reload();
  await page.getByText('GET /v2/external/statements/2026-11').waitFor();
  expect(await page.getByRole('button', { name: 'CSV', exact: true }).count()).toBe(0);
  await settled();
  await shot('6-large');
  await page.unroute('**/statements.get*');

  await page.getByRole('link', { name: 'الشهر السابق' }).click();
  await page.getByText('لا مبالغ عليك في هذا الشهر.').waitFor();
  await settled();
  await shot('5-empty');
  expect(unexpected(window, 403)).toEqual([]);
  await window.close();
});

test('the file of shipments has what each costs', async () => {
  const desk = await newDesk(browser, site);
  await desk.sandbox.create();
  const window = await desk.open('/shipments?lang=en');
  await window.page.getByRole('link', { name: /^SHP-/ }).waitFor();
  const [header = [], row = []] = await save(window.page, 'CSV');
  expect(header.join()).toContain(',currency,price.netAmount,price.vatAmount,price.totalAmount,price.currency,');
  expect(row.join()).toContain(',SAR,29.5,4.43,33.93,SAR,');
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
