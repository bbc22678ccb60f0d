import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { type SignedIn, signedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { addOperator, codesTo, newContacts } from '../../scripts/shared/people.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
let operator: SignedIn;
beforeAll(async () => {
  operator = await signedInOperator(site);
});

const open = (path: string, options = {}) =>
  openWindow(browser, `${site.address}/operations${path}`, { storageState: operator.storageState, ...options });

test('an operator signs in, proves the second factor and lands on the operators’ pages', async () => {
  const { email, mobile } = await addOperator(site);
  const window = await openWindow(browser, `${site.address}/console`);
  const { page } = window;
  await page.getByLabel('E-mail address or mobile').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Six-digit code').waitFor();
  await page.keyboard.type((await codesTo(site, email))[0] ?? '');
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/operations');
  await expect.poll(() => codesTo(site, mobile)).toHaveLength(1);
  await page.keyboard.type((await codesTo(site, mobile))[0] ?? '');
  await page.getByText('Everything works.').waitFor();
  await page.goto(`${site.address}/console/shipments`);
  await page.getByRole('heading', { name: 'Deployment' }).waitFor();
  // The browser logs the 401 before the sign-in and the 403 that asks for the second factor.
  expect(unexpected(window, 401, 403)).toEqual([]);
  await window.close();
});

test('a person of a company who opens the operators’ pages gets the console', async () => {
  const [company] = site.companies;
  const { storageState } = await signedIn(site, company);
  const window = await open('/drivers', { storageState });
  await window.page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Shipments' }).waitFor();
  expect(new URL(window.page.url()).pathname).toBe('/console');
  await window.close();
});

/** Every area by its link, and an element that appears only after its data has loaded. */
const AREAS = [
  ['Deployment', 'حالة النظام', '.answer'],
  ['Drivers', 'السائقون', '.listing tbody tr'],
  ['Service levels', 'مستويات الخدمة', '.listing tbody tr'],
  ['Tariffs', 'التعرفة', '.listing tbody tr'],
  ['Companies', 'الشركات', 'form select'],
  ['Sign-in addresses', 'عناوين الدخول', 'form input'],
  ['Audit', 'سجل التدقيق', '.listing tbody tr, .empty'],
] as const;

const LOOKS = [
  { lang: 'ar', colorScheme: 'light', width: 320 },
  { lang: 'en', colorScheme: 'dark', width: 1280 },
] as const;

describe.each(LOOKS)('in $lang, $colorScheme, at $width px', ({ lang, colorScheme, width }) => {
  const look = { colorScheme, viewport: { width, height: 800 } };

  test('every area is reached by keyboard, passes axe, logs no error and fits the width', async () => {
    const window = await open(`?lang=${lang}`, look);
    const { page } = window;
    for (const [english, arabic, shown] of AREAS) {
      const name = lang === 'ar' ? arabic : english;
      await page.getByRole('navigation').first().getByRole('link', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator(shown).first().waitFor();
      await expect.poll(() => page.title()).toContain(name);
      await expectCalm(page, width);
    }
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test.each([
    ['a new driver', '/drivers/new', 'form .primary'],
    ['no driver of a city', '/drivers?city=AHB', '.empty'],
    ['a new service level', '/service-levels/new', 'form .primary'],
    ['a service level', '/service-levels/STANDARD', 'form .primary'],
    ['a new tariff', '/tariffs/new', 'form .primary'],
    ['no page', '/nowhere', '.sheet'],
  ])('%s passes axe, logs no error and fits the width', async (_name, path, shown) => {
    const window = await open(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, look);
    await window.page.locator(shown).first().waitFor();
    await expectCalm(window.page, width);
    expect(window.faults).toEqual([]);
    await window.close();
  });
});

async function expectCalm(page: Page, width: number): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

test('an operator adds a driver, puts the driver on duty and blocks the driver', async () => {
  const window = await open('/drivers');
  const { page } = window;
  await page.getByRole('link', { name: 'New driver' }).click();
  await page.getByLabel('Mobile').fill(newContacts().mobile);
  await page.getByLabel('First name').fill('Majed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This field is required.').first().waitFor();
  await page.getByLabel('City code').fill('RUH');
  await page.getByLabel('Weight of a shipment').fill('٢٠');
  await page.getByLabel('Length of a piece').fill('120');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Put on duty' }).click();
  await page.getByRole('button', { name: 'Take off duty' }).click();
  await page.getByRole('button', { name: 'Put on duty' }).waitFor();
  await page.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('dialog', { name: 'Block this driver?' }).getByRole('button', { name: 'Block' }).click();
  await page.getByRole('button', { name: 'Unblock' }).waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('driver.created').first().waitFor();
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

test('a form of a service level that somebody else changed meanwhile shows the stored value', async () => {
  const window = await open('/service-levels/STANDARD');
  const { page } = window;
  await page.getByLabel('Rank').fill('7');
  const other = await open('/service-levels/STANDARD');
  await other.page.getByLabel('Rank').fill('5');
  await other.page.getByRole('button', { name: 'Save' }).click();
  await other.page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Load the current version' }).click();
  await page.getByText('The current value is: 5').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(unexpected(window, 412)).toEqual([]);
  await Promise.all([window.close(), other.close()]);
});

test('an operator publishes a tariff as a copy of the latest', async () => {
  const window = await open('/tariffs/new');
  const { page } = window;
  await page.getByLabel('Starts').fill('2090-01-01T00:00');
  await page.getByLabel('Base (SAR)').fill('14.50');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Starts later').waitFor();
  expect(await page.getByText('14.5 SAR').count()).toBe(1);
  expect(window.faults).toEqual([]);
  await window.close();
});
