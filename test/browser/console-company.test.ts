import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { openConsole, signedIn, unexpected } from '../../scripts/shared/console.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { codesTo } from '../../scripts/shared/people.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { FRAME } from '../../src/pages/reference/words.ts';
import { newOwner } from '../support/credentials.ts';
import { pngOf, pngOfPixels } from '../support/files.ts';
import { openSite } from '../support/open-site.ts';
import { untilLogged } from '../support/request-log.ts';
import { trpcClient } from '../support/trpc.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];
const FIRST_STEPS = ['Try one in the sandbox', 'Make an API credential', 'Send the first request', 'Add a webhook'];
const named = z.looseObject({ externalReference: z.string() });

describe('the credential in the console', () => {
  test('issues a credential after a second factor, gets a token with it, and deletes it after the end of its id is typed', async () => {
    const { companyId } = await newOwner(site);
    const { person, storageState } = await signedIn(site, { companyId });
    const window = await openConsole(browser, site, { path: '', storageState });
    const { page } = window;
    const steps = page.getByRole('region', { name: 'First steps' }).locator('> ol > li');
    await steps.getByRole('button', { name: 'Set up the sandbox' }).waitFor();
    const titles = await steps.getByRole('heading').allInnerTexts();
    expect(titles.map((title) => title.trim())).toEqual(FIRST_STEPS);
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await steps.getByRole('link', { name: 'Make the credential' }).click();
    await page.getByRole('button', { name: 'Show the credential' }).click();
    await page.getByRole('dialog').getByLabel('Six-digit code').waitFor();
    await page
      .getByRole('dialog')
      .getByText(`********${person.mobile.slice(-4)}`)
      .waitFor();
    const [code = ''] = await codesTo(site, person.mobile);
    await page.getByRole('dialog').getByRole('button', { name: code, exact: true }).click();
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

    const proved = await page.context().storageState();
    const home = await openConsole(browser, site, { path: '?lang=ar', storageState: proved });
    for (const width of [390, 1440]) {
      await home.page.setViewportSize({ width, height: 844 });
      await home.page.getByText('تمّت').nth(1).waitFor();
      expect(await findBarriers(home.page)).toEqual([]);
      expect(await home.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (shots !== undefined)
        await home.page.screenshot({ path: `${shots}/console-first-steps-${width}.png`, fullPage: true });
    }
    await home.page.getByRole('button', { name: 'أخفِ هذه الخطوات' }).click();
    await home.page.getByRole('heading', { name: 'اليوم' }).waitFor();
    await home.page.reload();
    await home.page.getByRole('heading', { name: 'اليوم' }).waitFor();
    expect(await home.page.getByRole('heading', { name: 'الخطوات الأولى' }).count()).toBe(0);
    await home.close();

    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(`…${clientSecret.slice(-4)}`).waitFor();
    expect(await page.getByText(clientSecret).count()).toBe(0);
    const readLog = async () => {
      const headers = { authorization: `Bearer ${await issueToken(site, { clientId, clientSecret })}` };
      return (await site.fetch('/v2/external/requests', { headers })).status;
    };
    expect(await readLog()).toBe(403);
    await page.getByLabel('Your systems may read the request log').check();
    await page.getByText('webhooks:manage logs:read').waitFor();
    expect(await readLog()).toBe(200);
    // The box gives back no scope that was taken away since the page read them.
    const cookie = (await page.context().cookies()).find(({ name }) => name === '__Host-session');
    const { merchantApiCredential } = trpcClient(site, cookie?.value ?? '');
    await merchantApiCredential.setScopes.mutate({ scopes: ['shipments:read', 'logs:read'] });
    await page.getByLabel('Your systems may read the request log').uncheck();
    await page.getByText('shipments:read', { exact: true }).waitFor();
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
    await site.sql(company.shard, `update branches set city_code = 'RUH' where company_id = ?`, [company.companyId]);
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: '/places', storageState });
    const { page } = window;
    await page.getByRole('cell', { name: 'Riyadh', exact: true }).waitFor();
    await page.getByRole('link', { name: company.branchCode }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    const head = page.locator('.page-head');
    await head.getByText('Inactive', { exact: true }).waitFor();
    await head.getByText('Riyadh', { exact: true }).waitFor();
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
  await console.getByText('Saved.', { exact: true }).waitFor();
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

/** What tells an answer of the service from that of a proxy. */
const OURS = { 'x-request-id': '01a1fd43-0191-76f7-b59d-802bf37e3ff7' };

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
    // People create shipments too.
    expect(new URL(page.url()).searchParams.get('source')).toBe('ALL');
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
    expect(new URL(page.url()).search).toBe('?status=422&operation=shipments.create');
    const refused = page.getByRole('link', { name: 'POST /v2/external/shipments' });
    await expect.poll(() => refused.count()).toBe(2);
    await refused.last().press('Enter');

    const refusal = page.locator('.notice.bad');
    await refusal.getByText('does not have the required format. Enter a Saudi mobile such as 0501234567.').waitFor();
    expect(await refusal.innerText()).toContain('Sent value: "<string 6>"');
    const about = await refusal.getByRole('link', { name: 'About this error' }).getAttribute('href');
    expect(about).toBe('/problems/validation-failed?lang=en');
    await page.getByText('The bodies are shortened.').waitFor();
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((found) => Number.parseFloat(getComputedStyle(found).fontSize));
    expect(await sizeOf('h1 code')).toBeGreaterThan(await sizeOf('.facts dd'));
    expect(await page.getByLabel('Body of the request', { exact: true }).innerText()).toContain('"name": "<string 5>"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: as curl' }).press('Enter');
    await page.getByText('Copied.').waitFor();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toContain(`curl -X POST '${site.address}/v2/external/shipments'`);
    expect(curl).toContain('"phone":"<recipient.phone>"');
    await page.getByRole('link', { name: 'This operation in the API reference' }).press('Enter');
    await page.waitForURL(/\/docs\/shipments\?lang=en#shipments-create$/);
    await page.locator('h2#shipments-create:target').waitFor();

    const none = { data: [], page: { nextCursor: null, hasMore: false } };
    await page.route(/\/trpc\/requestLog\.list\?/, (route) => route.fulfill({ json: [{ result: { data: none } }] }));
    await page.route('**/ready', (route) => route.fulfill({ headers: OURS, json: { requestLog: { kept: false } } }));
    await page.goto(`${site.address}/console/requests`);
    await page.getByText('This deployment keeps no request log.').waitFor();
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('shows what programs sent until people are asked for, and finds requests by time and reference', async () => {
    const company = await addCompany(site);
    const merchant = await merchantOf(site, company);
    const answers = [await merchant.postShipment(shipmentBody(company)), await merchant.get('/v2/external/shipments')];
    for (const { headers } of answers) await untilLogged(merchant, headers.get('x-request-id') ?? '');
    const { externalReference, shipmentId } = named.extend({ shipmentId: z.string() }).parse(await answers[0]?.json());
    const { storageState } = await signedIn(site, company);
    const window = await openConsole(browser, site, { path: `/shipments/${shipmentId}`, storageState });
    const { page } = window;
    await page.getByRole('link', { name: 'Requests about this shipment' }).waitFor();
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Requests' }).press('Enter');
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('row');
    const listed = page.getByRole('link', { name: 'GET /v2/external/shipments', exact: true });
    const read = page.getByRole('link', { name: `GET /v2/external/shipments/${shipmentId}`, exact: true });
    await listed.waitFor();
    expect(await read.count()).toBe(0);
    const sources = page.getByRole('navigation', { name: 'Sent by' });
    await sources.getByRole('link', { name: 'People in the console' }).press('Enter');
    await read.first().waitFor();
    expect(await listed.count()).toBe(0);
    await sources.getByRole('link', { name: 'Both' }).press('Enter');
    await listed.waitFor();
    await read.first().waitFor();
    expect(new URL(page.url()).search).toBe('?source=ALL');

    await page.getByText('More filters').press('Enter');
    await page.getByLabel('Your reference').fill(externalReference);
    await page.getByLabel('From').fill('2026-01-01T00:00');
    await page.getByRole('button', { name: 'Apply the filters' }).press('Enter');
    await read.first().waitFor();
    await expect.poll(() => listed.count()).toBe(0);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('source'), searchParams.get('externalReference')]).toEqual(['ALL', externalReference]);
    expect(Date.parse(searchParams.get('from') ?? '')).toBe(
      await page.evaluate(() => new Date('2026-01-01T00:00').getTime()),
    );
    await page.getByLabel('Until').fill('2026-01-02T00:00');
    await page.getByRole('button', { name: 'Apply the filters' }).press('Enter');
    await page.getByText('No request matches').waitFor();
    await page.goBack();
    await read.first().waitFor();
    expect([await page.getByLabel('Until').inputValue(), await rows.count()]).toEqual(['', expect.any(Number)]);
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('opens a request in the reference, with examples for what the log hides and a new key', async () => {
    const company = await addCompany(site);
    const merchant = await merchantOf(site, company);
    const { storageState } = await signedIn(site, company);
    const again = async (body: Record<string, unknown>, locale: 'en' | 'ar') => {
      const answer = await merchant.postShipment(body);
      const requestId = answer.headers.get('x-request-id') ?? '';
      await untilLogged(merchant, requestId);
      const window = await openConsole(browser, site, {
        path: `/requests/${requestId}?lang=${locale}`,
        storageState,
        viewport: { width: 320, height: 800 },
      });
      const { page } = window;
      const command = page.locator('.code').last();
      // The button stands above the first line.
      const [button, line] = await Promise.all([
        command.getByRole('button').boundingBox(),
        command.locator('code').boundingBox(),
      ]);
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(line?.y ?? 0);
      await page.getByRole('button', { name: locale === 'en' ? 'Send again' : 'أعد الإرسال' }).press('Enter');
      await page.waitForURL(/\/docs\/shipments\?lang=(?:en|ar)#shipments-create$/);
      const form = page.locator('[aria-labelledby="shipments-create"] .trial[open] form');
      await expect
        .poll(() => form.locator('[name="headers"]').inputValue())
        .toMatch(/^Idempotency-Key: [\da-f-]{36}\nContent-Type: application\/json$/);
      const note = await form.locator('p[tabindex]').innerText();
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      await expect.poll(focused).toBe(note);
      const box = await form.locator('[name="body"]').boundingBox();
      expect(box?.y).toSatisfy((y: number) => y > 0 && y < 800);
      const sent = named.parse(JSON.parse(await form.locator('[name="body"]').inputValue()));
      expect(await findBarriers(page)).toEqual([]);
      await form.getByRole('button', { name: FRAME[locale].send, exact: true }).press('Enter');
      const status = await form.getByText(/^HTTP \d+$/).innerText();
      const known = await page.evaluate(() => sessionStorage.getItem('mirsal-draft-request-again'));
      expect([known, unexpected(window, answer.status)]).toEqual([null, []]);
      await window.close();
      return { status, note, sent };
    };
    const body = shipmentBody(company);
    const repeated = await again(body, 'en');
    expect(repeated.status).toBe('HTTP 201');
    expect(repeated.note).toContain('so these are examples: recipient.name, recipient.phone, destination.addressLine');
    expect(repeated.note).toContain('Its reference is new');
    expect(repeated.sent).toMatchObject({
      branchCode: company.branchCode,
      recipient: { name: 'Sara Al-Harbi' },
      items: [{ quantity: 2, weightKilograms: 1.25 }],
    });
    expect(repeated.sent.externalReference).not.toBe(body['externalReference']);
    const conflict = await again(body, 'en');
    expect(conflict.status).toBe('HTTP 201');
    expect(conflict.note).toContain('Its reference is new');
    const wrong = shipmentBody(company, { codAmount: -5, unknown: 'x', returnOf: 'secret' });
    const refused = await again(wrong, 'ar');
    expect(refused.status).toBe('HTTP 422');
    expect(refused.sent).toMatchObject({
      codAmount: -5,
      unknown: null,
      externalReference: wrong['externalReference'],
    });
  });
});
