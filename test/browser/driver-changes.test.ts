import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('a driver sees what the shop has changed, and confirms it once the parcel is in hand', async () => {
  const sandbox = await newSandbox(site);
  const viewport = { width: 360, height: 740 };
  const window = await openWindow(browser, `${site.address}/driver?lang=en`, { viewport });
  const { page } = window;
  await page.getByLabel('Your mobile').fill(sandbox.phone);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  const { shipmentId } = await sandbox.create();
  const path = `${SHIPMENTS}/${shipmentId}/amendments`;
  const amend = async (body: object) =>
    expect((await sandbox.merchant.post(path, body, { 'if-match': '*' })).status).toBe(200);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = page.getByRole('button', { name: 'I have read it' });
  await press('Accept');
  await page.getByRole('heading', { name: 'Go to the pickup location' }).waitFor();
  await amend({ place: { kind: 'RECEPTION', note: 'السيدة هدى' }, instructions: 'Ask for Huda' });
  await page.getByRole('heading', { name: 'This has changed' }).waitFor();
  expect(await confirm.count()).toBe(0);
  await press('I have arrived');
  await press('I have the parcel');
  await page.getByText('Leave it at the reception: السيدة هدى').waitFor();
  await page.getByText('Ask for Huda').waitFor();
  await confirm.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await confirm.click();
  await expect.poll(() => confirm.count()).toBe(0);
  await amend({ addressLine: 'The second gate' });
  await page.getByText('The second gate').waitFor();
  await confirm.click();
  await expect
    .poll(async () => (await (await sandbox.merchant.get(path)).text()).match(/"acknowledgedAt":"/g)?.length)
    .toBe(2);
  expect(window.faults).toEqual([]);
  await window.close();
});

test('a driver sees when the parcel is wanted, and agrees to a later wish', async () => {
  const sandbox = await newSandbox(site);
  const viewport = { width: 360, height: 740 };
  const window = await openWindow(browser, `${site.address}/driver?lang=en`, { viewport });
  const { page } = window;
  await page.getByLabel('Your mobile').fill(sandbox.phone);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  // Until noon in Riyadh, so the windows at five and at eight are offered.
  const pickup = { pickupWindowStart: '2031-03-04T06:00:00Z', pickupWindowEnd: '2031-03-04T09:00:00Z' };
  const { shipmentId } = await sandbox.create(pickup);
  const ask = async (windowStart: string) => {
    const path = `${SHIPMENTS}/${shipmentId}/amendments`;
    expect((await sandbox.merchant.post(path, { windowStart }, { 'if-match': '*' })).status).toBe(200);
  };
  await ask('2031-03-04T14:00:00Z');
  await page.getByText(/Delivery asked for:.*17:00.20:00/).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByText(/Deliver within:.*17:00.20:00/).waitFor();
  await ask('2031-03-04T17:00:00Z');
  await page.getByText(/Delivery asked for:.*20:00.23:00/).waitFor();
  await page.getByRole('button', { name: 'I have read it' }).click();
  await page.getByText(/Deliver within:.*20:00.23:00/).waitFor();
  expect(window.faults).toEqual([]);
  await window.close();
});
