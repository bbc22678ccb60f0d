import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { SANDBOX } from '../../scripts/shared/sandbox.ts';
import { addMedia } from '../support/media.ts';
import { openSite } from '../support/open-site.ts';
import { startStreets } from '../support/street-archive.ts';

const streets = await startStreets();
afterAll(() => streets.stop());
const { site, browser } = await openSite('deno', streets.variables);

test('the shown curl command creates the first shipment', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('');
  await window.page.getByText('The request').click();
  const curl = await window.page.locator('pre').innerText();
  const key = /Idempotency-Key: ([^']+)'/.exec(curl)?.[1] ?? '';
  const body = /-d '([^]*)'$/.exec(curl.trim())?.[1] ?? '';
  const created = await desk.sandbox.merchant.post(SHIPMENTS, body, { 'idempotency-key': key });
  expect(created.status).toBe(201);
  expect(await created.json()).toMatchObject({ declaredValue: 185, pickup: { latitude: 24.711667 } });
  await window.close();
});

test('a CSV file becomes shipments: columns are matched, wrong cells corrected, and the result saved', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments');
  const { page } = window;
  await page.getByRole('link', { name: 'Upload a file of orders' }).press('Enter');
  const choose = (content: string, encoding: BufferEncoding = 'utf8') =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'orders.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content, encoding),
    });
  await choose('Größe;x\n1;2\n', 'latin1');
  await page.getByText('This page cannot read the text of this file.').waitFor();
  await choose('a;b\n');
  await page.getByText('This file has no rows under its header.').waitFor();
  await choose(`a;b\n${'1;2\n'.repeat(10_001)}`);
  await page.getByText('This file has more than 10,000 orders.').waitFor();
  const place = 'King Fahd Road;RUH;24,794722;46,626111;185';
  const orders = [
    '\ufeffOrder;Name;Mobile;Address;City;lat;lng;Declared value;Description;Heaviness',
    `=1+1;Reem;501234567;${place};Coffee;0,5`,
    `B-2;Noura;12;${place};"Tea; green";0,5`,
  ].join('\r\n');
  await choose(orders);
  await page.getByText('There is no column for: Branch · Pickup location · Weight per piece, kg').waitFor();
  await page.getByLabel('Field of the column Heaviness').selectOption('Weight per piece, kg');
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('1 of 2 rows can be created.').waitFor();
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(1);
  expect(await findBarriers(page)).toEqual([]);
  // Nothing that was said about a file marks the rows of the next one.
  await choose(orders);
  // The column that was matched by hand is matched again.
  await page.getByRole('button', { name: 'Check the rows' }).waitFor();
  await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0);
  expect(await page.getByText('There is no column for:').count()).toBe(0);
  const limit = page.getByLabel('At most per shipment (SAR, with VAT)');
  await limit.fill('x');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await expect.poll(() => limit.getAttribute('aria-invalid')).toBe('true');
  await limit.fill('٣٣٫٩');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('0 of 2 rows can be created.').waitFor();
  await page.getByText('Price above the limit: 33.93 SAR').waitFor();
  await page.getByLabel('Row 3, Mobile').fill('0501234568');
  await limit.fill('33.93');
  // The check that is shown is the newest, also if its batch begins late.
  await page.route(
    '**/trpc/shipmentBatches.create?*',
    async (route) => {
      await delay(500);
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await page.getByText('2 of 2 rows can be created.').waitFor();
  // A check counts only for what it has seen, and typed cells outlive other columns and values.
  await page.getByText('All 10 columns of the file are used').click();
  await page.getByLabel('Field of the column Description').selectOption('');
  await page.getByText('There is no column for: Description').waitFor();
  await page.getByLabel('Field of the column Description').selectOption('Description');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('2 of 2 rows can be created.').waitFor();
  await limit.fill('40');
  await expect.poll(() => page.getByRole('button', { name: 'Create 2 shipments' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await page.getByText('2 of 2 rows can be created.').waitFor();
  await page.getByRole('button', { name: 'Create 2 shipments' }).press('Enter');
  await page.getByText('Created: 2').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Result as CSV' }).click(),
  ]);
  const [header, ...rows] = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(header).toBe('\ufeffRow,Your reference,Number,Label,Problem');
  expect(rows[0]).toMatch(/^2,'=1\+1,SHP-\w+,https?:\/\/\S+\/waybill,$/);
  expect(rows[1]).toMatch(/^3,B-2,SHP-/);
  expect(rows).toHaveLength(2);
  await page.getByRole('button', { name: 'Labels (PDF)' }).waitFor();
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

describe('a shipment', () => {
  test('is cancelled for the amount that the dialog shows, and what was typed stays after a change elsewhere', async () => {
    const desk = await newDesk(browser, site);
    await desk.sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    const { shipmentId } = await desk.sandbox.create();
    await desk.sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
    const window = await desk.open('');
    const { page } = window;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('shipments.cancel')) sent.push(request.postData() ?? '');
    });
    // Otherwise the page would load the change by itself.
    await page.addInitScript(() => {
      Object.assign(globalThis, { setInterval: () => 0 });
    });
    await page.goto(`${site.address}/console/shipments/${shipmentId}`);
    await page.getByText('This shipment is held').waitFor();
    await page.getByRole('button', { name: 'Cancel the shipment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the shipment' });
    await dialog.getByText('Free until a driver accepts the shipment').waitFor();
    await dialog.getByText('When a driver is on the way you pay 11.50 SAR with VAT').waitFor();
    await dialog.getByLabel('Reason').selectOption('DUPLICATE');
    await dialog.getByLabel('Comment').fill('طلب مكرر');
    await desk.sandbox.send('POST', `${SANDBOX}/shipments/${shipmentId}/dispatch-releases`);
    await desk.sandbox.untilState(shipmentId, 'OFFERED');
    await (await desk.sandbox.signIn()).act(shipmentId, { action: 'ACCEPT' });
    await desk.sandbox.untilState(shipmentId, 'ACCEPTED');
    await dialog.getByRole('button', { name: 'Cancel for free' }).click();
    await dialog.getByText('The shipment has changed in the meantime').waitFor();
    await dialog.getByText('You pay 11.50 SAR with VAT').waitFor();
    expect(await dialog.getByText('Free again from').innerText()).toContain('if the driver is late');
    expect(await findBarriers(page)).toEqual([]);
    await expect.poll(() => page.getByRole('heading', { name: 'Driver on the way to pick up' }).count()).toBe(1);
    expect(await dialog.getByLabel('Comment').inputValue()).toBe('طلب مكرر');
    // The service cancels it, and its answer is lost.
    await page.route('**/trpc/shipments.cancel?*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByLabel('Comment').press('Enter');
    await dialog.getByText('The service did not answer').waitFor();
    await page.unroute('**/trpc/shipments.cancel?*');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The shipment is cancelled.').waitFor();
    await page.locator('.timeline').getByText('Created twice: طلب مكرر').waitFor();
    await page.getByText('Cancellation fee').waitFor();
    expect(sent.map((body) => /"priceLimit":"([^"]*)"/.exec(body)?.[1])).toEqual(['0', '11.5', '11.5']);
    const [first, lost, again] = sent.map((body) => /"idempotencyKey":"([^"]+)"/.exec(body)?.[1]);
    expect(again).toBe(lost);
    expect(lost).not.toBe(first);
    expect(unexpected(window, 412).filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);

    await desk.sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
    const other = await desk.sandbox.create();
    await desk.sandbox.untilState(other.shipmentId, 'READY_FOR_DISPATCH');
    await page.goto(`${site.address}/console/shipments/${other.shipmentId}`);
    await page.getByRole('button', { name: 'Cancel the shipment' }).click();
    await dialog.getByText('Free until a driver accepts the shipment').waitFor();
    await dialog.getByRole('button', { name: 'Cancel for free' }).click();
    await dialog.getByText('Choose a reason first.').waitFor();
    await dialog.getByLabel('Reason').selectOption('DUPLICATE');
    expect((await desk.sandbox.merchant.cancel(other.shipmentId, '*')).status).toBe(200);
    await dialog.getByRole('button', { name: 'Cancel for free' }).click();
    await dialog.getByText('The shipment is cancelled.').waitFor();
    expect(await dialog.getByText('nothing was cancelled').count()).toBe(0);
    await window.close();
  });

  test('shows its pictures, gets a tracking link with a QR code, shows its address once, and revokes it', async () => {
    const desk = await newDesk(browser, site);
    await addMedia(site, desk.sandbox.company, 'PICTURED', 0);
    const { shipmentId } = await desk.sandbox.create({ externalReference: 'PICTURED' });
    const window = await desk.open(`/shipments/${shipmentId}`);
    const { page } = window;
    await page.getByText('Pictures (1)').click();
    const picture = page.getByRole('img', { name: 'Picture 1' });
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0))
      .toBe(true);
    await page.getByRole('button', { name: 'New tracking link' }).click();
    const dialog = page.getByRole('dialog', { name: 'New tracking link' });
    await dialog.getByLabel('Name').fill('WhatsApp');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const address = await dialog.getByText(/\/t\/shard-1_/).innerText();
    expect(await findBarriers(page)).toEqual([]);
    // The page beneath the dialog is out of reach of screen readers.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: /^Copy/ }).press('Enter');
    await dialog.getByRole('status').getByText('Copied.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(/\/t\/shard-1_/).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New tracking link');
    await page.getByRole('button', { name: 'Copy again: WhatsApp' }).press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(unexpected(window)).toEqual([]);
    await window.close();
  });

  test('asks once for a new session when several calls are refused', async () => {
    const desk = await newDesk(browser, site);
    const { shipmentId } = await desk.sandbox.create({ externalReference: 'SEEN-AGAIN' });
    const window = await desk.open('/shipments');
    const { page } = window;
    const link = page.getByRole('row', { name: 'SEEN-AGAIN' }).getByRole('link');
    await link.waitFor();
    await desk.endSessions();
    // The list refreshes itself, so the dialog may be open already.
    await link.dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await dialog.getByRole('button', { name: /^\d{6}$/ }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/console/shipments/${shipmentId}`);
    expect(unexpected(window, 401)).toEqual([]);
    await window.close();
  });

  test('starts the search for a driver again on request', async () => {
    const desk = await newDesk(browser, site);
    const { shipmentId } = await desk.sandbox.create();
    await desk.sandbox.play(shipmentId, 'NO_DRIVER');
    await desk.sandbox.untilState(shipmentId, 'DISPATCH_UNRESOLVED');
    const window = await desk.open(`/shipments/${shipmentId}`);
    const { page } = window;
    // The sentence that says what is in the way, and the reason of the event in words.
    await page
      .locator('.why')
      .getByText(/driver/i)
      .waitFor();
    // The reason changes with the drivers, so the page reads it again.
    await page.waitForResponse((response) => response.url().includes('shipments.dispatch'));
    expect(await page.locator('.timeline').innerText()).not.toMatch(/[A-Z]_[A-Z]/);
    await page.getByRole('button', { name: 'Look for a driver again' }).click();
    await page.getByText('The search started again').waitFor();
    expect(unexpected(window)).toEqual([]);
    await window.close();
  });
});
