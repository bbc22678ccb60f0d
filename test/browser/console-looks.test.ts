import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { openConsole, unexpected } from '../../scripts/shared/console.ts';
import { type ConsoleCompany, newConsoleCompany } from '../support/console-company.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
let company: ConsoleCompany;
beforeAll(async () => {
  company = await newConsoleCompany(site);
});
afterAll(async () => {
  await company.receiver.close();
});

/** Every page, and an element that appears only after its data has loaded. */
const PAGES: readonly (readonly [path: (known: ConsoleCompany) => string, shown: string])[] = [
  // A company that has done its first steps.
  [() => '', 'main:not(:has(.first-steps)) .today'],
  [() => '/webhooks', '.bars'],
  [() => '/webhooks/new', 'form .button'],
  [({ endpointId }) => `/webhooks/${endpointId}`, '.listing tbody tr'],
  [({ endpointId }) => `/webhooks/${endpointId}/edit`, 'form .button'],
  [() => '/webhooks/deliveries', '.listing tbody tr'],
  [({ deliveryId }) => `/webhooks/deliveries/${deliveryId}`, '.exchange .answer'],
  [() => '/credentials', '.facts'],
  [() => '/places', '.listing tbody tr'],
  [() => '/places/new', 'form .button'],
  [({ branchCode }) => `/places/${branchCode}`, '.listing tbody tr'],
  [({ branchCode }) => `/places/${branchCode}/edit`, 'form .button'],
  [({ branchCode }) => `/places/${branchCode}/new`, 'form .button'],
  [({ branchCode, pickupLocationCode }) => `/places/${branchCode}/${pickupLocationCode}`, 'form .button'],
  [() => '/people', '.listing tbody tr'],
  [() => '/people/new', 'form .button'],
  [({ owner }) => `/people/${owner.person.personId}`, '.listing tbody tr'],
  [() => '/sandbox', '.part:has(.due) ~ .part .listing tbody tr'],
  [({ shipmentId }) => `/sandbox/${shipmentId}`, '.phone'],
  [() => '/tracking-page', 'form .button'],
  [() => '/requests?status=422&to=2090-01-01T00:00:00.000Z', '.part .listing tbody tr'],
  [({ requestId }) => `/requests/${requestId}`, '.exchange'],
];

/** Each page once in each language, colour scheme and width. The combinations alternate between pages. */
const LOOKS = [
  [
    { locale: 'ar', colorScheme: 'light', width: 320 },
    { locale: 'en', colorScheme: 'dark', width: 1280 },
  ],
  [
    { locale: 'ar', colorScheme: 'dark', width: 1280 },
    { locale: 'en', colorScheme: 'light', width: 320 },
  ],
] as const;
/** The second button of its section. */
const REPLAY = '.part:has(> h2:text-is("إعادة الإرسال")) > .actions > .button:last-child';
const CASES = PAGES.flatMap(([path, shown], index) =>
  (LOOKS[index % 2] ?? []).map((look) => ({ index, path, shown, ...look })),
);

describe('the console', () => {
  test.each(CASES)(
    'page $index in $locale, $colorScheme, at $width px passes axe, logs no error and fits the width',
    async ({ path, shown, locale, colorScheme, width }) => {
      const address = path(company);
      const window = await openConsole(browser, site, {
        path: `${address}${address.includes('?') ? '&' : '?'}lang=${locale}`,
        storageState: company.owner.storageState,
        colorScheme,
        viewport: { width, height: 800 },
      });
      await window.page.locator(shown).first().waitFor();
      expect(await findBarriers(window.page)).toEqual([]);
      expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(window.faults).toEqual([]);
      await window.close();
    },
  );

  test.each(LOOKS.flat())(
    'the pages before a sign-in pass axe in $locale, $colorScheme, at $width px',
    async ({ locale, colorScheme, width }) => {
      for (const path of ['', '/sign-up', '/accept/01a1fd43-0191-76f7-b59d-802bf37e3ff7']) {
        const viewport = { width, height: 800 };
        const window = await openConsole(browser, site, { path: `${path}?lang=${locale}`, colorScheme, viewport });
        await window.page.locator('main h1').waitFor();
        await window.page.waitForLoadState('networkidle');
        expect(await findBarriers(window.page)).toEqual([]);
        expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        expect(unexpected(window, 401)).toEqual([]);
        await window.close();
      }
    },
  );

  test.each([
    ['a question', ({ endpointId }: ConsoleCompany) => `/webhooks/${endpointId}`, '.page-actions .danger', 'dialog'],
    ['a range to replay', ({ endpointId }: ConsoleCompany) => `/webhooks/${endpointId}`, REPLAY, '.checks'],
    ['a test event', ({ endpointId }: ConsoleCompany) => `/webhooks/${endpointId}`, '.filters button', '.test-result'],
    ['faults of fields', () => '/places/new', 'form .primary', '[aria-invalid="true"]'],
    ['a choice of kinds', () => '/webhooks/new', '.checks input', 'fieldset'],
    ['the phone in use', ({ shipmentId }: ConsoleCompany) => `/sandbox/${shipmentId}`, '.phone .primary', '.phone-way'],
  ] as const)('%s passes axe in Arabic on a small dark screen', async (_name, path, press, shown) => {
    const window = await openConsole(browser, site, {
      path: `${path(company)}?lang=ar`,
      storageState: company.owner.storageState,
      colorScheme: 'dark',
      viewport: { width: 320, height: 800 },
    });
    await window.page.locator(press).first().click();
    await window.page.locator(shown).first().waitFor();
    expect(await findBarriers(window.page)).toEqual([]);
    expect(await window.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    // The browser logs the error responses.
    expect(window.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
    await window.close();
  });
});
