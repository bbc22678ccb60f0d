import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { openConsole, signedIn, unexpected } from '../../scripts/shared/console.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/** Reaches a button with the Tab key, within this many stops, and presses it. */
async function pressByKeyboard(page: Page, name: string | RegExp, tabsMax = 4): Promise<void> {
  await page.getByRole('button', { name, exact: true }).waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (typeof name === 'string' ? focused === name : name.test(focused ?? '')) return page.keyboard.press('Enter');
  }
  throw new Error(`The keyboard does not come to ${name}`);
}
/** From the top of a page, because the links of the frame come first. */
const FROM_TOP = 40;
const DAY_SECONDS = 86_400;

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

  test('the dial lets a link expire, by keyboard, and the console then has the time of the company', async () => {
    const sandbox = await newSandbox(site);
    // Held, so that nothing but the link is due.
    await sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    const { shipmentId, shipmentNumber } = await sandbox.create();
    await createLink(sandbox.merchant, shipmentId, { expiresInSeconds: 3 * DAY_SECONDS });
    const { storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, { path: '/sandbox', storageState });
    const { page } = window;
    await page.locator('.face', { hasText: '(real time)' }).waitFor();
    await pressByKeyboard(page, /^Play A tracking link expires \(/, FROM_TOP);
    await page.locator('.face', { hasText: '(+3 days)' }).waitFor();
    await page.getByText('The clock runs').waitFor();
    expect(await page.evaluate(() => document.activeElement?.role)).toBe('status');
    await page.getByRole('button', { name: 'New test shipment' }).click();
    await page.getByText('Timeline').waitFor();
    await page.goto(`${site.address}/console/shipments`);
    const [newest, oldest] = [page.locator('tbody tr').first(), page.getByRole('row', { name: shipmentNumber })];
    await oldest.waitFor();
    expect(await newest.locator('time').innerText()).toMatch(/^\d\d:\d\d$/);
    expect(await oldest.locator('time').innerText()).toMatch(/^\d{1,2} \w+(?: \d{4})?, \d\d:\d\d$/);
    await oldest.getByRole('link').click();
    await page.locator('.links').getByText('Expired').waitFor();
    await page.goto(`${site.address}/console`);
    await page.getByRole('region', { name: 'Today' }).getByText('1', { exact: true }).first().waitFor();
    await page.goto(`${site.address}/console/requests`);
    await page.getByText('These are real times. Your shipments have the clock of the sandbox: +3 days.').waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('the dial says in Arabic why the clock does not advance, and that it advances', async () => {
    const sandbox = await newSandbox(site);
    const { storageState } = await signedIn(site, sandbox.company);
    const window = await openConsole(browser, site, { path: '/sandbox?lang=ar', storageState });
    const { page } = window;
    const chosen = page.getByLabel('أو وقت تختاره');
    await chosen.fill('2020-01-01T00:00');
    await chosen.press('Enter');
    await expect.poll(() => chosen.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('اختر وقتًا بعد ساعة البيئة التجريبية').waitFor();
    const setTarget = async (target: string) =>
      site.sql(
        sandbox.company.shard,
        `update sandboxes set clock_target = ${target}, clock_starts_at = ${target} where company_id = ?`,
        [sandbox.company.companyId],
      );
    // Another program of the company was faster, and its advance does not begin for an hour.
    await page.route('**/trpc/sandbox.advanceClock**', async (route) => {
      await setTarget('(unixepoch() + 3600) * 1000000');
      await route.continue();
    });
    await page.getByRole('button', { name: 'ساعة إلى الأمام' }).click();
    await page.getByText('الساعة تتقدم الآن. انتظر حتى تعمل من جديد ثم أعد المحاولة.').waitFor();
    await page.getByText('تتقدم الساعة إلى').waitFor();
    expect(await page.getByRole('button', { name: 'يوم إلى الأمام' }).getAttribute('aria-disabled')).toBe('true');
    expect(await findBarriers(page)).toEqual([]);
    await setTarget('null');
    await page.getByText('الساعة تعمل').waitFor();
    expect(unexpected(window, 409, 422)).toEqual([]);
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
