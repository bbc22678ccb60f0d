import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWindow } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { newDesk, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addPerson, newContacts } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/** A number as an Arabic keyboard types it. */
function inArabicDigits(e164: string): string {
  return `0${e164.slice(-9)}`.replaceAll(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

/** A number as WhatsApp and contacts copy it. */
function copied(e164: string): string {
  const national = e164.slice(-9);
  return `\u202a+966\u00a0${national.slice(0, 2)}\u00a0${national.slice(2, 5)}\u00a0${national.slice(5)}\u202c`;
}

async function enterCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
}

/** An owner with this mobile. The sample data may have one already. */
async function addOwner(mobile: string): Promise<void> {
  const known = await site.sql('directory', 'select 1 from sign_in_identifiers where identifier = ?', [mobile]);
  if (known.length > 0) return;
  const { personId } = await addPerson(site, await addCompany(site));
  await site.sql('directory', 'update people set mobile = ? where id = ?', [mobile, personId]);
  const change = "update sign_in_identifiers set identifier = ? where person_id = ? and identifier like '+%'";
  await site.sql('directory', change, [mobile, personId]);
}

test.each([
  ['٠٥٠٠٠٠٠٠١١', '+966500000011'],
  [copied('+966500000021'), '+966500000021'],
  ['00966500000031', '+966500000031'],
  ['050 000 0041', '+966500000041'],
])('a merchant signs in with %s', async (typed, mobile) => {
  await addOwner(mobile);
  const window = await openWindow(browser, `${site.address}/console`);
  const { page } = window;
  await page.getByLabel('E-mail address or mobile').fill(typed);
  await enterCode(page);
  await page.getByRole('heading', { level: 1, name: 'Today' }).or(page.getByRole('navigation')).first().waitFor();
  expect(unexpected(window, 401)).toEqual([]);
  await window.close();
});

test.each([
  ['an Arabic keyboard', inArabicDigits],
  ['a contact', copied],
])('a driver signs in with a number from %s', async (_from, spelling) => {
  const { phone } = await newSandbox(site);
  const window = await openWindow(browser, `${site.address}/driver?lang=en`, { viewport: { width: 360, height: 740 } });
  const { page } = window;
  await page.getByLabel('Your mobile').fill(spelling(phone));
  await enterCode(page);
  await page.getByRole('button', { name: /duty/ }).waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('the form takes a reference and the same with edges that nobody sees as one, and a name of spaces as none', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/new?from=sandbox');
  const { page } = window;
  const submit = () => page.getByRole('button', { name: 'Create the shipment' }).click();
  await page.getByLabel('Your reference').fill('X');
  await page.getByLabel('Mobile', { exact: true }).first().fill(copied('+966501234567'));
  await page.getByLabel('Name', { exact: true }).first().fill('\u00a0 \u200f');
  await page.getByLabel('Declared value').fill('1,234');
  // A thousand times less to somebody else, so the page says what it is.
  await page.getByRole('status').filter({ hasText: 'Read as: 1234' }).waitFor();
  await submit();
  await page.getByText('This field is required.').waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('ريم الدوسري\u200f');
  await submit();
  await page.getByText('The shipment is created.').waitFor();
  for (const typed of ['X ', '\u00a0X', 'X\u200f']) {
    await page.goto(`${site.address}/console/shipments/new?from=sandbox`);
    await page.getByLabel('Your reference').fill(typed);
    await submit();
    await page.getByText('A shipment with this reference exists already').waitFor();
  }
  const list = (await (await desk.sandbox.merchant.get(SHIPMENTS)).json()) as { data: { externalReference: string }[] };
  expect(list.data).toMatchObject([{ externalReference: 'X', declaredValue: 1234, recipientName: 'ريم الدوسري' }]);
  expect(unexpected(window, 422, 409)).toEqual([]);
  await window.close();
});

test('a file with numbers that can be read in two ways says so, and the person decides', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/upload');
  const { page } = window;
  const content = ['sep=;', 'Order;Declared value;COD', 'A-1;1,234;1.500', 'A-2;2,000;0'].join('\r\n');
  const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await page.getByText('orders.csv: 2 rows').waitFor();
  const doubts = page.getByRole('status').filter({ hasText: 'These numbers can be read in two ways.' });
  await doubts.getByText('row 2: 1,234 is read as 1234 (and 1 more in this column)').waitFor();
  await doubts.getByText('row 2: 1.500 is read as 1.5').waitFor();
  await page.getByLabel('Decimal separator in this file').selectOption('A comma');
  await doubts.getByText('row 2: 1,234 is read as 1.2340').waitFor();
  await doubts.getByText('row 2: 1.500 is read as 1500').waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('an operator gives a driver a phone as it was copied, and finds the city by its name', async () => {
  const { storageState } = await signedInOperator(site);
  const { company } = await newSandbox(site);
  const { mobile } = newContacts();
  const window = await openWindow(browser, `${site.address}/operations/drivers/new?shard=${company.shard}`, {
    storageState,
  });
  const { page } = window;
  await page.getByLabel('Mobile').fill(copied(mobile));
  await page.getByLabel('First name').fill('\u00a0سالم\u200f');
  await page.getByLabel('City code').fill('الرّياض');
  await page.getByLabel('Weight of a shipment, at most (kg)').fill('٢٠٫٥');
  await page.getByLabel('Length of a piece, at most (cm)').fill('120.0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() =>
      site.sql(
        company.shard,
        'select first_name, city_code, weight_kilograms_max as weight, length_centimetres_max as length from drivers where phone = ?',
        [mobile],
      ),
    )
    .toEqual([{ first_name: 'سالم', city_code: 'RUH', weight: '20.5', length: '120' }]);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
