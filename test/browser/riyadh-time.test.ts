import { expect, test } from 'vitest';
import { newDesk } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('a clerk in Dubai reads, types and filters the times of Riyadh', async () => {
  const desk = await newDesk(browser, site);
  // 00:30 on the 2nd in Riyadh, 21:30 on the 1st in UTC, 01:30 in Dubai.
  const window = { pickupWindowStart: '2027-03-01T21:30:00Z', pickupWindowEnd: '2027-03-01T22:30:00Z' };
  const { shipmentId } = await desk.sandbox.create({ ...window, externalReference: 'DUBAI-1' });
  // Just before and just after midnight in Riyadh, which are both 1 March in Dubai.
  const createdAt = Date.parse('2026-03-01T20:59:00Z') * 1000;
  await site.sql(desk.sandbox.company.shard, 'update shipments set created_at = ? where id = ?', [
    createdAt,
    shipmentId,
  ]);
  const { page, close } = await desk.open(`/shipments/${shipmentId}`, { timezoneId: 'Asia/Dubai' });
  await page.getByText('Times are in Riyadh', { exact: true }).waitFor();
  await page.getByText('2 Mar 2027, 00:30–01:30').waitFor();
  await page.goto(`${site.address}/console/shipments?lang=en&createdFrom=2026-03-01&createdTo=2026-03-01`);
  await page.getByText('DUBAI-1').waitFor();
  await page.goto(`${site.address}/console/shipments?lang=en&createdFrom=2026-03-02&createdTo=2026-03-02`);
  await page.getByRole('heading', { name: 'Shipments' }).waitFor();
  await page.getByText('No shipment matches these filters.').waitFor();
  expect(await page.getByText('DUBAI-1').count()).toBe(0);
  await page.goto(`${site.address}/console/shipments/new?from=sandbox&lang=en`);
  await page.getByLabel('Your reference').fill('DUBAI-2');
  await page.getByLabel('Pickup from').fill('2027-03-02T09:00');
  await page.getByLabel('Pickup until').fill('2027-03-02T11:00');
  const sent = page.waitForRequest((request) => request.url().includes('shipments.create'));
  await page.getByRole('button', { name: 'Create the shipment' }).click();
  expect((await sent).postData()).toContain('2027-03-02T06:00:00.000Z');
  await page.getByText('The shipment is created.').waitFor();
  await close();
});
