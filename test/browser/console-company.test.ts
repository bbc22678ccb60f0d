import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { openConsole, signedIn } from '../../scripts/shared/console.ts';
import { newOwner } from '../../scripts/shared/credentials.ts';
import { untilLogged } from '../../scripts/shared/exercises/request-log.ts';
import { pngOf, pngOfPixels } from '../../scripts/shared/files.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { codesTo } from '../../scripts/shared/people.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

describe('the credential in the console', () => {
  test('issues a credential after a second factor, gets a token with it, and deletes it after the end of its id is typed', async () => {
    const { companyId } = await newOwner(site);
    const { person, storageState } = await signedIn(site, { companyId });
    const window = await openConsole(browser, site, { path: '/credentials', storageState });
    const { page } = window;
    await page.getByRole('button', { name: 'Show the credential' }).click();
    await page.getByRole('dialog').getByLabel('Six-digit code').waitFor();
    await page
      .getByRole('dialog')
      .getByText(`********${person.mobile.slice(-4)}`)
      .waitFor();
    const [code = ''] = await codesTo(site, person.mobile);
    await page.getByLabel('Six-digit code').fill(code);
    await page.getByRole('button', { name: 'Issue the credential' }).click();
    const clientSecret = await page.getByRole('region', { name: 'Client secret' }).locator('code').innerText();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('mirsal-local.env');
    const clientId = /MIRSAL_CLIENT_ID=(\S+)/.exec(readFileSync(await download.path(), 'utf8'))?.[1] ?? '';
    expect(readFileSync(await download.path(), 'utf8')).toContain(`MIRSAL_CLIENT_SECRET=${clientSecret}\n`);
    expect(await issueToken(site, { clientId, clientSecret })).toMatch(/^ey/);
    expect(await page.evaluate(() => JSON.stringify([location.href, { ...localStorage }]))).not.toContain(clientSecret);
    expect(site.service.logs().join('\n')).not.toContain(clientSecret);

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(`…${clientSecret.slice(-4)}`).waitFor();
    expect(await page.getByText(clientSecret).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete the credential' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Type the last six characters').fill(clientId.slice(-6));
    await confirm.click();
    await page.getByRole('button', { name: 'Issue the credential' }).waitFor();
    await expect(issueToken(site, { clientId, clientSecret })).rejects.toThrow('401');
    // The browser logs the 403 that asks for the second factor, and the 404 for a missing credential.
    expect(window.faults.filter((fault) => !/40[34]/.test(fault))).toEqual([]);
    await window.close();
  });
});

describe('branches and pickup locations in the console', () => {
  test('refuses new shipments from a deactivated branch', async () => {
    const company = await addCompany(site);
    const merchant = await merchantOf(site, company);
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: '/places', storageState });
    const { page } = window;
    await page.getByRole('link', { name: company.branchCode }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    const head = page.locator('.page-head');
    await head.getByText('Inactive', { exact: true }).waitFor();
    expect((await merchant.postShipment(shipmentBody(company))).status).toBe(409);
    await page.getByRole('button', { name: 'Activate' }).click();
    await head.getByText('Active', { exact: true }).waitFor();
    expect((await merchant.postShipment(shipmentBody(company))).status).toBe(201);
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('shows each error at its field and keeps the other values', async () => {
    const company = await addCompany(site);
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: '/places/new', storageState });
    const { page } = window;
    await page.getByLabel('Code', { exact: true }).fill('small');
    await page.getByLabel('Name', { exact: true }).fill('Abha, airport');
    await page.getByLabel('City').fill('AHB');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    expect(await page.locator('input[aria-invalid="true"]').inputValue()).toBe('small');
    expect(await page.getByText('Enter 2 to 64 capital letters, digits, - and _.').count()).toBe(1);
    await page.getByLabel('Code', { exact: true }).fill('ABHA-AIR');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Abha, airport' }).waitFor();

    await page.getByRole('link', { name: 'New pickup location' }).click();
    await page.getByLabel('Code', { exact: true }).fill('ABHA-GATE');
    await page.getByLabel('Name', { exact: true }).fill('Gate 2');
    await page.getByLabel('Address').fill('Airport Road, Abha');
    await page.getByLabel('City').fill('AHB');
    await page.getByLabel('Latitude').fill('18.24');
    await page.getByLabel('Longitude').fill('442.65');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    expect(await page.locator('input[aria-invalid="true"]').inputValue()).toBe('442.65');
    await page.getByLabel('Longitude').fill('42.65');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'ABHA-GATE' }).waitFor();
    // The browser logs the two error responses.
    expect(window.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
    await window.close();
  });
});

test('the logo and the contact of the tracking page are set in the console, and shown after a consent', async () => {
  const company = await addCompany(site);
  const merchant = await merchantOf(site, company);
  const { shipmentId } = await merchant.create();
  const { url = '' } = await createLink(merchant, shipmentId, { locale: 'en' });
  const page = async () => (await site.fetch(new URL(url).pathname)).text();
  const { storageState } = await signedIn(site, company, { assurance: 'AAL2' });
  const window = await openConsole(browser, site, { path: '/tracking-page', storageState });
  const console = window.page;
  // A file that is too large is drawn smaller before it is sent.
  const buffer = Buffer.from(pngOf(40_000, pngOfPixels(1600, 480)));
  await console.getByLabel('Choose a logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await console.getByRole('img', { name: 'Your logo' }).waitFor();
  expect(await page()).toMatch(/<img class="logo" src="\/logos\/[^"]+" width="480" height="144"/);

  await console.getByLabel('Phone').fill('011 234 5678');
  await console.getByRole('button', { name: 'Save contact' }).click();
  await console.locator('input[aria-invalid="true"]').waitFor();
  await console.getByLabel('Phone').fill('+966112345678');
  await console.getByRole('button', { name: 'Save contact' }).click();
  await console.getByText('Saved.').waitFor();
  expect(await page()).not.toContain('tel:');
  await console.getByLabel('Show these numbers').check();
  await console.getByRole('button', { name: 'Save contact' }).click();
  await expect.poll(page).toContain('tel:+966112345678');
  await console.getByRole('button', { name: 'Remove the logo' }).click();
  await console.getByText('Recipients see the name of your company.').waitFor();
  expect(await page()).not.toContain('/logos/');
  // The browser logs the refused number.
  expect(window.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
  await window.close();
});

describe('the request log in the console', () => {
  test('leads from an error group to the refused creation, its violation and its command, and shows new requests', async () => {
    const company = await addCompany(site);
    const merchant = await merchantOf(site, company);
    const refuse = () =>
      merchant.postShipment(shipmentBody(company, { recipient: { name: 'Noura', phone: 'secret' } }));
    const created = await merchant.create();
    const { headers } = await refuse();
    await untilLogged(merchant, headers.get('x-request-id') ?? '');
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: `/shipments/${created.shipmentId}`, storageState });
    const { page } = window;
    await page.getByRole('link', { name: 'Requests about this shipment' }).press('Enter');
    expect(await page.getByLabel('Shipment id').inputValue()).toBe(created.shipmentId);
    await page.getByRole('link', { name: 'POST /v2/external/shipments' }).press('Enter');
    await page.getByRole('link', { name: 'shipment.created' }).waitFor();

    const area = page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Requests' });
    await area.press('Enter');
    const groups = page.getByRole('table', { name: 'Errors by cause' });
    const group = groups.getByRole('row').filter({ hasText: 'recipient.phone PATTERN_MISMATCH' });
    await group.getByRole('cell', { name: '1', exact: true }).waitFor();
    await refuse();
    await group.getByRole('cell', { name: '2', exact: true }).waitFor();
    await group.getByRole('link', { name: 'shipments.create' }).press('Enter');
    expect(new URL(page.url()).search).toBe('?operation=shipments.create&status=422');
    const refused = page.getByRole('link', { name: 'POST /v2/external/shipments' });
    await expect.poll(() => refused.count()).toBe(2);
    await refused.last().press('Enter');

    await page.getByText('sent: "<string 6>"').waitFor();
    expect(await page.getByLabel('Body of the request', { exact: true }).innerText()).toContain('"name": "<string 5>"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: as curl' }).press('Enter');
    await page.getByText('Copied.').waitFor();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toContain(`curl -X POST '${site.address}/v2/external/shipments'`);
    expect(curl).toContain('"phone":"<recipient.phone>"');
    await page.getByRole('link', { name: 'Try this operation in the API reference' }).press('Enter');
    await page.locator('#shipments-create:target').waitFor();

    const none = { data: [], page: { nextCursor: null, hasMore: false } };
    await page.route(/\/trpc\/requestLog\.list\?/, (route) => route.fulfill({ json: [{ result: { data: none } }] }));
    await page.route('**/ready', (route) => route.fulfill({ json: { requestLog: { kept: false } } }));
    await page.goto(`${site.address}/console/requests`);
    await page.getByText('This deployment keeps no request log.').waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });
});
