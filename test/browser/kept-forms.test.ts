import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { newDesk, signedInOperator } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { keptUpload } from '../support/kept-upload.ts';
import { openSite } from '../support/open-site.ts';

/* Forms that are left before they are sent: by a key, a link, another language, a reload, or a lost answer. */

const { site, browser } = await openSite('deno');
const LEFT = { en: 'You left this form unfinished', ar: 'تركت هذا النموذج دون إكمال' };

/** Leaves the form for another page by a click, comes back in Arabic, and starts afresh. */
async function leaveAndReturn(page: Page, label: string, typed: string): Promise<void> {
  const { href } = new URL(page.url());
  const field = page.getByLabel(label, { exact: true });
  const before = await field.inputValue();
  await field.fill(typed);
  await page.getByRole('navigation').getByRole('link').first().click();
  await field.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText(LEFT.en).waitFor();
  expect(await field.inputValue()).toBe(typed);
  const address = new URL(href);
  address.searchParams.set('lang', 'ar');
  await page.goto(address.href);
  await page.getByText(LEFT.ar).waitFor();
  expect(await page.locator('main').evaluate(valuesIn)).toContain(typed);
  await page.getByRole('button', { name: 'ابدأ من جديد' }).click();
  await expect.poll(() => page.getByText(LEFT.ar).count()).toBe(0);
  expect(await page.locator('main').evaluate(valuesIn)).not.toContain(typed);
  expect(await page.locator('main').evaluate(valuesIn)).toContain(before);
  await page.goto(`${href}${href.includes('?') ? '&' : '?'}lang=en`);
  await field.waitFor();
  expect(await page.getByText(LEFT.en).count()).toBe(0);
}

function valuesIn(main: Element): string[] {
  return [...main.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
}

test('forms of a merchant and of an operator keep what was typed', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/places');
  const { storageState } = await signedInOperator(site);
  const other = await openWindow(browser, `${site.address}/operations?lang=en`, { storageState });
  for (const [path, label, typed] of [
    ['/console/places/new', 'Name', 'فرع العليا'],
    ['/console/places/SANDBOX_BRANCH/new', 'Address', 'طريق الملك فهد'],
    ['/console/places/SANDBOX_BRANCH/edit', 'Name', 'Olaya'],
    ['/console/webhooks/new', 'Description (optional)', 'Orders'],
    ['/console/tracking-page', 'Phone', '0112345678'],
    ['/operations/drivers/new?shard=shard-1', 'First name', 'Salem'],
    ['/operations/service-levels/new?shard=shard-1', 'Cities', 'RUH JED'],
    ['/operations/tariffs/new', 'Base (SAR)', '14.5'],
  ] as const) {
    const { page } = path.startsWith('/console') ? window : other;
    await page.goto(`${site.address}${path}${path.includes('?') ? '&' : '?'}lang=en`);
    await page.getByLabel(label, { exact: true }).waitFor();
    await leaveAndReturn(page, label, typed);
  }
  expect([...window.faults, ...other.faults]).toEqual([]);
  await Promise.all([window.close(), other.close()]);
});

test('a kept change takes what a colleague changed meanwhile, and Cancel discards it', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/places/SANDBOX_BRANCH/edit');
  const { page } = window;
  const name = page.getByLabel('Name', { exact: true });
  const inArabic = page.getByLabel('Name in Arabic (optional)');
  await inArabic.fill('فرع العليا');
  await page.getByRole('navigation').getByRole('link').first().click();
  await name.waitFor({ state: 'detached' });
  const { companyId, shard } = desk.sandbox.company;
  const change = 'update branches set name = ?, version = version + 1 where company_id = ? and branch_code = ?';
  await site.sql(shard, change, ['Olaya North', companyId, 'SANDBOX_BRANCH']);
  await page.goto(`${site.address}/console/places/SANDBOX_BRANCH/edit?lang=en`);
  await page.getByText(LEFT.en).waitFor();
  expect([await name.inputValue(), await inArabic.inputValue()]).toEqual(['Olaya North', 'فرع العليا']);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.goBack();
  await name.waitFor();
  expect(await page.getByText(LEFT.en).count()).toBe(0);
  expect(await inArabic.inputValue()).not.toBe('فرع العليا');
  await window.close();
});

test('a shipment whose answer was lost is the same one after a reload', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/new?from=sandbox');
  const { page } = window;
  await page.getByLabel('Your reference').fill('LOST-1');
  let isLost = false;
  await page.route(/shipments\.create/, async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Create the shipment' }).click();
  await expect.poll(() => isLost).toBe(true);
  await page.reload();
  await page.getByText(LEFT.en).waitFor();
  await page.getByRole('button', { name: 'Create the shipment' }).click();
  await page.getByText('The shipment is created.').waitFor();
  const list = await desk.sandbox.merchant.get(`${SHIPMENTS}?externalReference=LOST-1`);
  expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1);
  await window.close();
});

test('a chosen file stays with its corrections, and its lost answer creates nothing twice', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/upload');
  const { page } = window;
  const content =
    'Order,Name,Mobile,City,Address,lat,lng,Declared value,COD,Currency,Payment,Description,Pieces,Weight\n' +
    'K-1,Reem,12,Riyadh,King Fahd Road,24.794722,46.626111,185,0,SAR,PREPAID,Coffee,1,0.5';
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByLabel('Row 2, Mobile').fill('0501234567');
  await page.keyboard.press('Tab');
  await expect.poll(async () => JSON.stringify(await keptUpload(page))).toContain('0501234567');
  await page.goto(`${site.address}/console/shipments/upload?lang=ar`);
  await page.getByText(LEFT.ar).waitFor();
  await page.getByRole('button', { name: 'افحص الصفوف' }).press('Enter');
  await page.getByRole('button', { name: 'أنشئ الشحنات (1)' }).waitFor();
  let isLost = false;
  const create = /shipmentBatches\.create/;
  // The page sends it again by itself, and loses those answers too until it is loaded anew.
  await page.route(create, async (route) => {
    if (!isLost) await route.fetch();
    isLost = true;
    await route.abort();
  });
  await page.getByRole('button', { name: 'أنشئ الشحنات (1)' }).press('Enter');
  await expect.poll(() => isLost).toBe(true);
  await page.reload();
  await page.unroute(create);
  // The address of the batch has no language.
  await page.getByText('0 of 1 rows were sent.').waitFor();
  await page.getByRole('button', { name: 'Send the others' }).press('Enter');
  await page.getByText('Created: 1').waitFor();
  const list = await desk.sandbox.merchant.get(`${SHIPMENTS}?externalReference=K-1`);
  expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(1);
  await page.goto(`${site.address}/console/shipments/upload?lang=ar`);
  await page.getByText('ملف CSV أو مصنف Excel', { exact: true }).waitFor();
  expect(await page.getByText(LEFT.ar).count()).toBe(0);
  // The reference of the only row is taken by the time it is sent. It returns, but not into the next file.
  const send = async (name: string, reference: string, rows: number) => {
    const buffer = Buffer.from(content.replace('K-1,Reem,12', `${reference},Reem,0501234567`));
    await page.getByLabel('ملف CSV').setInputFiles({ ...file, name, buffer });
    await page.getByText(`${name}: عدد الصفوف ${rows}`).waitFor();
    await page.getByLabel('الفرع').last().selectOption('SANDBOX_BRANCH');
    await page.getByRole('button', { name: 'افحص الصفوف' }).press('Enter');
    await page.getByText(`الصفوف التي يمكن إنشاؤها: ${rows} من ${rows}`).waitFor();
  };
  await send('taken.csv', 'K-2', 1);
  await desk.sandbox.create({ externalReference: 'K-2' });
  await page.getByRole('button', { name: 'أنشئ الشحنات (1)' }).press('Enter');
  await page.getByText('لم تُنشأ: 1').waitFor();
  await expect.poll(async () => (await keptUpload(page))?.rows.length).toBe(1);
  await page.reload();
  await page.getByText(LEFT.en).waitFor();
  await page.getByLabel('Row 2, Your reference').waitFor();
  await page.goto(`${page.url()}&lang=ar`);
  await send('next.csv', 'K-3', 1);
  await window.close();
});

test('a browser that allows no storage, and an address that is no text, show their pages', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/%E0%A4%A');
  const { page } = window;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
  });
  for (const path of ['', '/shipments', '/shipments/new', '/shipments/upload', '/nowhere/%E0%A4%A']) {
    await page.goto(`${site.address}/console${path}?lang=en`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('could not be shown').count()).toBe(0);
  }
  await page.goto(`${site.address}/driver?lang=en`);
  await page.getByLabel('Your mobile').fill(desk.sandbox.phone);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  await page
    .getByRole('button', { name: 'Go on duty' })
    .or(page.getByText('On duty', { exact: true }))
    .waitFor();
  expect(window.faults.filter((fault) => !/status of (?:400|403|404)/.test(fault))).toEqual([]);
  await window.close();
});

test('a browser without room says that the form is not kept', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/new');
  const { page } = window;
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.getByLabel('Your reference').fill('FULL-1');
  await page.getByText('This browser has no room to keep what you typed.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await window.close();
});

test('a page whose code is gone after a deployment loads the new version, with its draft', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/places/new');
  const { page } = window;
  await page.getByLabel('Name', { exact: true }).fill('فرع العليا');
  // The next part of the page is gone, and the page itself starts with another script.
  let isDeployed = true;
  await page.route(/\/assets\/.*\.js$/, (route) => (isDeployed ? route.fulfill({ status: 404 }) : route.continue()));
  await page.route(/\/console/, async (route) => {
    if (route.request().isNavigationRequest()) isDeployed = false;
    if (!isDeployed) return route.continue();
    const answer = await route.fetch();
    return route.fulfill({ response: answer, body: (await answer.text()).replace(/(src="[^"]+)\.js"/, '$1x.js"') });
  });
  const pages = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' });
  await Promise.all([page.waitForEvent('load'), pages.click()]);
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.goto(`${site.address}/console/places/new?lang=en`);
  await page.getByText(LEFT.en).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('فرع العليا');
  // Before a minute has passed, it waits for a click, so that it never goes in circles.
  isDeployed = true;
  await page.unroute(/\/console/);
  await page.route(/\/console/, async (route) => {
    const answer = await route.fetch();
    return route.fulfill({ response: answer, body: (await answer.text()).replace(/(src="[^"]+)\.js"/, '$1x.js"') });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Tracking page' }).click();
  await page.getByText('A new version of this page is here').waitFor();
  expect(await page.getByRole('button', { name: 'Load the new version' }).count()).toBe(1);
  await window.close();
});
