import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openWindow, startBrowser, type Window } from '../shared/browser.ts';
import { failWith, isCommand } from '../shared/command.ts';
import type { Environment } from '../shared/connection.ts';
import { type Desk, newDesk } from '../shared/console.ts';
import { journeyTo } from '../shared/journeys.ts';
import { answering, startReceiver } from '../shared/receiver.ts';
import { advanceClock } from '../shared/sandbox.ts';
import { type JsonObject, shipmentBody } from '../shared/shipments.ts';
import { startSite } from '../shared/site.ts';
import { createLink } from '../shared/tracking.ts';
import { webhooksOf } from '../shared/webhooks.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1200, height: 800 };
/** For fonts, and for requests that a page sends after it was drawn. */
const SETTLED = 'networkidle';

/** Takes the screenshots of the README: real pages of a running service with a company in the middle of its week. */
async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const receiver = await startReceiver(answering(500));
  const [site, browser] = await Promise.all([startSite('deno'), startBrowser()]);
  try {
    const { path } = await journeyTo(site, 'out for delivery');
    const desk = await newDesk(browser, site);
    const shipmentId = await workForAWeek(site, desk, receiver.url);
    const shots: Readonly<Record<string, () => Promise<Window>>> = {
      tracking: () => openWindow(browser, `${site.address}${path}?lang=ar`, { viewport: PHONE, deviceScaleFactor: 2 }),
      console: () => desk.open('?lang=en', { viewport: DESK }),
      shipments: () => desk.open(`/shipments?lang=ar&columns=${COLUMNS}`, { viewport: DESK }),
      shipment: () => desk.open(`/shipments/${shipmentId}?lang=ar`, { viewport: DESK, colorScheme: 'dark' }),
      webhook: async () => {
        const window = await desk.open('/webhooks/deliveries?lang=en', { viewport: DESK, colorScheme: 'dark' });
        await window.page.getByRole('link', { name: 'shipment.created' }).first().click();
        await window.page.locator('.exchange .answer').waitFor();
        await bringToTop(window.page.getByRole('heading', { level: 1 }));
        return window;
      },
      requests: () => desk.open('/requests?lang=en', { viewport: DESK }),
      sandbox: async () => {
        const window = await desk.open('/sandbox?lang=ar', { viewport: PHONE, deviceScaleFactor: 2 });
        await bringToTop(window.page.locator('.part').filter({ has: window.page.locator('.dial') }));
        return window;
      },
      reference: async () => {
        const window = await desk.open('', { viewport: DESK });
        await window.page.goto(`${site.address}/docs/shipments?lang=en`);
        const operation = window.page.locator('[aria-labelledby="shipments-create"]');
        await operation.locator('.trial summary').click();
        await operation.getByRole('button', { name: 'Send' }).click();
        await operation.getByText('HTTP 201').waitFor();
        await bringToTop(operation.locator('.trial'));
        return window;
      },
    };
    for (const [name, open] of Object.entries(shots)) {
      const window = await open();
      await window.page.waitForLoadState(SETTLED);
      // Nothing looks hovered.
      await window.page.mouse.move(0, 0);
      await window.page.screenshot({ path: join(FOLDER, `${name}.png`) });
      await window.close();
      console.log(`docs/screenshots/${name}.png`);
    }
  } finally {
    await browser.close();
    await site.stop();
    await receiver.close();
  }
}

const COLUMNS = 'city,cod,driver,lastEvent,createdAt';
/** How many shipments are delivered on each of the days before today. */
const DAYS = [3, 5, 2, 4, 6] as const;
const DAY_SECONDS = 86_400;
const RECIPIENTS = ['ريم الدوسري', 'Faisal Al-Otaibi', 'لمى الشهري', 'Huda Al-Ghamdi', 'نورة القحطاني'] as const;

/** Days with delivered shipments, and today shipments in several states. Answers one that is on its way. */
async function workForAWeek(site: Environment, { sandbox }: Desk, receiverUrl: string): Promise<string> {
  let number = 1040;
  const create = (changes: JsonObject = {}) => {
    number += 1;
    const name = RECIPIENTS[number % RECIPIENTS.length] ?? '';
    const cash = number % 2 === 0 ? { codAmount: 120.5 + number, paymentMethod: 'COD' } : {};
    const recipient = { name, phone: `05012${number}5` };
    return sandbox.create({ externalReference: `ORDER-${number}`, recipient, ...cash, ...changes });
  };
  const play = async (scenario: string, state: string) => {
    const { shipmentId } = await create();
    await sandbox.play(shipmentId, scenario);
    await sandbox.untilState(shipmentId, state);
  };
  for (const count of DAYS) {
    for (let done = 0; done < count; done += 1) await play('HAPPY_PATH', 'DELIVERED');
    await advanceClock(sandbox, { seconds: DAY_SECONDS });
  }
  await (await webhooksOf(site, sandbox.merchant)).add(`${receiverUrl}/orders`, { description: 'Warehouse' });
  await play('HAPPY_PATH', 'DELIVERED');
  await play('RECIPIENT_REFUSED', 'DELIVERY_FAILED');
  await play('NO_DRIVER', 'DISPATCH_UNRESOLVED');
  for (const changes of [{ recipient: { name: 'Reem', phone: '12' } }, { declaredValue: -1 }, { branchCode: 'NONE' }])
    await sandbox.merchant.postShipment(shipmentBody(sandbox.company, changes));
  const driver = await sandbox.signIn();
  const { shipmentId } = await create();
  await createLink(sandbox.merchant, shipmentId, { expiresInSeconds: 3 * DAY_SECONDS, label: 'WhatsApp' });
  await sandbox.untilState(shipmentId, 'OFFERED');
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART']) await driver.act(shipmentId, { action });
  await sandbox.untilState(shipmentId, 'OUT_FOR_DELIVERY');
  await create();
  return shipmentId;
}

async function bringToTop(target: Locator): Promise<void> {
  // Below the strip that stays at the top.
  await target.evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 48));
}

if (isCommand(import.meta.filename)) {
  try {
    await takeScreenshots();
    process.exit(0);
  } catch (error) {
    failWith(error);
  }
}
