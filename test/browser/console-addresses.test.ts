import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { newDesk, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { setAddressPolicy } from '../../scripts/shared/force-state.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { openSite } from '../support/open-site.ts';

/* A shipment waits for its National Address: a clerk enters it, and an operator lets another one pass. */

const { site, browser } = await openSite('deno');
const desk = await newDesk(browser, site);
await setAddressPolicy(site, desk.sandbox.company, 'REQUIRED');

async function blocked() {
  const body = shipmentBody(desk.sandbox.company, { destination: RRRD2929 });
  const { shipmentId } = await (await desk.sandbox.merchant.postShipment(body)).json();
  await desk.sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
  return shipmentId as string;
}
/** At the place that the fixture of the registry has for this code. */
const RRRD2929 = { addressLine: 'شارع العليا', cityCode: 'RUH', latitude: 24.7743, longitude: 46.6572 };

test('a clerk enters the short code that is missing, as it was pasted', async () => {
  const window = await desk.open(`/shipments/${await blocked()}?lang=ar`);
  const { page } = window;
  await page.getByText('لن تُعرض الشحنة على أي سائق قبل تصحيح عنوانها الوطني.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const code = page.getByLabel('الرمز المختصر');
  const save = page.getByRole('button', { name: 'حفظ' });
  await code.fill('RRRD292');
  await save.click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  await code.fill('\u200frrrd-٢٩٢٩\u200f');
  await save.click();
  await page.getByText('أكّده سجل العناوين الوطنية.').waitFor();
  expect(await page.getByLabel('الرمز المختصر').count()).toBe(0);
  expect(unexpected(window, 422)).toEqual([]);
  await page.close();
});

test('an operator finds a shipment that is held back, and lets it pass for a reason', async () => {
  const shipmentId = await blocked();
  const { storageState } = await signedInOperator(site);
  const { companyId } = desk.sandbox.company;
  const window = await openWindow(browser, `${site.address}/operations`, { storageState });
  const { page } = window;
  await page.getByRole('heading', { name: 'National Address missing or wrong' }).waitFor();
  await page.goto(`${site.address}/operations/shipments/${companyId}/${shipmentId}`);
  await page.getByRole('button', { name: 'Dispatch anyway' }).click();
  const dialog = page.getByRole('dialog');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('The shop has called');
  await dialog.getByRole('button', { name: 'Dispatch anyway' }).click();
  await desk.sandbox.untilState(shipmentId, 'OFFERED');
  expect(unexpected(window)).toEqual([]);
  await page.close();
});
