import { beforeAll, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { type SignedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { addSignedInDriver, newCity } from '../support/fleet.ts';
import { openSite } from '../support/open-site.ts';

/* Tariffs, programs and drivers on the operators' pages. */

const { site, browser } = await openSite('deno');
let operator: SignedIn;
beforeAll(async () => {
  operator = await signedInOperator(site);
});

const open = (path: string) =>
  openWindow(browser, `${site.address}/operations${path}`, { storageState: operator.storageState });

test('an operator previews a tariff, publishes it as a copy of the latest and withdraws it before it begins', async () => {
  const merchant = await merchantOf(site, await addCompany(site));
  await merchant.create();
  const window = await open('/tariffs/new');
  const { page } = window;
  await page.getByLabel('Starts').fill(`${new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)}T00:00`);
  await page.getByLabel('Base (SAR)').fill('much');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a number.').waitFor();
  await page.getByLabel('Base (SAR)').fill('14.50');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'With this tariff, the last seven days' });
  await preview.waitFor();
  // The base rises from 12, and everything else stays.
  await preview.getByRole('table', { name: 'Largest rises' }).getByText('2.50 SAR').first().waitFor();
  await preview.getByRole('table', { name: 'By city' }).getByRole('row').nth(1).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Base (SAR)').fill('14.60');
  await expect.poll(() => preview.count()).toBe(0);
  await page.getByLabel('Base (SAR)').fill('14.50');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Starts later').waitFor();
  expect(await page.getByText('14.50 SAR').count()).toBe(1);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw version 2?' });
  expect(await findBarriers(page)).toEqual([]);
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('Starts later').count()).toBe(0);
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

test('an operator creates a credential for a program, and revokes it', async () => {
  const window = await open('/programs');
  const { page } = window;
  const name = `export-${Date.now()}`;
  await page.getByLabel('Name of the program').fill('Nightly export');
  await page.keyboard.press('Enter');
  await page.getByText('The format of this value is not correct.').waitFor();
  await page.getByLabel('Name of the program').fill(name);
  await page.getByRole('button', { name: 'Create the credential' }).click();
  const secret = page.getByRole('region', { name: 'Client secret' });
  await secret.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const clientSecret = (await secret.locator('code').textContent()) ?? '';
  const token = await issueToken(site, { clientId: `operator-${name}`, clientSecret });
  const call = () => site.fetch('/trpc/operations.tariffs.list', { headers: { authorization: `Bearer ${token}` } });
  expect((await call()).status).toBe(200);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const row = page.getByRole('row').filter({ hasText: `operator-${name}` });
  await row.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke this credential?' });
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The credential is revoked.').waitFor();
  await expect.poll(() => row.count()).toBe(0);
  expect((await call()).status).toBe(401);
  expect(await page.getByText(clientSecret).count()).toBe(0);
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

test('an operator finds a driver on the board of the city and ends the sessions with a reason', async () => {
  const cityCode = newCity();
  const driver = await addSignedInDriver(site, cityCode, { shard: 'shard-2' });
  const window = await open('/drivers');
  const { page } = window;
  await page.getByRole('link', { name: 'City board' }).click();
  await page.getByLabel('City code').fill(cityCode.toLowerCase());
  await page.keyboard.press('Enter');
  const row = page.getByRole('table', { name: 'City board' }).getByRole('row').nth(1);
  await row.getByText('No position yet').waitFor();
  await site.sql('shard-2', 'update drivers set latitude = 24.7, longitude = 46.7, position_at = ? where id = ?', [
    (Date.now() - 90_000) * 1000,
    driver.driverId,
  ]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row.getByText('24.7, 46.7').waitFor();
  await row.getByText('On duty').waitFor();
  await row.getByText('0 / 5').waitFor();
  await row.getByRole('link', { name: 'Faisal' }).click();
  await page.getByRole('button', { name: 'End sessions' }).click();
  const dialog = page.getByRole('dialog', { name: 'End all sessions of this driver?' });
  const end = dialog.getByRole('button', { name: 'End sessions' });
  expect(await end.getAttribute('aria-disabled')).toBe('true');
  expect((await driver.get('/offers')).status).toBe(200);
  await dialog.getByLabel('Reason').selectOption('PHONE_LOST');
  expect(await findBarriers(page)).toEqual([]);
  await end.click();
  await page.getByText('Saved.').waitFor();
  expect((await driver.get('/offers')).status).toBe(401);
  expect(window.faults).toEqual([]);
  await window.close();
});
