import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { signedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { forceState } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { foldedOf } from '../../src/core/typed/folded.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('an operator finds a company, suspends it with a reason and resumes it', async () => {
  const company = await addCompany(site);
  const { companyId } = company;
  const name = `Asir Honey ${companyId.slice(-8)}`;
  await site.sql('directory', 'update companies set name = ?, folded_name = ? where id = ?', [
    name,
    foldedOf(name),
    companyId,
  ]);
  const owner = await signedIn(site, company);
  const operator = await signedInOperator(site);
  const open = (path: string) =>
    openWindow(browser, `${site.address}/operations${path}`, { storageState: operator.storageState });
  const window = await open('/companies');
  const { page } = window;
  await page.getByLabel('Name, company id or registration number').fill(name);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Suspend' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Suspend this company?' });
  await dialog.getByLabel('Reason').fill('The invoices of two months are open');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('table', { name: 'Suspensions' }).getByText('The invoices of two months are open').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  const merchant = await openWindow(browser, `${site.address}/console`, { storageState: owner.storageState });
  await merchant.page.getByText('The carrier has suspended your company.').first().waitFor();
  expect(unexpected(merchant, 403)).toEqual([]);
  const { storageState } = await signedIn(site, { companyId });
  const member = await openWindow(browser, `${site.address}/console`, { storageState });
  await member.page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await member.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await member.close();

  // Another operator is faster.
  const other = await open(`/companies/${companyId}`);
  await resumeOn(other.page, 'They have paid');
  await other.page.getByRole('button', { name: 'Suspend' }).waitFor();
  await resumeOn(page, 'They have paid');
  await page.getByRole('button', { name: 'Load the current version' }).click();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  await page.getByRole('table', { name: 'Suspensions' }).getByText('They have paid').waitFor();
  await page.getByRole('link', { name: 'Its changes by operators' }).click();
  await page.getByText('company.resumed').waitFor();
  await page.getByText('company.suspended').waitFor();
  expect(await page.getByText('shipment.recipient_viewed').count()).toBe(0);
  await merchant.page.reload();
  await merchant.page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Shipments' }).waitFor();
  expect([unexpected(window, 409), other.faults]).toEqual([[], []]);
  await Promise.all([window.close(), other.close(), merchant.close()]);
});

test('an operator sets what a company proves, and releases the proof of one parcel with a reason', async () => {
  const company = await addCompany(site);
  const { companyId } = company;
  const merchant = await merchantOf(site, company);
  const { shipmentId } = await merchant.create();
  await forceState(site, company, shipmentId, 'OUT_FOR_DELIVERY');
  const { storageState } = await signedInOperator(site);
  const window = await openWindow(browser, `${site.address}/operations/companies/${companyId}?lang=en`, {
    storageState,
  });
  const { page } = window;
  const wait = page.getByLabel('Wait at the door, in seconds');
  expect(await wait.inputValue()).toBe('0');
  await page.getByLabel('What a delivery proves').selectOption('A PIN for every parcel');
  await page.getByLabel('What a failure at the door proves').selectOption('That the driver was at the door');
  await wait.fill('3600');
  await page.keyboard.press('Enter');
  await expect.poll(() => wait.getAttribute('aria-invalid')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  await wait.fill('٣٠٠');
  await page.keyboard.press('Enter');
  await page.getByText('Saved. It also applies to parcels on their way.').waitFor();
  await page.reload();
  await wait.waitFor();
  expect(await wait.inputValue()).toBe('300');
  expect(await page.getByLabel('What a delivery proves').inputValue()).toBe('ALWAYS');
  expect(await page.getByLabel('What a failure at the door proves').inputValue()).toBe('EVIDENCE');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.address}/operations/shipments/${companyId}/${shipmentId}?lang=ar`);
  await page.getByRole('button', { name: 'إعفاء من الإثبات' }).click();
  const dialog = page.getByRole('dialog', { name: 'هل تريد إنهاء هذه الشحنة بإثبات أقل؟' });
  await dialog.getByLabel('السبب').fill('انقطعت الرسائل القصيرة');
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await dialog.getByRole('button', { name: 'إعفاء من الإثبات' }).click();
  await page.getByText('تم.').waitFor();
  await page.goto(`${site.address}/operations/audit?by=companyId&text=${companyId}&lang=en`);
  await page.getByText('shipment.proof_released').waitFor();
  await page.getByText('company.proof_terms_set').waitFor();
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

async function resumeOn(page: Page, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resume this company?' });
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Resume' }).click();
}
