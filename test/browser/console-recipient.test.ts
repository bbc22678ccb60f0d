import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { signInRecipient } from '../../scripts/shared/recipients.ts';
import { SANDBOX } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];

test('a clerk sends the customer a link, decides the change that it brings, and reads a refusal', async () => {
  const desk = await newDesk(browser, site);
  await desk.sandbox.send('PUT', `${SANDBOX}/dispatch-hold`, { held: true });
  const phone = `+9665${String(Date.now()).slice(-8)}`;
  const { shipmentId } = await desk.sandbox.create({ recipient: { name: 'Huda', phone } });
  await desk.sandbox.untilState(shipmentId, 'READY_FOR_DISPATCH');
  const window = await desk.open(`/shipments/${shipmentId}`);
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Send your customer the link').waitFor();
  await page.getByRole('button', { name: 'Copy a link for the recipient' }).click();
  const dialog = page.getByRole('dialog', { name: 'Address of the link' });
  const copied = page.getByText('The link is copied.');
  await dialog.or(copied).first().waitFor();
  const url = (await dialog.isVisible())
    ? await dialog.locator('code').first().innerText()
    : await page.evaluate(() => navigator.clipboard.readText());
  if (await dialog.isVisible()) await page.keyboard.press('Escape');
  await page.locator('.links').getByText('For the recipient').waitFor();
  const recipient = await signInRecipient(site, new URL(url).pathname.slice('/t/'.length), phone);
  const asked = { location: { latitude: 24.85, longitude: 46.626111 }, addressLine: 'حي العارض، شارع 7' };
  expect((await recipient.change(asked)).status).toBe(200);
  const notice = page.locator('section.notice', { hasText: 'The recipient asks for a change' });
  await notice.getByText('حي العارض، شارع 7').waitFor();
  await notice.getByText('10.06 SAR').waitFor();
  if (shots !== undefined) await page.screenshot({ path: `${shots}/console-recipient.png`, fullPage: true });
  expect(await findBarriers(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('The shipment is changed.').waitFor();
  await expect.poll(async () => (await desk.sandbox.read(shipmentId)).destination).toMatchObject(asked.location);
  expect((await recipient.refuse({ reasonCode: 'TOO_LATE', comment: 'سافرت' })).status).toBe(201);
  await page.getByText('The recipient does not want this parcel: it comes too late').waitFor();
  await page.getByText('سافرت').waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('an owner sets what a change of a recipient may cost', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/tracking-page');
  const { page } = window;
  const field = page.getByLabel('A recipient’s change may cost you up to');
  await field.fill('١٢٫٥');
  await page.getByRole('button', { name: 'Save limit' }).click();
  const identity = page.getByRole('dialog', { name: 'Confirm your identity' });
  await identity.getByLabel('Six-digit code').fill(await identity.getByText(/^\d{6}$/).innerText());
  await page.getByText('Saved. It holds for changes from now on.').waitFor();
  await page.reload();
  expect(await field.inputValue()).toBe('12.5');
  await field.fill('5000');
  await page.getByRole('button', { name: 'Save limit' }).click();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  expect(unexpected(window, 403, 422)).toEqual([]);
  await window.close();
});
