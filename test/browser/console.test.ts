import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'owner@najd-coffee.example' }).click();
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
}

describe('the console', () => {
  test('signs a person in with the code from the local inbox, and out again', async () => {
    const { page, faults, close } = await openWindow(browser, `${site.address}/console`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await signIn(page);
    await page.getByRole('heading', { name: 'Najd Coffee Roasters' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser logs the 401 before the sign-in.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  });
});

test('a shipment that could not be delivered says why, and fills the form for another try', async () => {
  const desk = await newDesk(browser, site);
  const { shipmentId, externalReference } = await desk.sandbox.create();
  await desk.sandbox.play(shipmentId, 'RECIPIENT_UNREACHABLE');
  await desk.sandbox.untilState(shipmentId, 'DELIVERY_FAILED');
  const window = await desk.open('');
  const { page } = window;
  const needs = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
  await needs.getByText('The recipient could not be reached').waitFor();
  expect(await needs.getByRole('link', { name: 'Create again' }).count()).toBe(1);
  await needs.getByRole('link', { name: /^SHP-/ }).click();
  await page.locator('header').getByText('The recipient could not be reached').waitFor();
  await page.getByRole('heading', { name: 'What becomes of the parcel?' }).waitFor();
  await page.getByRole('link', { name: 'Webhooks of this shipment' }).waitFor();
  await page.getByRole('link', { name: 'Create again' }).click();
  const reference = page.getByLabel('Your reference');
  await reference.waitFor();
  expect(await reference.inputValue()).toBe(`${externalReference}-2`);
  await page.getByText('Enter the mobile again').waitFor();
  await page.getByLabel('Mobile', { exact: true }).fill('0501234567');
  await page.getByRole('button', { name: 'Create the shipment' }).click();
  await page.getByText('The shipment is created.').waitFor();
  await page.getByText(`${externalReference}-2`, { exact: true }).waitFor();
  const home = page.url().replace(/\/shipments\/.*/, '');
  await site.sql(
    desk.sandbox.company.shard,
    "update shipments set recipient_name = '-', destination = json_set(destination, '$.addressLine', '-') where id = ?",
    [shipmentId],
  );
  await page.goto(`${home}/shipments/new?again=${shipmentId}`);
  await page.getByText('The data of this recipient was deleted.').waitFor();
  for (const name of ['Name', 'Mobile', 'Address', 'Latitude', 'Longitude'])
    expect(await page.getByLabel(name, { exact: true }).inputValue()).toBe('');
  expect(await page.getByLabel('City').inputValue()).not.toBe('');
  for (const id of ['hello', crypto.randomUUID()]) {
    await page.goto(`${home}/shipments/${id}`);
    await page.getByRole('heading', { name: 'There is no such shipment in your company' }).waitFor();
    await page.getByRole('link', { name: 'All shipments' }).waitFor();
  }
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const [path, name, periodMs] of [
    ['webhooks/deliveries', 'There is no such webhook in your company', 2_000],
    ['webhooks', 'There is no such webhook endpoint in your company', 5_000],
  ] as const) {
    const id = crypto.randomUUID();
    await page.goto(`${home}/${path}/${id}`);
    await page.getByRole('heading', { name, exact: true }).waitFor();
    // What is not there is not asked for again.
    await page.waitForTimeout(periodMs + 500);
    expect(asked.filter((url) => url.includes('/trpc/') && url.includes(id))).toHaveLength(1);
  }
  // A page without a form says nothing about typed values, and loads by itself when the connection is back.
  await page.goto(`${home}/webhooks`);
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Shipments' }).click();
  await page.getByText('The service did not answer').first().waitFor();
  expect(await page.getByText('What you typed is still here').count()).toBe(0);
  await page.context().setOffline(false);
  await page
    .getByRole('link', { name: `${externalReference}-2` })
    .or(page.getByText(`${externalReference}-2`))
    .first()
    .waitFor();
  // A suspended company has its shipments still.
  const { companyId } = desk.sandbox.company;
  await site.sql(
    'directory',
    "insert into company_suspensions (company_id, version, since, suspended_by, reason) values (?, 1, 0, 'operator', 'test')",
    [companyId],
  );
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new Event('popstate'));
  }, `/console/shipments/${shipmentId}`);
  await page.getByRole('heading', { name: 'Shipment', exact: true }).waitFor();
  await page.getByText('The carrier has suspended your company.').waitFor();
  expect(unexpected(window, 400, 403, 404).filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  await window.close();
});
