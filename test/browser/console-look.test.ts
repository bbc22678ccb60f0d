import { readFileSync } from 'node:fs';
import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { type Desk, newDesk, signedIn, unexpected } from '../../scripts/shared/console.ts';
import { advanceClock } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';
import { watchFiles, watchShifts } from '../support/page-load.ts';
import { untilLogged } from '../support/request-log.ts';

const SHIPMENTS = 101;
/** The longest values that the API allows. The name has no space where it could wrap. */
const LONGEST = { reference: 'REF-'.padEnd(128, 'X'), name: 'عبدالرحمن'.repeat(14).slice(0, 120) };

const { site, browser } = await openSite('deno');
let desk: Desk;
let shipmentId: string;
beforeAll(async () => {
  desk = await newDesk(browser, site);
  // Home counts the shipments of a day, so midnight must not come between them and their count.
  await advanceClock(desk.sandbox, { to: noon.toISOString() });
  const orders = Array.from({ length: SHIPMENTS - 1 }, (_, index) => ({ externalReference: `ORDER-${index}` }));
  await Promise.all(orders.map((order) => desk.sandbox.create(order)));
  const recipient = { name: LONGEST.name, phone: '0501234567' };
  const order = { externalReference: LONGEST.reference, recipient, declaredValue: 1234567.5 };
  ({ shipmentId } = await desk.sandbox.create(order));
}, 120_000);

/** The next noon in Riyadh, which is three hours before UTC. */
const noon = new Date();
noon.setUTCHours(noon.getUTCHours() < 9 ? 9 : 33, 0, 0, 0);

const EVERY_COLUMN = 'city,cod,window,driver,lastEvent,createdAt';
const LOOKS: readonly { lang: 'en' | 'ar'; colorScheme: 'light' | 'dark'; width: number }[] = [
  { lang: 'ar', colorScheme: 'dark', width: 320 },
  { lang: 'en', colorScheme: 'light', width: 1280 },
];

describe.each(LOOKS)('in $lang, $colorScheme, at $width px', ({ lang, colorScheme, width }) => {
  test.each([
    ['home', () => ''],
    ['shipments', () => '/shipments'],
    ['shipments with every column', () => `/shipments?columns=${EVERY_COLUMN}`],
    ['nothing found', () => '/shipments?q=none&state=DELIVERED'],
    ['one shipment', () => `/shipments/${shipmentId}`],
    ['what home counted', () => `/shipments/day?day=${noon.toISOString().slice(0, 10)}&figure=created`],
    ['a new one', () => '/shipments/new?from=sandbox'],
    ['an upload', () => '/shipments/upload'],
    ['one that is not there', () => '/shipments/01a1fd43-0191-76f7-b59d-802bf37e3ff7'],
    ['sign-up', () => '/sign-up'],
    ['no page', () => '/nowhere'],
  ])('%s passes axe, logs no error and fits the width', async (_name, path) => {
    const options: BrowserContextOptions = { colorScheme, viewport: { width, height: 800 } };
    const address = path();
    const window = await desk.open(`${address}${address.includes('?') ? '&' : '?'}lang=${lang}`, options);
    await window.page.locator('h1').waitFor();
    await window.page.waitForLoadState('networkidle');
    expect(await window.page.locator('html').getAttribute('dir')).toBe(lang === 'ar' ? 'rtl' : 'ltr');
    expect(await findBarriers(window.page)).toEqual([]);
    expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await window.page.title()).toContain(await window.page.locator('h1').innerText());
    // An unknown shipment gets the same 403 as a shipment of another company.
    expect(unexpected(window, 403)).toEqual([]);
    await window.close();
  });
});

test('a list of a hundred has a next page, and its filters are in the address', async () => {
  const window = await desk.open('/shipments');
  const { page } = window;
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await expect.poll(() => rows.count()).toBe(100);
  await page.getByRole('link', { name: 'Older' }).click();
  await expect.poll(() => rows.count()).toBe(SHIPMENTS - 100);
  expect(await page.getByRole('link', { name: 'Newest' }).count()).toBe(0);
  await page.reload();
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect.poll(() => rows.count()).toBe(100);
  expect(new URL(page.url()).searchParams.has('cursor')).toBe(false);
  expect(await page.getByRole('link', { name: 'Newer' }).count()).toBe(0);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill(LONGEST.reference.slice(0, 60));
  await search.press('Enter');
  await expect.poll(() => rows.count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('q')).toBe(LONGEST.reference.slice(0, 60));
  expect(await page.getByText(LONGEST.name).isVisible()).toBe(true);
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Delivered', { exact: true }).check();
  await page.getByLabel('Cancelled', { exact: true }).check();
  await page.getByLabel('Created from').fill('2026-01-31');
  await page.getByLabel('City').selectOption('RUH');
  await page.getByLabel('Payment').selectOption('PREPAID');
  await page.getByRole('button', { name: 'Apply the filters' }).click();
  await page.getByText('No shipment matches these filters.').waitFor();
  await page.reload();
  await page.getByText('Filters (4)').waitFor();
  expect(await page.getByLabel('Delivered', { exact: true }).isChecked()).toBe(true);
  expect(new URL(page.url()).searchParams.get('state')).toBe('DELIVERED,CANCELLED');
  await page.getByRole('link', { name: 'Show all shipments' }).click();
  await expect.poll(() => rows.count()).toBe(100);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test.each(['en', 'ar'] as const)(
  'in %s rows with every column are low, and the first is near the top',
  async (lang) => {
    const viewport = { width: 1280, height: 800 };
    const window = await desk.open(`/shipments?columns=${EVERY_COLUMN}&lang=${lang}`, { viewport });
    const rows = window.page.locator('.rows tbody tr');
    await rows.nth(1).locator('time').last().waitFor();
    expect((await rows.first().boundingBox())?.y).toBeLessThan(400);
    expect((await rows.nth(1).boundingBox())?.height).toBeLessThan(80);
    await window.close();
  },
);

test('filters say in Arabic at their fields what is wrong, and a lost place leads to the first page', async () => {
  const window = await desk.open('/shipments?lang=ar&createdFrom=2026-05-02&createdTo=2026-05-01');
  const { page } = window;
  const list = `${site.address}/console/shipments`;
  await page.getByText('يجب أن تكون النهاية بعد البداية.').waitFor();
  expect(await page.getByLabel('أُنشئت حتى').getAttribute('aria-invalid')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${list}?lang=ar&q=a+b+c+d+e+f`);
  await page.getByText('ابحث عن خمس كلمات على الأكثر.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('activity.shipments')) asked.push(request.url());
  });
  await page.goto(`${list}?lang=ar&q=a`);
  await page.getByText('اكتب حرفين على الأقل.').waitFor();
  await page.getByRole('searchbox').fill('ab');
  await page.getByRole('searchbox').press('Enter');
  await page.getByText('لا توجد شحنة تطابق هذه التصفية.').waitFor();
  await page.getByText('يجد البحث بداية الرقم المرجعي').waitFor();
  expect(asked.every((url) => decodeURIComponent(url).includes('"ab"'))).toBe(true);
  await page.goto(`${list}?lang=ar&cursor=zzz`);
  await page.getByRole('link', { name: 'إلى الصفحة الأولى' }).click();
  await page.getByRole('row').nth(100).waitFor();
  expect(new URL(page.url()).search).toBe('?lang=ar');
  expect(unexpected(window, 400)).toEqual([]);
  await window.close();
});

test('the search finds pages in Arabic, and shipments and requests by their ids', async () => {
  const { merchant } = desk.sandbox;
  const requestId = (await merchant.postShipment({})).headers.get('x-request-id') ?? '';
  await untilLogged(merchant, requestId);
  const window = await desk.open('/webhooks?lang=ar');
  const { page } = window;
  await page.locator('h1').waitFor();
  // The page listens for keys only after it has been drawn.
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'البحث' });
  const field = dialog.getByRole('searchbox');
  for (const [typed, name] of [
    ['شحنات', 'الشحنات'],
    ['فروع', 'الفروع'],
    ['الطلبات', 'الطلبات'],
    ['اشعارات', 'الإشعارات البرمجية'],
    [shipmentId, LONGEST.name],
  ] as const) {
    await field.fill(typed);
    await dialog.getByRole('link', { name }).first().waitFor();
  }
  await field.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await page.keyboard.press('/');
  await field.fill(requestId);
  await dialog.getByRole('link', { name: requestId }).waitFor();
  await field.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/requests/${requestId}`);
  expect(unexpected(window, 403, 404)).toEqual([]);
  await window.close();
});

test('a list has the columns that one chooses, keeps views by name, and shows changes without losing the selection', async () => {
  const { sandbox, open } = await newDesk(browser, site);
  const order = await sandbox.create({ externalReference: 'COD-1', codAmount: 1250.5, paymentMethod: 'COD' });
  await sandbox.untilState(order.shipmentId, 'OFFERED');
  const window = await open('/shipments');
  const { page } = window;
  await page.clock.install();
  await page.reload();
  const row = page.getByRole('row', { name: 'COD-1' });
  await row.getByText('Riyadh').waitFor();
  await page.getByText('Columns', { exact: true }).first().press('Enter');
  for (const column of ['Cash on delivery', 'Driver', 'Pickup window', 'Created'])
    await page.getByRole('group', { name: 'Columns' }).getByLabel(column).press('Space');
  await row.getByText('1,250.50 SAR').waitFor();
  await row.getByText('Offered to a driver').last().waitFor();
  expect(new URL(page.url()).searchParams.get('columns')).toBe(EVERY_COLUMN);
  await row.getByRole('checkbox').check();
  const driver = await sandbox.signIn();
  await driver.act(order.shipmentId, { action: 'ACCEPT' });
  await page.clock.runFor(16_000);
  await row.getByText('Driver on the way to pick up').waitFor();
  await row.getByText('A driver accepted').waitFor();
  expect(await row.getByRole('checkbox').isChecked()).toBe(true);
  await page.goto(`${site.address}/console/shipments?state=ACCEPTED,PICKED_UP`);
  await row.getByText('A driver accepted').waitFor();
  await page.getByText('Save this view').first().press('Enter');
  await page.getByLabel('Name of the view').fill('On the way');
  await page.getByLabel('Name of the view').press('Enter');
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${site.address}/console/shipments`);
  await page.getByRole('link', { name: 'On the way' }).press('Enter');
  await page.getByText('Filters (1)').waitFor();
  expect(new URL(page.url()).searchParams.get('state')).toBe('ACCEPTED,PICKED_UP');
  await page.getByRole('button', { name: 'Remove the view: On the way' }).press('Enter');
  await expect.poll(() => page.getByRole('link', { name: 'On the way' }).count()).toBe(0);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('a list is saved as CSV, and selected rows as labels', async () => {
  const window = await desk.open('/shipments?q=REF-');
  const { page } = window;
  const saved = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  };
  await page.getByRole('checkbox', { name: 'Select SHP-' }).check();
  expect((await saved('Labels (PDF) · 1')).subarray(0, 5).toString()).toBe('%PDF-');
  const [header = '', row = '', ...others] = (await saved('CSV')).toString().split('\r\n');
  expect(header).toMatch(/^\ufeffshipmentNumber,externalReference,state,/);
  expect(row).toContain(`,${LONGEST.reference},`);
  expect(others).toEqual(['']);
  await page.getByRole('link', { name: /^SHP-/ }).click();
  await page.getByText('1,234,567.50 SAR').waitFor();
  expect((await saved('Label as ZPL')).toString()).toMatch(/^\^XA/);
  await page.context().addInitScript(() => {
    Object.assign(globalThis, { print: () => (document.title = 'is printed') });
  });
  const [label] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Print the label' }).press('Enter'),
  ]);
  await expect.poll(() => label.title()).toBe('is printed');
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('a cold load of each area needs at most 150 kB, of them 90 kB of scripts and styles, and moves nothing', async () => {
  const { storageState } = await signedIn(site, desk.sandbox.company);
  const shipments = ['/shipments', '/shipments/new', `/shipments/${shipmentId}`];
  for (const area of ['', ...shipments, '/money', '/webhooks', '/requests', '/places', '/credentials', '/sandbox']) {
    const { page, close } = await openWindow(browser, 'about:blank', { storageState });
    const filesOf = watchFiles(page);
    const shifts = await watchShifts(page);
    await page.goto(`${site.address}/console${area}?lang=ar`);
    await page.locator('h1').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForLoadState('networkidle');
    const all = await filesOf();
    const sum = (some: typeof all) => some.reduce((total, { bytes }) => total + bytes, 0);
    expect([area, all.length]).toEqual([area, expect.toSatisfy((count: number) => count > 10)]);
    expect([area, sum(all)]).toEqual([area, expect.toSatisfy((bytes: number) => bytes <= 150_000)]);
    const code = sum(all.filter(({ url }) => /\.(?:js|css)$/.test(url)));
    expect([area, code]).toEqual([area, expect.toSatisfy((bytes: number) => bytes < 90_000)]);
    expect([area, await shifts()]).toEqual([area, expect.toSatisfy((shift: number) => shift <= 0.05)]);
    await close();
  }
});

test.each(['en', 'ar'] as const)(
  'in %s its frame is there before its script, and nothing moves later',
  async (lang) => {
    const window = await desk.open('/nowhere');
    const { page } = window;
    await page.route(/\.js$/, async (route) => {
      await page.locator('.top .brand').waitFor();
      await route.continue();
    });
    const shifts = await watchShifts(page);
    await page.goto(`${site.address}/console?lang=${lang}`, { waitUntil: 'commit' });
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shifts()).toBeLessThanOrEqual(0.05);
    expect(unexpected(window, 403)).toEqual([]);
    await window.close();
  },
);

test('home counts all shipments of today, draws a week, and says what needs somebody', async () => {
  await desk.sandbox.play(shipmentId, 'NO_DRIVER');
  await desk.sandbox.untilState(shipmentId, 'DISPATCH_UNRESOLVED');
  const window = await desk.open('');
  const today = window.page.getByRole('region', { name: 'Today' });
  await today.getByRole('link', { name: '101', exact: true }).waitFor();
  expect(await today.getByRole('link', { name: 'No driver found' }).count()).toBe(1);
  const week = window.page.getByRole('region', { name: 'The last seven days' });
  expect(await week.getByRole('img', { name: /^Created: .* 101$/ }).count()).toBe(1);
  await week.getByText('The numbers by day').press('Enter');
  await week.getByText('The numbers by city').press('Enter');
  expect(await week.getByRole('row').filter({ hasText: '101' }).count()).toBe(2);
  // After five minutes the others are named, too: the sandbox has too few drivers.
  const needs = window.page
    .getByRole('region', { name: 'Needs you' })
    .getByRole('listitem')
    .filter({ has: window.page.getByRole('button') });
  expect(await needs.count()).toBe(1);
  expect(await findBarriers(window.page)).toEqual([]);
  await needs.getByRole('button', { name: 'Look for a driver again' }).press('Enter');
  await needs.getByRole('button').waitFor({ state: 'detached' });
  await today.getByRole('link', { name: '101', exact: true }).press('Enter');
  await window.page.getByRole('heading', { name: /^Created · / }).waitFor();
  await expect.poll(() => window.page.getByRole('row').count()).toBe(101);
  expect(await findBarriers(window.page)).toEqual([]);
  await window.page.getByRole('link', { name: 'Older' }).click();
  await expect.poll(() => window.page.getByRole('row').count()).toBe(2);
  await window.close();
});

test('the first stop of the Tab key leads to the content', async () => {
  const window = await desk.open('');
  const { page } = window;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await window.close();
});

test.each([
  { lang: 'en', title: 'This page could not be shown', home: 'Go to the home page' },
  { lang: 'ar', title: 'تعذّر عرض هذه الصفحة', home: 'إلى الصفحة الرئيسية' },
])(
  'a page that fails to render shows a notice and a link to the home page, in $lang',
  async ({ lang, title, home }) => {
    const window = await desk.open(`/webhooks?lang=${lang}`);
    const { page } = window;
    await page.locator('h1').waitFor();
    // The answer lacks the list of endpoints, so rendering throws.
    await page.route('**/trpc/webhookEndpoints.list**', (route) => route.fulfill({ json: [{ result: { data: {} } }] }));
    await page.reload();
    const notice = page.getByRole('alert');
    await notice.getByRole('heading', { name: title }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(window.faults).not.toEqual([]);
    // The navigation still works: another page starts without the error.
    await page.locator('nav a[href="/console/places"]').click();
    await page.locator('.page-head').waitFor();
    expect(await notice.count()).toBe(0);
    await page.goBack();
    await notice.getByRole('link', { name: home }).click();
    await page.locator('.today').waitFor();
    await window.close();
  },
);
