import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openConsole, signedIn } from '../../scripts/shared/console.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/** Reaches a button with the Tab key, within this many stops, and presses it. */
async function pressByKeyboard(page: Page, name: string, tabsMax = 4): Promise<void> {
  await page.getByRole('button', { name, exact: true }).waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused === name) return page.keyboard.press('Enter');
  }
  throw new Error(`The keyboard does not come to ${name}`);
}
/** From the top of a page, because the links of the frame come first. */
const FROM_TOP = 40;

describe('the sandbox in the console', () => {
  test('the driver’s phone delivers a shipment, in Arabic and with the keyboard alone', async () => {
    const sandbox = await newSandbox(site);
    const { shipmentId } = await sandbox.create();
    const { storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, {
      path: `/sandbox/${shipmentId}?lang=ar`,
      storageState,
      viewport: { width: 320, height: 800 },
    });
    const { page } = window;
    await pressByKeyboard(page, 'سجّل الدخول بصفتك سائقًا', FROM_TOP);
    await pressByKeyboard(page, 'قبول');
    await page.getByRole('button', { name: 'إعادة الشحنة' }).waitFor();
    // Actions that the state does not allow are not shown.
    expect(await page.getByRole('button', { name: 'تم التوصيل' }).count()).toBe(0);
    await pressByKeyboard(page, 'استلمت الشحنة');
    await pressByKeyboard(page, 'بدء التوصيل');
    await page.getByRole('button', { name: 'تم التوصيل' }).waitFor();
    await page.getByText('موقع السائق').press('Enter');
    await pressByKeyboard(page, 'إرسال الموقع');
    await page.getByText('أُرسل الموقع.').waitFor();
    await pressByKeyboard(page, 'تم التوصيل');
    await page.getByText('انتهت هذه التوصيلة.').waitFor();
    expect((await sandbox.read(shipmentId)).state).toBe('DELIVERED');
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('a shipment can fail only for the reasons of its state', async () => {
    const sandbox = await newSandbox(site);
    const { shipmentId } = await sandbox.create();
    const driver = await sandbox.signIn();
    await sandbox.untilState(shipmentId, 'OFFERED');
    for (const action of ['ACCEPT', 'PICK_UP']) await driver.act(shipmentId, { action });
    const { storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, { path: `/sandbox/${shipmentId}`, storageState });
    const { page } = window;
    await page.getByRole('button', { name: 'Sign in as the driver' }).click();
    await page.getByText('Delivery failed', { exact: true }).first().click();
    expect(await page.getByLabel('Reason').locator('option').allInnerTexts()).toEqual(['Lost', 'Damaged']);
    await page.getByLabel('Reason').selectOption('Damaged');
    await page.getByRole('button', { name: 'Delivery failed' }).click();
    await page.getByText('This delivery has ended.').waitFor();
    expect((await sandbox.read(shipmentId)).state).toBe('DELIVERY_FAILED');
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('creates the fixtures, holds and releases the next shipment, and plays a scenario', async () => {
    const company = site.companies[0];
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: '/sandbox', storageState });
    const { page } = window;
    await page.getByRole('button', { name: 'Create what is missing' }).click();
    await page.getByText('Ready: you can create a shipment').waitFor();
    await page.getByRole('switch').click();
    await page.getByRole('switch', { checked: true }).waitFor();
    await page.getByRole('button', { name: 'New test shipment' }).click();
    await page.getByText('This shipment is held').waitFor();
    await page.getByRole('button', { name: 'Release the shipment' }).click();
    await page.getByLabel('Seconds between steps').fill('0');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('injects and clears faults, shows a code, and confirms a reset', async () => {
    const sandbox = await newSandbox(site);
    const { person, storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, { path: '/sandbox', storageState });
    const { page } = window;
    await page.getByLabel('How many times').fill('3');
    await page.getByRole('button', { name: 'Inject the fault' }).click();
    await page.getByText('Routing: the next 3 calls will fail.').waitFor();
    await page.getByRole('button', { name: 'Clear all faults' }).click();
    await page.getByText('All faults are cleared.').waitFor();
    expect(await page.getByLabel('Mobile or e-mail address').inputValue()).toBe(person.email);
    await page.getByRole('button', { name: 'Show codes', exact: true }).click();
    await page.getByText('There are no codes for this recipient.').waitFor();
    await page.getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset the sandbox' }).click();
    await page.getByText('Generation of the fixtures: 2').waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });
});
