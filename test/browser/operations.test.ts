import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { type SignedIn, signedIn, signedInOperator, unexpected } from '../../scripts/shared/console.ts';
import { forceState, setApprovalPolicy } from '../../scripts/shared/force-state.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { inviteOperator } from '../../scripts/shared/operators.ts';
import { addOperator, codesTo, newContacts } from '../../scripts/shared/people.ts';
import { PDF } from '../support/files.ts';
import { openSite } from '../support/open-site.ts';
import { draftOf, upload } from '../support/registrations.ts';

const { site, browser } = await openSite('deno');
let operator: SignedIn;
type Queues = Awaited<ReturnType<typeof fillQueues>>;
let filling: Promise<Queues> | undefined;
beforeAll(async () => {
  operator = await signedInOperator(site);
});

const open = (path: string, options = {}) =>
  openWindow(browser, `${site.address}/operations${path}`, { storageState: operator.storageState, ...options });

test('an operator signs in, proves the second factor and lands on the operators’ pages', async () => {
  const { email, mobile } = await addOperator(site);
  const window = await openWindow(browser, `${site.address}/console`);
  const { page } = window;
  await page.getByLabel('E-mail address or mobile').fill(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Six-digit code').waitFor();
  await page.keyboard.type((await codesTo(site, email))[0] ?? '');
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/operations');
  await expect.poll(() => codesTo(site, mobile)).toHaveLength(1);
  await page.keyboard.type((await codesTo(site, mobile))[0] ?? '');
  await page.getByText('No shipment needs you.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.goto(`${site.address}/console/shipments`);
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  // The browser logs the 401 before the sign-in and the 403 that asks for the second factor.
  expect(unexpected(window, 401, 403)).toEqual([]);
  await window.close();
});

test('an invited operator accepts by the link, proves the second factor and lands on the operators’ pages', async () => {
  const { email, mobile } = newContacts();
  const invitationId = await inviteOperator({ url: site.databaseUrls.directory }, { email, mobile, fullName: 'Reem' });
  const window = await openWindow(browser, `${site.address}/operations/accept/${invitationId}?lang=en`);
  const { page } = window;
  await page.getByText('It makes you an operator').waitFor();
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByLabel('Six-digit code').waitFor();
  await page.keyboard.type((await codesTo(site, email))[0] ?? '');
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  await page.getByText('show every company, so they also need the other').waitFor();
  expect(new URL(page.url()).pathname).toBe('/operations');
  await expect.poll(() => codesTo(site, mobile)).toHaveLength(1);
  await page.keyboard.type((await codesTo(site, mobile))[0] ?? '');
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  // The browser logs the 403 that asks for the second factor.
  expect(unexpected(window, 403)).toEqual([]);
  await window.close();
});

test('a person of a company who opens the operators’ pages gets the console', async () => {
  const [company] = site.companies;
  const { storageState } = await signedIn(site, company);
  const window = await open('/drivers', { storageState });
  await window.page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Shipments' }).waitFor();
  expect(new URL(window.page.url()).pathname).toBe('/console');
  await window.close();
});

/** The shipments in the queues, created for the first test that needs them. */
const inQueues = () => (filling ??= fillQueues());

/** A company with one shipment in each queue, and two that wait for approval. */
async function fillQueues() {
  const company = await addCompany(site);
  await setApprovalPolicy(site, company, 'MANUAL');
  const merchant = await merchantOf(site, company);
  const [approved, cancelled] = [await merchant.create(), await merchant.create()];
  const [unresolved, late] = [await merchant.create(), await merchant.create()];
  const [stranded, handed] = [await merchant.create(), await merchant.create()];
  await forceState(site, company, unresolved.shipmentId, 'DISPATCH_UNRESOLVED');
  await forceState(site, company, late.shipmentId, 'ACCEPTED');
  await forceState(site, company, stranded.shipmentId, 'PICKED_UP');
  await forceState(site, company, handed.shipmentId, 'PICKED_UP');
  const sql = (statement: string, ...values: (string | number)[]) => site.sql(company.shard, statement, values);
  await sql(
    'update drivers set on_duty = 1 where id = (select driver_id from shipments where id = ?)',
    late.shipmentId,
  );
  await sql(
    'update shipments set pickup_window_end = ? where id = ?',
    (Date.now() - 7_200_000) * 1000,
    late.shipmentId,
  );
  await sql(
    "update drivers set status = 'INACTIVE' where id = (select driver_id from shipments where id = ?)",
    stranded.shipmentId,
  );
  // Drivers of the sample data are in this city.
  await sql(
    "update drivers set city_code = 'RUH' where id = (select driver_id from shipments where id = ?)",
    handed.shipmentId,
  );
  return { companyId: company.companyId, merchant, approved, cancelled, unresolved, late, stranded, handed };
}

/** Every area by its link, and an element that appears only after its data has loaded. */
const AREAS = [
  ['Queues', 'قوائم الانتظار', '.listing tbody tr'],
  ['Shipments', 'الشحنات', 'form select'],
  ['Registrations', 'التسجيلات', '.empty, .listing tbody tr'],
  ['Drivers', 'السائقون', '.listing tbody tr'],
  ['Service levels', 'مستويات الخدمة', '.listing tbody tr'],
  ['Tariffs', 'التعرفة', '.listing tbody tr'],
  ['Companies', 'الشركات', '.listing tbody tr'],
  ['Sign-in addresses', 'عناوين الدخول', 'form input'],
  ['Programs', 'البرامج', '.listing tbody tr'],
  ['Audit', 'سجل التدقيق', '.listing tbody tr, .empty'],
  ['Deployment', 'حالة النظام', '.answer'],
] as const;

const LOOKS = [
  { lang: 'ar', colorScheme: 'light', width: 320 },
  { lang: 'en', colorScheme: 'dark', width: 1280 },
] as const;

describe.each(LOOKS)('in $lang, $colorScheme, at $width px', ({ lang, colorScheme, width }) => {
  const look = { colorScheme, viewport: { width, height: 800 } };

  test('every area is reached by keyboard, passes axe, logs no error and fits the width', async () => {
    await inQueues();
    const window = await open(`?lang=${lang}`, look);
    const { page } = window;
    for (const [english, arabic, shown] of AREAS) {
      const name = lang === 'ar' ? arabic : english;
      await page.getByRole('navigation').first().getByRole('link', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator(shown).first().waitFor();
      await expect.poll(() => page.title()).toContain(name);
      await expectCalm(page, width);
    }
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test.each([
    ['a queue', () => '?queue=unresolved', '.listing tbody tr'],
    ['an empty search', () => '/shipments?by=externalReference&text=none', '.empty'],
    ['a search by phone', () => '/shipments?by=phoneTail&text=5678', '.listing tbody tr'],
    [
      'a shipment',
      ({ companyId, stranded }: Queues) => `/shipments/${companyId}/${stranded.shipmentId}`,
      '.listing tbody tr',
    ],
    ['a company', ({ companyId }: Queues) => `/companies/${companyId}`, '.sides form select'],
    ['no company', () => '/companies?search=none', '.empty'],
    ['changes of a company', ({ companyId }: Queues) => `/audit?by=companyId&text=${companyId}`, 'form input'],
    ['a new driver', () => '/drivers/new', 'form .primary'],
    ['no driver of a city', () => '/drivers?city=AHB', '.empty'],
    ['the board of a city', () => '/drivers/board?city=RUH', '.listing tbody tr'],
    ['the board of no city', () => '/drivers/board', 'form button'],
    ['a new service level', () => '/service-levels/new', 'form .primary'],
    ['a service level', () => '/service-levels/STANDARD', 'form .primary'],
    ['a new tariff', () => '/tariffs/new', '.actions .primary'],
    ['no page', () => '/nowhere', '.sheet'],
  ])('%s passes axe, logs no error and fits the width', async (_name, pathOf, shown) => {
    const path = pathOf(await inQueues());
    const window = await open(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`, look);
    await window.page.locator(shown).first().waitFor();
    await expectCalm(window.page, width);
    expect(window.faults).toEqual([]);
    await window.close();
  });
});

async function expectCalm(page: Page, width: number): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

test('an operator adds a driver, puts the driver on duty, changes the phone and blocks the driver', async () => {
  const window = await open('/drivers');
  const { page } = window;
  await page.getByRole('link', { name: 'New driver' }).click();
  await page.getByLabel('Mobile').fill(newContacts().mobile);
  await page.getByLabel('First name').fill('Majed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('This field is required.').first().waitFor();
  await page.getByLabel('City code').fill('RUH');
  await page.getByLabel('Weight of a shipment').fill('٢٠');
  await page.getByLabel('Length of a piece').fill('120');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Put on duty' }).click();
  await page.getByRole('button', { name: 'Take off duty' }).click();
  await page.getByRole('button', { name: 'Put on duty' }).waitFor();
  const { mobile } = newContacts();
  await page.getByRole('button', { name: 'Change the phone' }).click();
  await page.getByLabel('New mobile').fill(mobile);
  await page.keyboard.press('Enter');
  await page.getByText(mobile.slice(-4)).waitFor();
  await page.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('dialog', { name: 'Block this driver?' }).getByRole('button', { name: 'Block' }).click();
  await page.getByRole('button', { name: 'Unblock' }).waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('driver.created').first().waitFor();
  expect(unexpected(window, 422)).toEqual([]);
  await window.close();
});

test('a form of a service level that somebody else changed meanwhile shows the stored value', async () => {
  const window = await open('/service-levels/STANDARD');
  const { page } = window;
  await page.getByLabel('Rank').fill('7');
  const other = await open('/service-levels/STANDARD');
  await other.page.getByLabel('Rank').fill('5');
  await other.page.getByRole('button', { name: 'Save' }).click();
  await other.page.getByText('Saved.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Load the current version' }).click();
  await page.getByText('The current value is: 5').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(unexpected(window, 412)).toEqual([]);
  await Promise.all([window.close(), other.close()]);
});

test('an operator approves from the queue by keyboard, and learns who was faster', async () => {
  const queues = await inQueues();
  const window = await open('');
  const { page } = window;
  const row = (number: string) => page.getByRole('row').filter({ hasText: number });
  const { approved, cancelled, merchant } = queues;
  await row(cancelled.shipmentNumber).getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve this shipment?' });
  await dialog.waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await merchant.cancel(cancelled.shipmentId);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('It is now “Cancelled”, by the company').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => row(cancelled.shipmentNumber).count()).toBe(0);
  await row(approved.shipmentNumber).getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => row(approved.shipmentNumber).count()).toBe(0);
  expect(unexpected(window, 409)).toEqual([]);
  await window.close();
});

test('an operator finds a shipment by its number and reads its recipient and timeline', async () => {
  const window = await open('/shipments');
  const { page } = window;
  const { shipmentNumber } = (await inQueues()).stranded;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('Shipment number').fill(shipmentNumber);
  await page.keyboard.press('Enter');
  await page.getByRole('row').getByRole('link', { name: shipmentNumber }).click();
  await page.getByRole('heading', { name: 'Picked up' }).waitFor();
  expect(await page.getByText('+966').count()).toBeGreaterThan(0);
  expect(await page.getByText('blocked').count()).toBe(1);
  await page.getByRole('table', { name: 'Timeline' }).getByText('Created').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('shipment.recipient_viewed').first().waitFor();
  // Companies read it; operators may not.
  expect(asked.filter((url) => url.includes('cities.list'))).toEqual([]);
  expect(window.faults).toEqual([]);
  await window.close();
});

/** Each queue, the action on its rows, and the state that follows. */
test.each([
  ['unresolved', 'Search again', undefined, /Looking|Offered|No driver found/],
  ['late', 'Reassign', 'The driver is late', /Looking|Offered|No driver found/],
  ['stranded', 'End as failed', 'Lost', /Delivery failed/],
] as const)('the row of the %s shipment leads to the dialog “%s”', async (name, verb, reason, state) => {
  const { companyId, [name]: shipment } = await inQueues();
  const window = await open('');
  const { page } = window;
  const row = page.getByRole('row').filter({ hasText: shipment.shipmentNumber });
  await row.getByRole('button', { name: verb }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const act = dialog.getByRole('button', { name: verb });
  if (reason !== undefined) {
    expect(await act.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await page.keyboard.type(reason);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Written by an operator');
    expect(await findBarriers(page)).toEqual([]);
  }
  await act.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Done.').waitFor();
  const heading = page.getByRole('heading', { level: 1, name: state });
  // A busy service may answer 503 once. Then a person loads the page again.
  await expect
    .poll(
      async () => {
        await page.goto(`${site.address}/operations/shipments/${companyId}/${shipment.shipmentId}`);
        return heading.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 40_000 },
    )
    .toBe(true);
  const written = page.getByText(`${reason}: Written by an operator`);
  expect(await written.count()).toBe(reason === undefined ? 0 : 1);
  expect(window.faults).toEqual([]);
  await window.close();
});

test('the dialog of a parcel that changes hands offers the drivers of the city', async () => {
  const { handed } = await inQueues();
  const window = await open('?queue=strandedGoods&lang=ar', { viewport: { width: 320, height: 800 } });
  const { page } = window;
  const row = page.getByRole('row').filter({ hasText: handed.shipmentNumber });
  await row.getByRole('button', { name: 'تسليم إلى سائق آخر' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('السائق الجديد').selectOption({ index: 1 });
  await dialog.getByLabel('السبب').selectOption('PHONE_LOST');
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await dialog.getByRole('button', { name: 'تسليم إلى سائق آخر' }).click();
  await page.getByText('تم.').waitFor();
  await expect.poll(() => row.count()).toBe(0);
  expect(window.faults).toEqual([]);
  await window.close();
});

test('an operator opens a document of a registration and approves it with a reason', async () => {
  const { body, code, verify } = await draftOf(site);
  const { registrationId, requiredDocuments } = body;
  for (const { documentType } of requiredDocuments) await upload(site, body, { type: documentType, bytes: PDF });
  expect((await verify(code)).status).toBe(200);
  await site.sql('directory', "update registrations set review = 'PENDING' where id = ?", [registrationId]);
  const window = await open('/registrations');
  const { page } = window;
  await page.getByRole('table', { name: 'Registrations' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Open' }).first().click();
  await page.getByRole('link', { name: 'Save the file' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve this registration?' });
  await dialog.getByLabel('Reason').fill('The documents are in order');
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The documents are in order').waitFor();
  await page.getByText('Approved', { exact: true }).waitFor();
  expect(window.faults).toEqual([]);
  await window.close();
});
