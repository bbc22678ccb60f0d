import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow, startBrowser } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { journeyTo } from '../../scripts/shared/journeys.ts';
import { PERMISSIONS, signInRecipient } from '../../scripts/shared/recipients.ts';
import { localArchive } from '../../scripts/shared/routing/local-archive.ts';
import { writeArchive } from '../../scripts/shared/routing/pmtiles-writer.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';
import { watchFiles } from '../support/page-load.ts';
import { startStreets } from '../support/street-archive.ts';

/* The map over the archive of the deployment, which has the streets of Riyadh. */

const streets = await startStreets();
afterAll(() => streets.stop());
const { site, browser } = await openSite('deno', streets.variables);
const desk = await newDesk(browser, site);

const ARCHIVE = '**/map/streets.pmtiles';
const PHONE = { width: 390, height: 844 } as const;
const DESK = { width: 1440, height: 900 } as const;
/** The place of RRRD2929. */
const PLACE = { latitude: 24.7743, longitude: 46.6572 } as const;

const mapOn = (page: Page) => page.locator('.map:not(.loading)');
const isOfMap = (url: string) => /\/map-(?!view|words)[\w-]+\.(?:js|css)$|maplibre/.test(url);
const shot = async (page: Page, name: string) => {
  const folder = process.env['SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** Drags the pin by so many pixels: with a finger on a phone. */
async function dragPin(page: Page, right: number, down: number, isByFinger = false): Promise<void> {
  await page.locator('.pin').scrollIntoViewIfNeeded();
  const box = await page.locator('.pin').boundingBox();
  if (box === null) throw new Error('There is no pin.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (isByFinger) {
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove', part: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: x + right * part, y: y + down * part }] });
    await touch('touchStart', 0);
    for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', part);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return;
  }
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 4 });
  await page.mouse.up();
}

describe('the form for a shipment', () => {
  test.each([PHONE, DESK])('puts the pin where the address is, and follows it, at %o', async (viewport) => {
    const hasTouch = viewport === PHONE;
    const window = await desk.open('/shipments/new?lang=ar', { viewport, hasTouch });
    const { page } = window;
    const filesOf = watchFiles(page);
    await page.getByLabel('العنوان', { exact: true }).fill('RRRD2929');
    const choice = page.locator('.places button');
    await choice.waitFor();
    expect((await filesOf()).filter(({ url }) => isOfMap(url) || url.includes('/map/'))).toEqual([]);
    await choice.click();
    await mapOn(page).waitFor();
    const degrees = async () => {
      const fields = ['خط العرض', 'خط الطول'].map((label) => page.getByLabel(label).inputValue());
      const [latitude, longitude] = (await Promise.all(fields)).map(Number);
      return { latitude, longitude };
    };
    expect(await degrees()).toEqual(PLACE);
    await dragPin(page, 60, 40, hasTouch);
    await expect.poll(degrees).not.toEqual(PLACE);
    const dragged = await degrees();
    expect(dragged.longitude).toBeGreaterThan(PLACE.longitude);
    expect(dragged.latitude).toBeLessThan(PLACE.latitude);
    await page.locator('.pin').press('ArrowUp');
    await expect.poll(async () => (await degrees()).latitude).toBeGreaterThan(dragged.latitude ?? 0);
    await page.getByRole('button', { name: 'ضع الدبوس في وسط الخريطة' }).press('Enter');
    // The map itself has not moved, so its middle is where the pin was at first.
    await expect.poll(async () => (await degrees()).latitude).toBeCloseTo(PLACE.latitude, 4);
    await shot(page, `map-form-${viewport.width}`);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    const code = (await filesOf()).filter(({ url }) => isOfMap(url));
    // The library, its worker and its styles.
    expect(code).toHaveLength(3);
    expect(code.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(480_000);
    expect(unexpected(window)).toEqual([]);
    await window.close();
  });

  test('takes the place from the pin while no place can be suggested', async () => {
    const window = await desk.open('/shipments/new?from=sandbox', { viewport: DESK });
    const { page } = window;
    await page.route('**/trpc/nationalAddresses.suggest*', (route) => route.abort());
    await page.getByLabel('Address', { exact: true }).fill('Takhassusi Street');
    await page.getByText('The pin is at the pickup location.').waitFor();
    await mapOn(page).waitFor();
    expect(await page.getByLabel('Latitude').inputValue()).toBe('');
    await dragPin(page, -50, 0);
    await expect.poll(() => page.getByLabel('Latitude').inputValue()).toMatch(/^24\.\d{4,6}$/);
    expect(await page.getByLabel('Longitude').inputValue()).toMatch(/^46\.\d{4,6}$/);
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('Takhassusi Street');
    await window.close();
  });
});

const { shipmentId: shown } = await desk.sandbox.create();
const PAGE = `/shipments/${shown}`;
const whole = readFileSync(await localArchive());

describe('the page of a shipment', () => {
  test('keeps the drawing and says why, without WebGL', async () => {
    const without = await startBrowser('--disable-3d-apis');
    const other = await newDesk(without, site);
    const { shipmentId: own } = await other.sandbox.create();
    const window = await other.open(`/shipments/${own}`);
    const { page } = window;
    const filesOf = watchFiles(page);
    await page.locator('.route svg .destination').first().scrollIntoViewIfNeeded();
    await page.getByText('This browser cannot show the map. The drawing shows the same places.').waitFor();
    expect(await page.getByRole('img', { name: 'Pickup, destination and driver, north up' }).isVisible()).toBe(true);
    expect((await filesOf()).filter(({ url }) => isOfMap(url))).toEqual([]);
    await page.goto(`${site.address}/console/shipments/new?from=sandbox`);
    await page.locator('.map-place').scrollIntoViewIfNeeded();
    await page.getByText('This browser cannot show the map. Set the exact place below.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(unexpected(window)).toEqual([]);
    await without.close();
  });

  const pictures = Buffer.from(whole);
  // The header names PNG.
  pictures.writeUInt8(2, 99);
  const others = writeArchive({
    tiles: [{ zoom: 0, column: 0, row: 0, bytes: new Uint8Array() }],
    bounds: { west: 46, south: 24, east: 47, north: 25 },
    metadata: { vector_layers: [{ id: 'transportation', fields: {} }] },
  });
  const rangeOf = (file: Buffer) => (route: Route) => {
    const [first = 0, last = 0] = (/(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? [])
      .slice(1)
      .map(Number);
    return route.fulfill({ status: 206, body: file.subarray(first, last + 1) });
  };
  test.each([
    ['is away', (route: Route) => route.fulfill({ status: 503, body: '' })],
    ['does not answer', (route: Route) => route.abort()],
    ['is a page', (route: Route) => route.fulfill({ body: '<!doctype html><title>Not found</title>' })],
    ['has pictures', rangeOf(pictures)],
    ['has other layers', rangeOf(others)],
    [
      'breaks off after its head',
      (route: Route) => (route.request().headers()['range']?.startsWith('bytes=0-') ? route.continue() : route.abort()),
    ],
  ] as const)('keeps the drawing if the archive %s', async (_, answer) => {
    const window = await desk.open('/places');
    const { page } = window;
    await page.route(ARCHIVE, answer);
    await page.goto(`${site.address}/console${PAGE}`);
    await page.locator('.route').scrollIntoViewIfNeeded();
    await page.getByText('The map is not available now. The drawing shows the same places.').waitFor();
    expect(await page.getByRole('img', { name: 'Pickup, destination and driver, north up' }).isVisible()).toBe(true);
    expect(await page.locator('.map').count()).toBe(0);
    await window.close();
  });

  test('shows the map in place of the drawing, and goes on after the archive was away', async () => {
    const window = await desk.open(`${PAGE}?lang=ar`, { viewport: PHONE, colorScheme: 'dark' });
    const { page } = window;
    await page.locator('.route').scrollIntoViewIfNeeded();
    await mapOn(page).waitFor();
    const canvas = page.getByRole('region', { name: 'موقع الاستلام والوجهة والسائق، والشمال في الأعلى' });
    expect(await page.locator('.route .map-drawing > svg').isVisible()).toBe(false);
    expect(await page.locator('.map .spot').count()).toBe(2);
    expect(await page.locator('.map .credit').innerText()).toBe('© OpenStreetMap');
    await shot(page, 'map-shipment-390-dark');
    expect(await findBarriers(page)).toEqual([]);
    expect(unexpected(window)).toEqual([]);
    await page.route(ARCHIVE, (route) => route.fulfill({ status: 404, body: '' }));
    for (let presses = 0; presses < 3; presses += 1) await canvas.press('=');
    await page.getByText('بعض أجزاء الخريطة غير متاحة الآن.').waitFor();
    await page.unroute(ARCHIVE);
    // If the first try after four seconds still fails, the map knows of the second 16 seconds after the failure.
    await expect.poll(() => page.locator('.map-trouble').innerText(), { timeout: 30_000 }).toBe('');
    expect(await mapOn(page).count()).toBe(1);
    await window.close();
  });
});

describe('the tracking page', () => {
  test('shows a map by a tap only, with nothing that the drawing does not show', async () => {
    const { path } = await journeyTo(site, 'out for delivery');
    const window = await openWindow(browser, `${site.address}${path}?lang=ar`, { viewport: PHONE, hasTouch: true });
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const show = page.getByRole('button', { name: 'عرض على الخريطة' });
    await show.waitFor();
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(asked.filter((url) => isOfMap(url) || url.includes('/map/'))).toEqual([]);
    await show.tap();
    await mapOn(page).waitFor();
    expect(await show.isVisible()).toBe(false);
    // The driver; both ends are areas.
    expect(await page.locator('.map .spot').count()).toBe(1);
    await shot(page, 'map-tracking-390');
    expect(await findBarriers(page)).toEqual([]);
    const styleOf = () => page.locator('.map .maplibregl-marker').getAttribute('style');
    const before = await styleOf();
    // The section is replaced, and the map stays, with the focus.
    const canvas = page.locator('.map canvas');
    await canvas.focus();
    await page.route(`**${path}*`, async (route) => {
      const answer = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } });
      const text = await answer.text();
      await route.fulfill({ response: answer, body: text.replace(/(class="driver" cx=")[\d.]+/, '$1100') });
    });
    await expect.poll(styleOf, { timeout: 25_000 }).not.toBe(before);
    expect(await page.locator('#way .map').count()).toBe(1);
    expect(await canvas.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await show.isVisible()).toBe(false);
    expect(window.faults).toEqual([]);
    await window.close();
  });
});

describe('the page of the recipient', () => {
  test('takes another place from the pin', async () => {
    const phone = `+9665${String(Date.now()).slice(-8)}`;
    const { shipmentId } = await desk.sandbox.create({
      recipient: { name: 'Huda', phone },
      destination: { addressLine: 'حي الورود، شارع العليا 12', cityCode: 'RUH', ...PLACE },
    });
    await desk.sandbox.untilState(shipmentId, 'OFFERED');
    const { token } = await createLink(desk.sandbox.merchant, shipmentId, { permissions: PERMISSIONS });
    const { recipientToken } = await signInRecipient(site, token, phone);
    const window = await openWindow(browser, 'about:blank', { viewport: PHONE, hasTouch: true });
    const { page } = window;
    await page.setExtraHTTPHeaders({ authorization: `Bearer ${recipientToken}` });
    await page.goto(`${site.address}/t/${token}/delivery?lang=ar`);
    await page.getByText('لا، أريد تغييره').click();
    await page.getByRole('button', { name: 'حدّد المكان على الخريطة' }).click();
    await mapOn(page).waitFor();
    await dragPin(page, 0, 60, true);
    await shot(page, 'map-recipient-390');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'اعتمد موضع الدبوس' }).click();
    await page.getByRole('heading', { name: 'هل هو هنا؟' }).waitFor();
    await page.getByLabel('ما يبحث عنه السائق').fill('شارع العليا 14');
    await page.getByRole('button', { name: 'نعم، التوصيل هنا' }).click();
    await page.getByText(/تم تغيير/).waitFor();
    const { destination } = await desk.sandbox.read(shipmentId);
    expect(destination).toMatchObject({ longitude: expect.closeTo(PLACE.longitude, 4), addressLine: 'شارع العليا 14' });
    expect(destination).toMatchObject({ latitude: expect.closeTo(PLACE.latitude - 0.0022, 2) });
    expect(destination).not.toMatchObject({ latitude: PLACE.latitude });
    await window.close();
  });
});
