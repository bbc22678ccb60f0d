import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openWindow } from '../../scripts/shared/browser.ts';
import { advanceClock, newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { CLOCK_ERRORS_SECONDS, ONE_PAGE_AND_ONE } from '../support/cast.ts';
import { openSite } from '../support/open-site.ts';

/* The drivers' page under a finger: what a tap was aimed at, and what must not vanish. */

const { site, browser } = await openSite('deno');
const PHONE = { width: 390, height: 844 } as const;
/** The pause within a double tap. */
const DOUBLE_TAP_MS = 180;
const TOWER = {
  addressLine: 'برج المملكة، شارع العليا، الرياض',
  cityCode: 'RUH',
  latitude: 24.794722,
  longitude: 46.626111,
};

/** A sandbox, and the page of its driver on a phone, signed in and on duty. */
async function atWork(prepare: (page: Page) => Promise<void> = () => Promise.resolve()) {
  const sandbox = await newSandbox(site);
  await widen(sandbox, ONE_PAGE_AND_ONE + 1);
  const window = await openWindow(browser, `${site.address}/driver?lang=en`, {
    ...{ viewport: PHONE, hasTouch: true, isMobile: true },
  });
  const { page } = window;
  await prepare(page);
  await page.reload();
  await page.getByLabel('Your mobile').fill(sandbox.phone);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  await page.getByText('On duty', { exact: true }).waitFor();
  return { sandbox, page, close: window.close };
}

async function widen({ company }: Sandbox, activeMax: number): Promise<void> {
  await site.sql(company.shard, 'update drivers set active_max = ? where company_id = ?', [
    activeMax,
    company.companyId,
  ]);
}

/** Shipments for one tower that the driver has led to this action. */
async function atTower(sandbox: Sandbox, count: number, last: 'ACCEPT' | 'PICK_UP' | 'ARRIVE'): Promise<string[]> {
  const driver = await sandbox.signIn();
  const ids: string[] = [];
  const way = ['ACCEPT', 'PICK_UP', 'DEPART', 'ARRIVE'];
  for (let index = 0; index < count; index += 1) {
    const { shipmentId } = await sandbox.create({ destination: TOWER });
    await sandbox.untilState(shipmentId, 'OFFERED');
    for (const action of way.slice(0, way.indexOf(last) + 1)) await driver.act(shipmentId, { action });
    ids.push(shipmentId);
  }
  return ids;
}

/** Taps the middle of a button once it can be tapped, and again at once at the same place. */
async function tapTwice(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  // A page that is still reading its list moves the button once more, and then neither tap would count.
  await expect.poll(() => standsStill(button)).toBe(true);
  const box = await button.boundingBox();
  if (box === null) throw new Error(`${name} is not shown`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.touchscreen.tap(x, y);
  await page.waitForTimeout(DOUBLE_TAP_MS);
  await page.touchscreen.tap(x, y);
  // Longer than it takes until a tap counts, and than the page needs to send.
  await page.waitForTimeout(1500);
}

/** Whether a button can be tapped, and stands at the same place a second later. */
async function standsStill(button: Locator): Promise<boolean> {
  const before = await button.boundingBox();
  await button.page().waitForTimeout(1000);
  const after = await button.boundingBox();
  const isReady = (await button.getAttribute('aria-disabled')) === 'false';
  return isReady && before?.x === after?.x && before?.y === after?.y;
}

const statesOf = (sandbox: Sandbox, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await sandbox.read(id)).state));

const me = z.looseObject({ driverId: z.string(), firstName: z.string() });

/** The session of the page, which a sign-in through the API would end. */
async function withSession(page: Page, sandbox: Sandbox): Promise<void> {
  const driver = await sandbox.signIn();
  // The page has forgotten its own session once the service refused it.
  const { driverId, firstName } = me.parse(await (await driver.get('/me')).json());
  await page.evaluate((session) => localStorage.setItem('driver-session', JSON.stringify(session)), {
    ...{ driverToken: driver.token, driverId, firstName },
  });
  await page.reload();
}

test.each([
  ['Delivered', 'ARRIVE', ['DELIVERED', 'OUT_FOR_DELIVERY']],
  ['Delivery failed', 'ARRIVE', ['DELIVERY_FAILED', 'OUT_FOR_DELIVERY']],
  ['Give the parcel back', 'ACCEPT', ['ACCEPTED', 'READY_FOR_DISPATCH']],
] as const)('a double tap on "%s" counts for one of two parcels at one door', async (name, last, expected) => {
  const { sandbox, page, close } = await atWork();
  const ids = await atTower(sandbox, 2, last);
  await withSession(page, sandbox);
  await page.getByRole('heading', { name: 'Your other parcels' }).waitFor();
  if (name !== 'Delivered') await page.getByText('Something is wrong').click();
  if (name === 'Delivery failed') await page.getByLabel('The recipient could not be reached').click();
  await tapTwice(page, name);
  // A failure can be undone for ten seconds.
  await expect
    .poll(async () => (await statesOf(sandbox, ids)).toSorted(), { timeout: 20_000 })
    .toEqual([...expected].toSorted());
  // The panel and its reason belonged to the first parcel.
  expect(await page.locator('.trouble .reasons').count()).toBe(0);
  await close();
});

test('a double tap on duty counts once, and so does one on an offer while another slides under the finger', async () => {
  const { sandbox, page, close } = await atWork();
  await tapTwice(page, 'Go off duty');
  await page.getByText('Off duty', { exact: true }).waitFor();
  await tapTwice(page, 'Go on duty');
  await page.getByText('On duty', { exact: true }).waitFor();
  const ids = [(await sandbox.create()).shipmentId];
  await page.getByRole('button', { name: 'Decline' }).waitFor();
  const first = await page.getByRole('button', { name: 'Decline' }).boundingBox();
  ids.push((await sandbox.create()).shipmentId);
  await expect.poll(() => page.getByRole('button', { name: 'Decline' }).count(), { timeout: 20_000 }).toBe(2);
  // The new offer came below.
  expect((await page.getByRole('button', { name: 'Decline' }).first().boundingBox())?.y).toBe(first?.y);
  await expect
    .poll(() => page.getByRole('button', { name: 'Decline' }).first().getAttribute('aria-disabled'))
    .toBe('false');
  const box = await page.getByRole('button', { name: 'Decline' }).first().boundingBox();
  if (box === null) throw new Error('No offer is shown');
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => page.getByRole('button', { name: 'Decline' }).count()).toBe(1);
  // The second offer has just taken the place.
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(1500);
  expect((await statesOf(sandbox, ids)).filter((state) => state === 'OFFERED')).toHaveLength(1);
  await close();
});

test('a cancelled parcel keeps its place, crossed out, until the driver understands, also after a reload', async () => {
  const { sandbox, page, close } = await atWork();
  const [first = '', second = ''] = await atTower(sandbox, 2, 'ACCEPT');
  await withSession(page, sandbox);
  await page.getByRole('heading', { level: 1, name: 'Go to the pickup location' }).waitFor();
  const shown = await page.locator('.task bdi').first().innerText();
  const numbers = await Promise.all([first, second].map(async (id) => (await sandbox.read(id)).shipmentNumber));
  const inHand = numbers[0] === shown ? first : second;
  await sandbox.merchant.cancel(inHand);
  const notice = page.getByRole('region', { name: 'Cancelled by the shop, do not go there' });
  await notice.waitFor({ timeout: 20_000 });
  expect(await notice.locator('s').first().innerText()).toBe(shown);
  // The other parcel has not taken its place.
  expect(await page.getByRole('button', { name: 'I have arrived' }).count()).toBe(0);
  await page.reload();
  await notice.waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Understood' }).getAttribute('aria-disabled')).toBe('false');
  await tapTwice(page, 'Understood');
  await page.getByRole('heading', { level: 1, name: 'Go to the pickup location' }).waitFor();
  expect(await notice.count()).toBe(0);
  expect((await statesOf(sandbox, [first, second])).toSorted()).toEqual(['ACCEPTED', 'CANCELLED']);
  expect((await sandbox.timeline(inHand === first ? second : first)).at(-1)).toBe('accepted DRIVER');
  await close();
});

test('all parcels are there, the active ones first, however many there are', async () => {
  const { sandbox, page, close } = await atWork();
  const [oldest = ''] = await atTower(sandbox, 1, 'ARRIVE');
  await atTower(sandbox, ONE_PAGE_AND_ONE - 1, 'ACCEPT');
  await withSession(page, sandbox);
  await page.getByText(`Parcels: ${ONE_PAGE_AND_ONE}`).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Hand over the parcel' }).waitFor();
  expect(await page.locator('.task bdi').first().innerText()).toBe((await sandbox.read(oldest)).shipmentNumber);
  expect(await page.getByRole('region', { name: 'Your other parcels' }).getByRole('button').count()).toBe(
    ONE_PAGE_AND_ONE - 1,
  );
  await close();
}, 240_000);

test('offers count down by the time of the service, also while the clock of the sandbox is ahead', async () => {
  const { sandbox, page, close } = await atWork();
  await advanceClock(sandbox, { seconds: 4 * 86_400 });
  await sandbox.create();
  const left = Number.parseInt(await page.getByText(/^\d+ s left$/).innerText(), 10);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60);
  await close();
});

/* These wait for most of their time, so they run at once. Such tests have an `expect` of their own. */

test.concurrent('a phone that stands still reports its position at least once a minute', async (own) => {
  const reports: { readonly atMs: number; readonly body: string }[] = [];
  const { page, close } = await atWork(async (opened) => {
    await opened.context().grantPermissions(['geolocation']);
    await opened.context().setGeolocation({ latitude: 24.7, longitude: 46.6, accuracy: 12.34 });
  });
  page.on('request', (request) => {
    if (!request.url().includes('driver.reportPosition')) return;
    reports.push({ atMs: performance.now(), body: request.postData() ?? '' });
  });
  await own.expect.poll(() => reports.length, { timeout: 100_000 }).toBe(2);
  const [first, second] = reports;
  expect(Number(second?.atMs) - Number(first?.atMs)).toBeLessThan(61_000);
  expect(first?.body).toContain('"accuracyMeters":"12.3"');
  await close();
}, 150_000);

test.concurrent.for(CLOCK_ERRORS_SECONDS)(
  'a phone whose clock is %i s off works like any other',
  async (seconds, own) => {
    const { sandbox, page, close } = await atWork(async (opened) => {
      const { latitude, longitude } = TOWER;
      await opened.context().grantPermissions(['geolocation']);
      await opened.context().setGeolocation({ latitude, longitude, accuracy: 12 });
      await opened.addInitScript((offMs) => {
        const now = Date.now.bind(Date);
        const Real = Date;
        globalThis.Date = class extends Real {
          constructor(...given: [number]) {
            super(...((given as readonly unknown[]).length === 0 ? ([now() + offMs] as [number]) : given));
          }
          static override now = () => now() + offMs;
        } as DateConstructor;
      }, seconds * 1000);
    });
    const { shipmentId } = await sandbox.create({ destination: TOWER });
    const left = await page.getByText(/^\d+ s left$/).innerText();
    expect(Number.parseInt(left, 10)).toBeLessThanOrEqual(60);
    for (const name of ['Accept', 'I have arrived', 'I have the parcel', 'Start the delivery', 'I have arrived'])
      await page.getByRole('button', { name, exact: true }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Delivered', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'No parcel now' }).waitFor();
    await own.expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('DELIVERED');
    expect(await page.getByText('This was not accepted').count()).toBe(0);
    const select = 'select pickup_arrival from offers where shipment_id = ?';
    const [row] = await site.sql(sandbox.company.shard, select, [shipmentId]);
    const { arrivedAt, position } = JSON.parse(String(row?.['pickup_arrival']));
    expect(Math.abs(Date.parse(position.positionAt) - Date.parse(arrivedAt))).toBeLessThan(15_000);
    await close();
  },
);
