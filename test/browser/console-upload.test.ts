import { readFileSync } from 'node:fs';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { keptUpload } from '../support/kept-upload.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('rows of a CSV file that are not created stay, with their reasons, and can be uploaded again', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/upload');
  const { page } = window;
  const choose = (content: string) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const rest = 'King Fahd Road,24.794722,46.626111,185,0,SAR,PREPAID,Coffee,1,0.5,10,10,10';
  await choose(
    [
      'Order,Name,Mobile,City,Address,lat,lng,Declared value,COD,Currency,Payment,Description,Pieces,Weight,Length cm,Width cm,Height cm',
      `A-1,Reem,0501234567,Riyadh,${rest}`,
      `A-2,Noura,12,RUH,${rest}`,
      `A-3,Faisal,0501234567,الرياض,${rest}`,
      `A-4,Huda,0501234567,Nowhere,${rest}`,
    ].join('\n'),
  );
  await page.getByText('orders.csv: 4 rows').waitFor();
  // The browser shows the name of the file that the field has.
  expect(await page.getByLabel('CSV file').inputValue()).toMatch(/orders\.csv$/);
  await page.getByText('All 17 columns of the file are used').waitFor();
  expect(await page.getByLabel('Field of the column Mobile').isVisible()).toBe(false);
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('2 of 4 rows can be created.').waitFor();
  // The reference, the mobile of row 3 and the city of row 5: nobody has to scroll to what is wrong.
  const cells = page.getByLabel(/^Row 3, /);
  expect(await cells.count()).toBe(3);
  await page.getByLabel('Show all columns').check();
  await expect.poll(() => cells.count()).toBe(17);
  await page.getByLabel('Show all columns').uncheck();
  await page.getByRole('button', { name: 'Leave out 2 rows with errors' }).press('Enter');
  await page.getByText('The other rows are left out.').waitFor();
  await expect.poll(() => cells.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the rows with errors' }).press('Enter');
  await expect.poll(() => cells.count()).toBe(3);
  await page.getByRole('button', { name: 'Create 2 shipments' }).press('Enter');
  await page.getByText('Created: 2 · Not created: 2').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Result');
  expect(await page.getByLabel('Row 3, Mobile').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Row 5, City').getAttribute('aria-invalid')).toBe('true');
  expect(await findBarriers(page)).toEqual([]);
  const save = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  };
  const saveCsv = async (name: string) => (await save(name)).toString('utf8');
  const rows = (await saveCsv('Result as CSV')).trimEnd().split('\r\n').slice(1);
  expect(rows.map((row) => row.replace(/SHP-.*/, 'SHP'))).toEqual([
    '2,A-1,SHP',
    '3,A-2,,,Mobile: Enter a Saudi mobile such as 0501234567.',
    '4,A-3,SHP',
    '5,A-4,,,City: We do not deliver to this place. Check the city and the coordinates.',
  ]);
  expect((await readSheet(await save('Result as Excel'))).slice(1, 3)).toEqual([
    [2, 'A-1', expect.stringMatching(/^SHP-/), expect.stringMatching(/\/waybill$/), null],
    [3, 'A-2', null, null, 'Mobile: Enter a Saudi mobile such as 0501234567.'],
  ]);
  const [, , refused] = await readSheet(await save('Rows that were not created as Excel'));
  expect(refused).toEqual(expect.arrayContaining(['A-4', 'Huda', '0501234567', 'Nowhere', '24.794722']));
  const [template = []] = await readSheet(await save('Download a template for Excel'));
  expect(template).toContain('Mobile');
  await choose((await saveCsv('Rows that were not created as CSV')).replace('Nowhere', 'Nowhere else'));
  await page.getByText('orders.csv: 2 rows').waitFor();
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('0 of 2 rows can be created. Correct what is marked, and check again.').waitFor();
  expect(await page.getByRole('button', { name: /^Leave out/ }).count()).toBe(0);
  await page.getByLabel('Row 2, Mobile').fill('0501234567');
  await page.getByLabel('Row 3, City').fill('riyadh');
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await page.getByText('2 of 2 rows can be created.').waitFor();
  // Taken after the check. The row comes back, and a second batch creates it.
  await desk.sandbox.create({ externalReference: 'A-4' });
  await page.getByRole('button', { name: 'Create 2 shipments' }).press('Enter');
  await page.getByText('Created: 1 · Not created: 1').waitFor();
  const reference = page.getByLabel('Row 3, Your reference');
  await expect.poll(() => reference.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('You have a shipment with this reference already.').waitFor();
  await reference.fill('A-5');
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await page.getByText('1 of 1 rows can be created.').waitFor();
  await page.getByRole('button', { name: 'Create 1 shipment' }).press('Enter');
  await expect.poll(() => page.getByText('Not created: 1').count()).toBe(0);
  await page.getByText('Created: 1').waitFor();
  expect((await saveCsv('Result as CSV')).trimEnd()).toMatch(/\r\n3,A-5,SHP-[^\r\n]*$/);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('the export of a shop becomes shipments without a column by hand', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/upload');
  const { page } = window;
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('CSV file or Excel workbook').setInputFiles({ name, mimeType: '', buffer });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download a template for Excel' }).click(),
  ]);
  await choose('template.xlsx', readFileSync(await download.path()));
  await page.getByText('This file has no rows under its header.').waitFor();
  await choose('orders.csv', readFileSync('test/unit/console/exports/salla.csv'));
  await page.getByText('orders.csv: 20 rows').waitFor();
  await page.getByText('An export of Salla.').waitFor();
  await page.getByText('There is no column for: Branch · Pickup location · Weight per piece, kg').waitFor();
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  await page.getByLabel('Weight per piece, kg').fill('0.5');
  await page.getByRole('button', { name: 'Find the places by their addresses' }).press('Enter');
  // The fixture knows King Fahd Road.
  await page.getByText('Places to confirm: 4.').waitFor();
  // A street is no door, so each place is confirmed by itself. Nothing is created with the others.
  expect(await page.getByRole('button', { name: /exact place/ }).count()).toBe(0);
  const confirms = page.getByRole('button', { name: /^Confirm: row/ });
  for (let left = 4; left > 0; left -= 1) {
    await confirms.first().click();
    await expect.poll(() => confirms.count()).toBe(left - 1);
    if (left > 1) expect(await confirms.first().evaluate((next) => next === document.activeElement)).toBe(true);
  }
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('4 of 20 rows can be created.').waitFor();
  await page.getByText(/You pay about .*SAR.* VAT\./).waitFor();
  await page.getByText('Price of each row').click();
  expect(await page.getByRole('table', { name: 'Price of each row' }).getByText(/SAR$/).count()).toBe(4);
  await page.getByRole('button', { name: 'Create 4 shipments' }).press('Enter');
  await page.getByText('Created: 4 · Not created: 16').waitFor();
  const header = 'Order ID,Customer Name,Mobile,City,Address,lat,lng,Product,Total,Payment Method';
  const order = 'T-1,Reem,9.66501E+11,Riyad,King Fahd Road,24.794722,46.626111,Coffee,90,Bank transfer';
  await choose('own.csv', Buffer.from(`Orders of today\n${header}\n${order}\n`));
  await page.getByText('own.csv: 1 row').waitFor();
  // Nothing is checked before the person has said what the words mean.
  expect(await page.getByRole('button', { name: 'Check the rows' }).count()).toBe(0);
  await page.getByLabel(/Bank transfer.* \(1 row\)/).selectOption('Prepaid');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('0 of 1 rows can be created.').waitFor();
  await page.getByText('A spreadsheet has rounded this number').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Riyadh?' }).press('Enter');
  await expect.poll(() => page.getByLabel('Row 3, City').inputValue()).toBe('Riyadh');
  await page.getByLabel('Row 3, Mobile').fill('0501234567');
  await page.getByRole('button', { name: 'Check again' }).press('Enter');
  await page.getByText('1 of 1 rows can be created.').waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('a file of thousands of rows is found again where it was left, and leaves the browser at sign-out', {
  timeout: 180_000,
}, async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/upload?lang=en');
  const { page } = window;
  const header = 'Order,Name,Mobile,City,Address,lat,lng,Declared value,COD,Currency,Payment,Description,Pieces,Weight';
  const fileOf = (count: number) => {
    const rows = Array.from(
      { length: count },
      (_, index) => `L-${index},نورة,0501234567,الرياض,طريق الملك فهد,24.794722,46.626111,185,20,SAR,COD,قهوة,1,0.5`,
    );
    return { name: `${count}.csv`, mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) };
  };
  const input = page.getByLabel('CSV file');
  await input.setInputFiles(fileOf(10_001));
  await page.getByText('This file has more than 10,000 orders.').waitFor();
  await input.setInputFiles(fileOf(10_000));
  await page.getByText('10000.csv: 10,000 rows').waitFor();
  // The rows are not drawn.
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  const kept = async () => {
    const upload = await keptUpload(page);
    return [upload?.rows.length, upload?.sheet.defaults.values.branchCode];
  };
  await expect.poll(kept, { timeout: 15_000 }).toEqual([10_000, 'SANDBOX_BRANCH']);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText('This upload is open in another tab.').waitFor();
  await page.goto(`${site.address}/console/shipments?lang=en`);
  await other.getByText('You left this form unfinished').waitFor();
  await other.close();
  await page.goto(`${site.address}/console/shipments/upload?lang=en`);
  await page.getByText('You left this form unfinished').waitFor();
  expect(await page.getByLabel('Branch').last().inputValue()).toBe('SANDBOX_BRANCH');
  await page.getByRole('button', { name: 'Start afresh' }).press('Enter');
  await input.setInputFiles(fileOf(1_001));
  await page.getByLabel('Branch').last().selectOption('SANDBOX_BRANCH');
  await page.getByRole('button', { name: 'Check the rows' }).press('Enter');
  await page.getByText('1,001 of 1,001 rows can be created.').waitFor({ timeout: 60_000 });
  await page.getByText(/The drivers collect .*20,020\.00/).waitFor();
  await page.getByRole('button', { name: 'Create 1,001 shipments' }).press('Enter');
  // The page is left while the first part runs.
  await page.waitForURL(/batch=/);
  await expect.poll(async () => (await keptUpload(page))?.sent?.batchIds.length).toBe(1);
  await page.goto(`${site.address}/console/shipments?lang=en`);
  await page.getByRole('searchbox', { name: 'Search' }).waitFor();
  await page.goto(`${site.address}/console/shipments/upload?lang=en`);
  await page.getByText('500 of 1,001 rows were sent.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send the others' }).press('Enter');
  await page.getByRole('button', { name: 'Stop after this part' }).press('Enter');
  await page.getByText('1,000 of 1,001 rows were sent.').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Send the others' }).press('Enter');
  await page.getByText('Created: 1,001').waitFor({ timeout: 60_000 });
  await input.setInputFiles(fileOf(2));
  await expect.poll(async () => (await keptUpload(page))?.rows.length).toBe(2);
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => keptUpload(page)).toBeUndefined();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
