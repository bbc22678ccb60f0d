import { expect, test } from 'vitest';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

/* Small things that a clerk does many times a day. */

const { site, browser } = await openSite('deno');

test('goes back from a shipment to the search that it was found by, also after a reload', async () => {
  const desk = await newDesk(browser, site);
  const { shipmentNumber } = await desk.sandbox.create();
  const window = await desk.open(`/shipments?q=${shipmentNumber}&lang=en`);
  const { page } = window;
  await page.getByRole('link', { name: shipmentNumber }).click();
  await page.getByRole('link', { name: 'Back to the list' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByRole('link', { name: shipmentNumber }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe(shipmentNumber);
  await page.goto(`${site.address}/console/shipments?lang=en`);
  await page.getByRole('link', { name: shipmentNumber }).click();
  await page.getByRole('link', { name: 'All shipments' }).waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
