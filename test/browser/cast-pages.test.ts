import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openWindow } from '../../scripts/shared/browser.ts';
import { type SignedIn, signedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { newSandbox, RIYADH, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { ADDRESSES, NAMES, ONE_PAGE_AND_ONE } from '../support/cast.ts';
import { openSite } from '../support/open-site.ts';

/* Every page, on a phone and in Arabic, with a company whose shipments have the names and addresses of the cast. */

const { site, browser } = await openSite('deno');
const PHONE = { width: 390, height: 844 };
const EVERY = Array.from({ length: ONE_PAGE_AND_ONE }, (_, index) => index);
const nameAt = (index: number) => NAMES[index % NAMES.length]?.name ?? '';
const addressAt = (index: number) => ADDRESSES[index % ADDRESSES.length]?.line ?? '';

let sandbox: Sandbox;
let owner: SignedIn;
let operator: SignedIn;
const shipments: { shipmentId: string; token: string }[] = [];
beforeAll(async () => {
  sandbox = await newSandbox(site);
  // They wait for an approval, so that the operators' queue has one more than a page.
  await setApprovalPolicy(site, sandbox.company, 'MANUAL');
  owner = await signedIn(site, sandbox.company, { assurance: 'AAL2' });
  operator = await signedInOperator(site);
  for (const index of EVERY) {
    const { shipmentId } = await sandbox.create({
      externalReference: `CAST-${index}`,
      recipient: { name: nameAt(index), phone: '0512345678' },
      destination: { ...RIYADH, addressLine: addressAt(index) },
    });
    if (index < NAMES.length) shipments.push({ shipmentId, ...(await createLink(sandbox.merchant, shipmentId)) });
  }
}, 240_000);

/** Each area of the console and of operators' pages. test/house-cast.test.ts compares them with those that exist. */
const AREAS = {
  console: [
    '',
    'shipments',
    'complaints',
    'money',
    'webhooks',
    'requests',
    'places',
    'tracking-page',
    'credentials',
    'people',
    'sandbox',
  ],
  operations: [
    ...['', 'shipments', 'cases', 'registrations', 'drivers', 'service-levels', 'tariffs', 'companies', 'identifiers'],
    ...['programs', 'audit', 'deployment'],
  ],
} as const;
const PAGES = Object.entries(AREAS).flatMap(([page, areas]) =>
  areas.map((area) => [`/${page}${area === '' ? '' : `/${area}`}`] as const),
);

async function open(path: string) {
  const { storageState } = path.startsWith('/operations') ? operator : owner;
  const window = await openWindow(browser, `${site.address}${path}`, { storageState, viewport: PHONE, locale: 'ar' });
  await window.page.locator('h1').first().waitFor();
  await window.page.waitForLoadState('networkidle');
  return window;
}

/** A page that is wider than a phone hides what stands at its end. */
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
}

/** Labels leave out marks of direction, and isolate numbers by marks of their own. */
const printed = (text: string) => text.replaceAll(/\p{Cf}/gu, '');
const textOf = (page: Page) => page.evaluate(() => document.body.textContent ?? '');

test.each(PAGES)('%s opens without an error and fits a phone', async (path) => {
  const window = await open(`${path}?lang=ar`);
  await expectToFit(window.page);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('the list of shipments has all 51, with the names as they were typed', async () => {
  const window = await open('/console/shipments?lang=ar');
  const rows = window.page.getByRole('row').filter({ has: window.page.getByRole('link') });
  await expect.poll(() => rows.count()).toBe(ONE_PAGE_AND_ONE);
  const text = await textOf(window.page);
  expect(NAMES.filter(({ name }) => !text.includes(name))).toEqual([]);
  await window.close();
});

test('the operators’ queue leads to all 51', async () => {
  const window = await open('/operations?lang=ar');
  const { page } = window;
  const section = page.locator('section.part').last();
  await section.getByRole('link', { name: 'اعرض كل هذه القائمة' }).click();
  const links = page.locator('tbody tr a[href*="/operations/shipments/"]');
  const seen = new Set<string>();
  for (;;) {
    await links.first().waitFor();
    const before = await links.first().getAttribute('href');
    for (const link of await links.all()) seen.add((await link.getAttribute('href')) ?? '');
    const onward = page.getByRole('link', { name: 'الصفحة التالية' });
    if ((await onward.count()) === 0) break;
    await onward.click();
    await expect.poll(() => links.first().getAttribute('href')).not.toBe(before);
  }
  expect(seen.size).toBeGreaterThanOrEqual(ONE_PAGE_AND_ONE);
  await window.close();
});

describe.each(NAMES.map(({ name }, index) => [index, name, addressAt(index)] as const))(
  'a shipment to the name %i of the cast',
  (index, name, addressLine) => {
    test('shows name and address on its page and its label as they were typed', async () => {
      const { shipmentId } = shipments[index] ?? { shipmentId: '' };
      const page = await open(`/console/shipments/${shipmentId}?lang=ar`);
      expect(await textOf(page.page)).toContain(name);
      expect(await textOf(page.page)).toContain(addressLine);
      await expectToFit(page.page);
      expect(unexpected(page)).toEqual([]);
      await page.page.goto(`${site.address}/v2/external/shipments/${shipmentId}/waybill?lang=ar`);
      expect(printed(await textOf(page.page))).toContain(printed(addressLine));
      await page.close();
    });

    test('shows neither of them on the tracking page', async () => {
      const { token } = shipments[index] ?? { token: '' };
      const page = await open(`/t/${token}?lang=ar`);
      const text = await textOf(page.page);
      expect([text.includes(name), text.includes(addressLine)]).toEqual([false, false]);
      await expectToFit(page.page);
      expect(unexpected(page)).toEqual([]);
      await page.close();
    });
  },
);
