import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { SANDBOX } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('a shipment is edited at the price that the dialog shows, and not at a newer one', async () => {
  const desk = await newDesk(browser, site);
  await desk.sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
  const { shipmentId } = await desk.sandbox.create();
  await desk.sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
  const window = await desk.open(`/shipments/${shipmentId}`);
  const { page } = window;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('shipmentAmendments.create')) sent.push(request.postData() ?? '');
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the shipment' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByText('You have not changed anything yet.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Instructions for the driver').fill('اطرق الباب مرتين');
  await dialog.getByText('The price stays the same.').waitFor();
  await dialog.getByLabel('Latitude').fill('24.85');
  // 20.4 km instead of 13.6 km: seven kilometres more, with VAT.
  await dialog.getByText('You pay 10.06 SAR with VAT').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const path = `${SHIPMENTS}/${shipmentId}/amendments`;
  await desk.sandbox.merchant.post(path, { addressLine: 'Elsewhere' }, { 'if-match': '*' });
  await dialog.getByRole('button', { name: 'Save for 10.06 SAR' }).click();
  await dialog.getByText('The shipment has changed in the meantime').waitFor();
  expect(await dialog.getByLabel('Instructions for the driver').inputValue()).toBe('اطرق الباب مرتين');
  await dialog.getByRole('button', { name: 'Save for 10.06 SAR' }).click();
  await page.getByText('The shipment is changed.').waitFor();
  await page.locator('.timeline').getByText('The recipient asked for it: Instructions, Location').waitFor();
  await page.getByText('New destination').waitFor();
  expect(sent.map((body) => /"priceLimit":"([^"]*)"/.exec(body)?.[1])).toEqual(['10.06', '10.06']);
  // What was not changed is not sent, so the other change stays.
  await page.getByText('Elsewhere').first().waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  expect(await dialog.getByLabel('Instructions for the driver').inputValue()).toBe('اطرق الباب مرتين');
  await dialog.getByLabel('Latitude').fill('26.4');
  await dialog.getByText('Location: this is another city').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Latitude').fill('95');
  await expect.poll(() => dialog.getByLabel('Latitude').getAttribute('aria-invalid')).toBe('true');
  expect(unexpected(window, 412, 422)).toEqual([]);
  await window.close();
});

test('a delivery window is chosen of those that are offered, beside a short code', async () => {
  const desk = await newDesk(browser, site);
  await desk.sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
  // Until noon in Riyadh.
  const pickup = { pickupWindowStart: '2031-03-04T06:00:00Z', pickupWindowEnd: '2031-03-04T09:00:00Z' };
  const { shipmentId } = await desk.sandbox.create(pickup);
  await desk.sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
  const window = await desk.open(`/shipments/${shipmentId}`);
  const { page } = window;
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the shipment' });
  await dialog.getByLabel('Delivery window').selectOption('2031-03-04T14:00:00.000000Z');
  await dialog.getByLabel('Short code').fill('rrrd ٢٩٢٩');
  await dialog.getByText('The price stays the same.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The shipment is changed.').waitFor();
  await page.getByText(/17:00.20:00.*asked for/).waitFor();
  await page.getByText('RRRD2929', { exact: true }).waitFor();
  await page.locator('.timeline').getByText('Delivery window, National Address').waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
