import type { Page, WebSocket } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers, openWindow, type Window } from '../../scripts/shared/browser.ts';
import { act, type Case, type Journey, journeyTo } from '../../scripts/shared/journeys.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { linksOf, revokeLink } from '../../scripts/shared/tracking.ts';
import { LOGO_BYTES_MAX } from '../../src/contract/media-asset-state.ts';
import { SHIPMENT_SOCKETS_MAX } from '../../src/service/change-sockets.ts';
import { watch } from '../support/change-sockets.ts';
import { pngOf, pngOfPixels } from '../support/files.ts';
import { openSite } from '../support/open-site.ts';
import { watchFiles } from '../support/page-load.ts';
import { trpcClient } from '../support/trpc.ts';

const { site, browser } = await openSite('worker');

/** All tests of a case share one shipment. */
const journeys = new Map<Case, Promise<Journey>>();
function journeyOf(name: Case): Promise<Journey> {
  const journey = journeys.get(name) ?? journeyTo(site, name);
  journeys.set(name, journey);
  return journey;
}

/** The case of a company with a contact and a logo of the largest size. */
let branded: Promise<Journey> | undefined;
function brandedJourney(): Promise<Journey> {
  branded ??= (async () => {
    const journey = await journeyOf('out for delivery');
    const owner = await addPerson(site, journey.sandbox.company);
    const call = trpcClient(site, await addSession(site, owner, { assurance: 'AAL2' })).trackingBrand;
    const base64 = Buffer.from(pngOf(LOGO_BYTES_MAX, pngOfPixels(320, 96))).toString('base64');
    await call.setLogo.mutate({ ifMatch: '*', logo: { contentType: 'image/png', base64 } });
    await call.setContact.mutate({ ifMatch: '*', phone: PHONE, whatsApp: PHONE, showsContact: true });
    return journey;
  })();
  return branded;
}
const PHONE = '+966112345678';

const headingOf = (page: Page) => page.locator('h1').innerText();

test('shows steps, amount, driver and a stale position in words', async () => {
  const text = async (name: Case) => {
    const window = await openWindow(browser, `${site.address}${(await journeyOf(name)).path}?lang=en`);
    const main = await window.page.locator('main').innerText();
    await window.close();
    return main;
  };
  expect(await text('out for delivery')).toMatch(
    /Arriving between \d\d:\d[05] and \d\d:\d[05]\s+Salem is bringing your parcel by \w+\.[\s\S]*Driver at \d\d:\d\d/,
  );
  expect(await text('position too old')).toMatch(/The last position of the driver is from \d\d:\d\d\./);
  expect(await text('looking for a driver')).toMatch(/Expected on \w+ 31 January, between \d\d:\d\d and \d\d:\d\d/);
  expect(await text('looking for a driver')).toContain('94.50 Saudi riyals, to the driver');
  expect(await text('delivered')).toMatch(/^Paid\s+94\.50 Saudi riyals, to the driver$/m);
  expect(await text('failed')).not.toMatch(/^Delivered$/m);
});

test.each([
  ['en', 2, 'light'],
  ['ar', 4, 'dark'],
] as const)('needs in %s at most 60 kB with an empty cache, of them %d fonts', async (lang, fonts, colorScheme) => {
  const { path, sandbox } = await brandedJourney();
  const window = await openWindow(browser, 'about:blank', { colorScheme, viewport: { width: 320, height: 800 } });
  const filesOf = watchFiles(window.page);
  await window.page.goto(`${site.address}${path}?lang=${lang}`);
  await window.page.evaluate(() => document.fonts.ready);
  await window.page.waitForLoadState('networkidle');
  const all = await filesOf();
  expect(all.filter(({ url }) => url.endsWith('.woff2'))).toHaveLength(fonts);
  const logos = all.filter(({ url }) => url.includes('/logos/'));
  expect(logos).toEqual([{ url: expect.any(String), bytes: LOGO_BYTES_MAX }]);
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(60_000);
  const logo = window.page.getByRole('img', { name: sandbox.company.name });
  expect(await logo.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(320);
  expect(
    await window.page.locator('#help a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual([`tel:${PHONE}`, `https://wa.me/${PHONE.slice(1)}`]);
  expect(await findBarriers(window.page)).toEqual([]);
  expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // The window began on another page, so each request counts as one to another site.
  expect(window.faults.filter((fault) => !fault.startsWith('asked for'))).toEqual([]);
  await window.close();
});

test('shows everything without a script', async () => {
  const { path, shipmentNumber } = await journeyOf('out for delivery');
  const window = await openWindow(browser, `${site.address}${path}?lang=ar`, { javaScriptEnabled: false });
  expect(await headingOf(window.page)).toBe('الشحنة في الطريق إليك');
  expect(await window.page.locator('#parcel').innerText()).toContain(shipmentNumber);
  expect(await window.page.locator('.drawing .driver').count()).toBe(1);
  expect(await window.page.locator('button:visible').count()).toBe(0);
  await window.page.getByRole('link', { name: 'English' }).click();
  expect(await headingOf(window.page)).toBe('Out for delivery');
  // The next link keeps the chosen language.
  await window.page.goto(`${site.address}${(await journeyOf('delivered')).path}`);
  expect(await headingOf(window.page)).toBe('Delivered');
  await window.page.getByLabel('5 stars').check();
  await window.page.getByRole('button', { name: 'Send rating' }).click();
  await window.page.getByText('Rated with 5 stars. Thank you.').waitFor();
  expect(await window.page.locator('form').count()).toBe(0);
  // The page has moved to the rating, and the strip does not cover its heading.
  const boxes = [window.page.locator('.strip'), window.page.locator('#rating h2')].map((one) => one.boundingBox());
  const [strip, heading] = await Promise.all(boxes);
  expect(heading?.y).toBeGreaterThan((strip?.y ?? 0) + (strip?.height ?? 0));
  await window.close();
});

test('copies the number and announces it', async () => {
  const { path, shipmentNumber } = await journeyOf('accepted');
  const window = await openWindow(browser, `${site.address}${path}?lang=en`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await window.page.getByRole('button', { name: 'Copy' }).click();
  await window.page.getByText('Number copied.').waitFor({ state: 'attached' });
  expect(await window.page.evaluate(() => navigator.clipboard.readText())).toBe(shipmentNumber);
  await window.close();
});

describe('while it is open', () => {
  /** A window with a fake clock, its sockets, and the statuses of its requests. Only fonts may load later. */
  async function openWithClock(path: string): Promise<Window & { readonly answers: number[]; sockets: WebSocket[] }> {
    const window = await openWindow(browser, `${site.address}${path}?lang=en`);
    await window.page.clock.install();
    const sockets: WebSocket[] = [];
    window.page.on('websocket', (socket) => sockets.push(socket));
    await window.page.reload();
    const answers: number[] = [];
    window.page.on('response', (response) => {
      if (response.request().resourceType() !== 'font') answers.push(response.status());
    });
    return { ...window, answers, sockets };
  }
  const tick = async ({ page }: Window) => {
    const answered = page.waitForResponse((response) => response.url().includes('/t/'));
    await page.clock.fastForward(15_000);
    await answered;
  };
  const settled = (page: Page, heading: string) => page.locator('h1', { hasText: heading }).waitFor();

  test('refreshes every 15 seconds, gets 304, then shows and announces changes until the end', async () => {
    const journey = await journeyTo(site, 'accepted');
    const window = await openWithClock(journey.path);
    const { page, answers } = window;
    await tick(window);
    await tick(window);
    expect(answers).toEqual([304, 304]);
    await page.locator('.copy').focus();
    await act(journey, 'PICK_UP');
    await tick(window);
    await settled(page, 'The driver has collected it');
    expect(await page.locator('#news').innerText()).toMatch(/^The driver has collected it\. Expected on /);
    expect(await page.title()).toMatch(/^The driver has collected it · /);
    // Unchanged sections keep their elements.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('copy');
    for (const [action, heading] of [
      ['DEPART', 'Out for delivery'],
      ['DELIVER', 'Delivered'],
    ] as const) {
      await act(journey, action);
      await tick(window);
      await settled(page, heading);
    }
    expect(await findBarriers(page)).toEqual([]);
    const asked = answers.length;
    await page.clock.runFor(60_000);
    expect(answers).toHaveLength(asked);
    // The policy of the page that was opened first allows the form that a refresh has brought.
    await page.getByLabel('1 star', { exact: true }).check();
    await page.getByRole('button', { name: 'Send rating' }).click();
    await page.getByText('Rated with 1 star. Thank you.').waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('shows a change at once when its socket tells of it', async () => {
    const journey = await journeyTo(site, 'accepted');
    const window = await openWithClock(journey.path);
    const { page, sockets, answers } = window;
    const polled = page.waitForResponse((response) => response.url().includes('/t/'));
    await page.clock.pauseAt(Date.now() + 60_000);
    await polled;
    await expect.poll(() => sockets.length).toBe(1);
    const told: unknown[] = [];
    sockets[0]?.on('framereceived', ({ payload }) => told.push(payload));
    const asked = answers.length;
    for (const action of ['PICK_UP', 'DEPART']) await act(journey, action);
    await expect.poll(() => told.filter((message) => message === 'changed')).toHaveLength(2);
    // The next poll is 15 seconds after the last.
    for (let second = 0; second < 7; second += 1) await page.clock.runFor(1_000);
    await settled(page, 'Out for delivery');
    expect(answers.slice(asked).filter((status) => status === 200)).toHaveLength(1);
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('polls while there is no room for its socket, and opens one later', async () => {
    const journey = await journeyTo(site, 'accepted');
    const token = journey.path.slice('/t/'.length);
    const others = await Promise.all(
      Array.from({ length: SHIPMENT_SOCKETS_MAX }, () =>
        watch({ address: site.address, baseUrl: site.address }, token),
      ),
    );
    const window = await openWithClock(journey.path);
    const { page, sockets } = window;
    await expect.poll(() => sockets.map((socket) => socket.isClosed())).toEqual([true]);
    await act(journey, 'PICK_UP');
    await tick(window);
    await settled(page, 'The driver has collected it');
    for (const other of others) other.close();
    const told: unknown[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(payload)));
    await expect
      .poll(async () => {
        await tick(window);
        return told;
      })
      .toContain('pong');
    await window.close();
  });

  test('does not refresh while hidden, and refreshes at once when visible again', async () => {
    const window = await openWithClock((await journeyOf('accepted')).path);
    const { page, answers, sockets } = window;
    await expect.poll(() => sockets.length).toBe(1);
    const setHidden = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await setHidden(true);
    await page.clock.runFor(120_000);
    expect(answers).toEqual([]);
    await expect.poll(() => sockets[0]?.isClosed()).toBe(true);
    const answered = page.waitForResponse((response) => response.url().includes('/t/'));
    await setHidden(false);
    await page.clock.runFor(1);
    await answered;
    expect(answers).toEqual([304]);
    await expect.poll(() => sockets.length).toBe(2);
    await window.close();
  });

  test('a revoked link shows the same page as an unknown link', async () => {
    const journey = await journeyTo(site, 'accepted');
    const window = await openWithClock(journey.path);
    const link = `${linksOf(journey.shipmentId)}/${journey.linkId}`;
    expect((await revokeLink(site, journey.sandbox, link, '*')).status).toBe(204);
    await tick(window);
    await settled(window.page, 'This link does not work');
    expect(await window.page.locator('main').innerText()).not.toContain(journey.shipmentNumber);
    expect(await window.page.title()).toBe('This link does not work');
    await window.close();
  });

  test('shows a notice while there is no network, and removes it afterwards', async () => {
    const window = await openWithClock((await journeyOf('accepted')).path);
    const { page } = window;
    const notice = page.locator('#outdated');
    await page.context().setOffline(true);
    await page.clock.runFor(15_000);
    await notice.waitFor({ state: 'visible' });
    expect(await headingOf(page)).toBe('The driver is on the way to collect it');
    await page.context().setOffline(false);
    await tick(window);
    await notice.waitFor({ state: 'hidden' });
    await window.close();
  });
});

test('the page of an invalid link passes axe', async () => {
  const window = await openWindow(browser, `${site.address}/t/nothing?lang=ar`, {
    viewport: { width: 320, height: 700 },
  });
  expect(await headingOf(window.page)).toBe('هذا الرابط لا يعمل');
  expect(await findBarriers(window.page)).toEqual([]);
  // Chromium logs the status.
  expect(window.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  await window.close();
});
