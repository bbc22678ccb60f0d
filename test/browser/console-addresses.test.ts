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

test('a clerk finds the shipments that are held back, and is told to ask the customer', async () => {
  const shipmentId = await blocked();
  const body = shipmentBody(desk.sandbox.company, { destination: RRRD2929 });
  const created = await desk.sandbox.merchant.postShipment(body, { 'national-address': 'RRRD2929' });
  const { shipmentNumber: free } = await created.json();
  const { shipmentNumber: held } = await desk.sandbox.read(shipmentId);
  const window = await desk.open('/shipments');
  const { page } = window;
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('National Address').selectOption({ label: 'Held back until it is valid' });
  await page.getByRole('button', { name: 'Apply the filters' }).click();
  await page.waitForURL(/address=blocked/);
  await page.getByRole('link', { name: held }).waitFor();
  expect(await page.getByText(free).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${site.address}/console/shipments/${shipmentId}`);
  await page.getByText('Send your customer the link: they enter their National Address themselves.').waitFor();
  expect(unexpected(window)).toEqual([]);
  await page.close();
});

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

test.each([
  ['en', 'The pin of the destination and the place of the National Address, north up', /845\.1 km apart/],
  ['ar', 'نقطة الوجهة وموقع العنوان الوطني، والشمال في الأعلى', /المسافة بينهما في خط مستقيم: /],
])('an operator sees how far the registry has an address from the pin, in %s', async (lang, drawing, apart) => {
  const shipmentId = await blocked();
  expect((await desk.sandbox.play(shipmentId, 'ADDRESS_MISMATCH')).status).toBe(202);
  const { storageState } = await signedInOperator(site);
  const path = `/operations/shipments/${desk.sandbox.company.companyId}/${shipmentId}?lang=${lang}`;
  const window = await openWindow(browser, `${site.address}${path}`, { storageState });
  const { page } = window;
  const figure = page.locator('figure').filter({ has: page.getByRole('img', { name: drawing }) });
  await figure.waitFor();
  expect(await figure.textContent()).toMatch(apart);
  expect(await figure.locator('text').textContent()).toMatch(/^200 (?:km|كم)$/);
  expect(await findBarriers(page)).toEqual([]);
  expect(unexpected(window)).toEqual([]);
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
