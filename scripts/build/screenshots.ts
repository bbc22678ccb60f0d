import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { openWindow, startBrowser, type Window } from '../shared/browser.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { newDesk } from '../shared/console.ts';
import { journeyTo } from '../shared/journeys.ts';
import { startSite } from '../shared/site.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 860 };
/** For fonts, and for requests that a page sends after it was drawn. */
const SETTLED = 'networkidle';

/** Takes the screenshots of the README: real pages of a running service with a shipment on its way. */
async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const [site, browser] = await Promise.all([startSite('deno'), startBrowser()]);
  try {
    const { path, shipmentId } = await journeyTo(site, 'out for delivery');
    const desk = await newDesk(browser, site);
    for (let count = 0; count < 5; count += 1) await desk.sandbox.create();
    const { shipmentId: own } = await desk.sandbox.create();
    const at = (address: string, options: BrowserContextOptions) =>
      openWindow(browser, site.address + address, options);
    const shots: readonly (readonly [name: string, open: () => Promise<Window>])[] = [
      ['tracking', () => at(`${path}?lang=ar`, { viewport: PHONE, colorScheme: 'light', deviceScaleFactor: 2 })],
      ['console', () => desk.open('?lang=en', { viewport: DESK, colorScheme: 'light' })],
      ['shipment', () => desk.open(`/shipments/${own}?lang=ar`, { viewport: DESK, colorScheme: 'dark' })],
      ['sandbox', () => desk.open('/sandbox?lang=ar', { viewport: PHONE, colorScheme: 'light', deviceScaleFactor: 2 })],
      ['reference', () => at('/docs?lang=en', { viewport: DESK, colorScheme: 'light' })],
    ];
    console.log(`Shipment ${shipmentId}`);
    for (const [name, open] of shots) {
      const window = await open();
      await window.page.waitForLoadState(SETTLED);
      await window.page.screenshot({ path: join(FOLDER, `${name}.png`) });
      await window.close();
      console.log(`docs/screenshots/${name}.png`);
    }
  } finally {
    await browser.close();
    await site.stop();
  }
}

if (isCommand(import.meta.filename)) {
  try {
    await takeScreenshots();
    process.exit(0);
  } catch (error) {
    failWith(error);
  }
}
