import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type SignedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { PDF, PNG } from '../support/files.ts';
import { openSite } from '../support/open-site.ts';
import { draftOf, upload } from '../support/registrations.ts';

/* An operator walks each queue: what is in it, in which order and why, and the actions on its rows. */

const { site, browser } = await openSite('deno');
let operator: SignedIn;
beforeAll(async () => {
  operator = await signedInOperator(site);
});
const open = (path: string, who = operator) =>
  openWindow(browser, `${site.address}/operations${path}`, { storageState: who.storageState });

const company = await addCompany(site);
await setApprovalPolicy(site, company, 'MANUAL');
const merchant = await merchantOf(site, company);
const sql = (statement: string, ...values: (string | number)[]) => site.sql(company.shard, statement, values);

type State = Parameters<typeof forceState>[3];
async function shipmentIn(state: State | 'PENDING_APPROVAL', driver = "on_duty = 1, status = 'ACTIVE'") {
  const shipment = await merchant.create();
  if (state !== 'PENDING_APPROVAL') await forceState(site, company, shipment.shipmentId, state);
  const isTheirs = 'id = (select driver_id from shipments where id = ?)';
  await sql(`update drivers set ${driver} where ${isTheirs}`, shipment.shipmentId);
  return shipment;
}

const rowOf = (page: Page, { shipmentNumber }: { readonly shipmentNumber: string }) =>
  page.getByRole('row').filter({ hasText: shipmentNumber });

test('each queue has its shipments with the reason, the longest waiting first, and their number', async () => {
  const pending = [await shipmentIn('PENDING_APPROVAL'), await shipmentIn('PENDING_APPROVAL')];
  const unresolved = await shipmentIn('DISPATCH_UNRESOLVED');
  await sql("update events set reason_code = 'NO_DRIVER' where shipment_id = ? and step = 2", unresolved.shipmentId);
  const late = [await shipmentIn('ACCEPTED'), await shipmentIn('ACCEPTED')];
  // The second one has waited for longer.
  for (const [index, { shipmentId }] of late.entries()) {
    const end = (Date.now() - (index + 2) * 3_600_000) * 1000;
    await sql('update shipments set pickup_window_end = ? where id = ?', end, shipmentId);
  }
  const offDuty = await shipmentIn('PICKED_UP', 'on_duty = 0');
  const blocked = await shipmentIn('OUT_FOR_DELIVERY', "on_duty = 0, status = 'INACTIVE'");
  const window = await open('');
  const { page } = window;
  const walk = [
    ['Stranded with a driver', [offDuty, blocked], ['off duty', 'blocked']],
    ['Accepted, not picked up', late.toReversed(), ['Reassign', 'Reassign']],
    ['No driver found', [unresolved], ['No driver was free']],
    ['Waiting for approval', pending, ['Approve', 'Approve']],
  ] as const;
  const sections = page.locator('section.part');
  await sections.first().waitFor();
  expect(await sections.count()).toBe(walk.length);
  for (const [place, [title, shipments, words]] of walk.entries()) {
    const section = sections.nth(place);
    const rows = section.locator('tbody tr');
    expect(await rows.count()).toBe(shipments.length);
    for (const [index, { shipmentNumber }] of shipments.entries()) {
      expect(await rows.nth(index).textContent()).toContain(shipmentNumber);
      expect(await rows.nth(index).textContent()).toContain(words[index]);
    }
    expect(await section.getByRole('heading', { level: 2 }).textContent()).toBe(`${title} ${shipments.length}`);
  }
  expect(await findBarriers(page)).toEqual([]);
  expect(window.faults).toEqual([]);
  await window.close();
});

test.each([
  ['waits for approval', 'PENDING_APPROVAL'],
  ['found no driver', 'DISPATCH_UNRESOLVED'],
  ['is late', 'ACCEPTED'],
] as const)('a shipment that %s is cancelled at the carrier’s cost', async (_what, state) => {
  const shipment = await shipmentIn(state, 'on_duty = 0');
  const window = await open('');
  const { page } = window;
  await rowOf(page, shipment).getByRole('button', { name: 'Cancel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this shipment at the carrier’s cost?' });
  await dialog.getByLabel('Reason').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Cancel' }).first().click();
  await page.getByText('Done.').waitFor();
  await expect.poll(() => rowOf(page, shipment).count()).toBe(0);
  const charges = await merchant.get(`/v2/external/shipments/${shipment.shipmentId}/charges`);
  expect(await charges.json()).toMatchObject({ totalAmount: 0 });
  expect(window.faults).toEqual([]);
  await window.close();
});

test.each([
  ['off duty', 'on_duty = 0'],
  ['blocked', "on_duty = 0, status = 'INACTIVE'"],
])('a shipment whose driver is %s before the pickup is reassigned', async (_why, driver) => {
  const shipment = await shipmentIn('ACCEPTED', driver);
  const window = await open('?queue=strandedGoods');
  const { page } = window;
  await rowOf(page, shipment).getByRole('button', { name: 'Reassign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take this shipment from its driver?' });
  await dialog.getByLabel('Reason').selectOption('PHONE_LOST');
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await page.getByText('Done.').waitFor();
  await expect.poll(() => rowOf(page, shipment).count()).toBe(0);
  expect(window.faults).toEqual([]);
  await window.close();
});

test('of two operators who act at once, the slower one reads who was faster', async () => {
  const shipment = await shipmentIn('ACCEPTED', 'on_duty = 0');
  const other = await signedInOperator(site);
  await site.sql('directory', "update people set full_name = 'Huda Al-Otaibi' where id = ?", [other.person.personId]);
  const path = '?queue=strandedGoods';
  const [slow, fast] = [await open(path), await open(path, other)];
  const dialogs = [slow, fast].map(async ({ page }) => {
    await rowOf(page, shipment).getByRole('button', { name: 'Cancel' }).waitFor();
    await rowOf(page, shipment).getByRole('button', { name: 'Reassign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('DRIVER_LATE');
    return dialog.getByRole('button', { name: 'Reassign' });
  });
  const [slowButton, fastButton] = await Promise.all(dialogs);
  await fastButton?.click();
  await fast.page.getByText('Done.').waitFor();
  await slowButton?.click();
  await slow.page.getByText(/It is now “.+”, by Huda Al-Otaibi, .+ ago\./).waitFor();
  expect(await findBarriers(slow.page)).toEqual([]);
  expect(unexpected(slow, 409, 412)).toEqual([]);
  await Promise.all([slow.close(), fast.close()]);
});

const PICTURE = { bytes: PNG, contentType: 'image/png', fileName: 'scan.png' };

test('a registration is rejected with a reason beside its picture and its PDF, and the applicant reads the reason', async () => {
  const { body, code, verify } = await draftOf(site);
  const { registrationId, requiredDocuments } = body;
  for (const [index, { documentType }] of requiredDocuments.entries())
    await upload(site, body, { type: documentType, ...(index === 0 ? PICTURE : { bytes: PDF }) });
  expect((await verify(code)).status).toBe(200);
  await site.sql('directory', "update registrations set review = 'PENDING' where id = ?", [registrationId]);
  // From here on the service writes its messages to a folder, where they can be read whole.
  const documents = z.object({ folder: z.string() }).parse(JSON.parse(site.variables['DOCUMENTS'] ?? ''));
  const folder = join(documents.folder, 'messages');
  await site.restart({ MESSAGES: JSON.stringify({ folder }) });
  const window = await open(`/registrations/${registrationId}`);
  const { page } = window;
  const buttons = page.getByRole('button', { name: 'Open' });
  await buttons.first().waitFor();
  for (let left = await buttons.count(); left > 0; left -= 1) {
    await buttons.first().click();
    await expect.poll(() => buttons.count()).toBe(left - 1);
  }
  expect(await page.getByRole('link', { name: 'Save the file' }).count()).toBe(requiredDocuments.length);
  const picture = page.locator('img.scan');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.getByText('Commercial registration number').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this registration?' });
  await dialog.getByLabel('Reason').fill('The picture cannot be read');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected', { exact: true }).waitFor();
  await page.getByText('The picture cannot be read').waitFor();
  const messages = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  await expect.poll(() => messages().join('\n')).toContain('was not approved: The picture cannot be read');
  expect(window.faults).toEqual([]);
  await window.close();
});
