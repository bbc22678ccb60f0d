import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { newDesk, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];

test('a clerk complains, an operator answers, and the clerk disputes what home names', async () => {
  const desk = await newDesk(browser, site);
  const { shipmentId } = await desk.sandbox.create();
  const window = await desk.open(`/shipments/${shipmentId}`);
  const { page } = window;
  await page.setViewportSize({ width: 390, height: 844 });
  const shot = async (name: string, of = page) => {
    if (shots !== undefined) await of.screenshot({ path: `${shots}/console-case-${name}.png`, fullPage: true });
  };
  await page.getByRole('button', { name: 'Complain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What is it about?').selectOption('DAMAGED');
  await dialog.getByLabel('What happened?').fill('The box is torn.');
  await shot('1-dialog');
  await dialog.getByRole('button', { name: 'Complain' }).click();
  await page.getByText('The complaint is sent.').waitFor();
  await page.getByRole('link', { name: 'Damaged' }).click();
  await page.getByText('Answer by').waitFor();
  await page.getByText('The box is torn.').waitFor();
  await page.getByLabel('Write to the carrier').fill('We have a picture.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('We have a picture.').first().waitFor();
  await shot('2-open');
  expect(await findBarriers(page)).toEqual([]);

  const { storageState } = await signedInOperator(site);
  const office = await openWindow(browser, `${site.address}/operations/cases?lang=en`, { storageState });
  await office.page.setViewportSize({ width: 1440, height: 900 });
  const row = office.page.getByRole('row').filter({ hasText: 'Damaged' });
  await row.getByRole('timer').waitFor();
  await shot('3-queue', office.page);
  expect(await findBarriers(office.page)).toEqual([]);
  await row.getByRole('link').first().click();
  await office.page.getByText('The box is torn.').waitFor();
  await office.page.getByLabel('Answer').fill('The picture of the pickup shows it whole.');
  await shot('4-answer', office.page);
  expect(await findBarriers(office.page)).toEqual([]);
  await office.page.getByRole('button', { name: 'Send the answer' }).click();
  await office.page.getByText('The answer is sent.').waitFor();
  await office.page.getByText('Nobody owes an answer now.').waitFor();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${site.address}/console`);
  await page.getByText('Complaint answered').waitFor();
  await shot('5-home');
  await page.getByRole('link', { name: 'Damaged' }).click();
  await page.getByText('The picture of the pickup shows it whole.').waitFor();
  await shot('6-answered');
  await page.getByRole('button', { name: 'I do not agree' }).click();
  await page.getByText('Disputed').waitFor();
  await page.getByRole('link', { name: 'All complaints' }).click();
  await page.getByRole('cell', { name: /Disputed/ }).waitFor();
  await shot('7-list');
  expect(await findBarriers(page)).toEqual([]);
  // The operator who answered must not decide.
  await office.page.reload();
  await office.page.getByLabel('Answer').fill('It stays.');
  await office.page.getByRole('button', { name: 'Send the answer' }).click();
  await office.page.getByRole('alert').waitFor();
  await shot('8-same', office.page);
  expect(unexpected(window)).toEqual([]);
  await window.close();
  await office.close();
});
