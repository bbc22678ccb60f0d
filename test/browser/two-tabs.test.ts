import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import type { TestCompany } from '../../scripts/shared/connection.ts';
import { addOperator, addPerson, addSession, codesTo, type TestPerson } from '../../scripts/shared/people.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';

/* Two tabs of one browser, and two people: a page acts for the person it shows, or does nothing. */

const { site, browser } = await openSite('deno');
const PHONE = { width: 390, height: 844 };
const HOOK = 'https://hooks.example.com/mirsal';

interface Merchant {
  readonly company: TestCompany;
  readonly person: TestPerson;
}

async function newMerchant(fullName: string, companyName: string): Promise<Merchant> {
  const company = await addCompany(site);
  const person = await addPerson(site, company);
  await site.sql('directory', 'update companies set name = ? where id = ?', [companyName, company.companyId]);
  await site.sql('directory', 'update people set full_name = ? where id = ?', [fullName, person.personId]);
  return { company, person };
}

/** Gives the browser this person's session, as another tab's sign-in does. Answers the token. */
async function become(context: BrowserContext, person: TestPerson, assurance: 'AAL1' | 'AAL2' = 'AAL1') {
  const value = await addSession(site, person, { assurance });
  const cookie = { name: '__Host-session', value, url: site.address.replace('http:', 'https:') };
  await context.addCookies([{ ...cookie, httpOnly: true, secure: true, sameSite: 'Lax' }]);
  return value;
}

const newBrowser = () => browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Riyadh' });

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${site.address}${path}`);
  return page;
}

async function enterCode(page: Page, recipient: string): Promise<void> {
  const field = page.getByLabel('Six-digit code');
  await field.waitFor();
  await field.fill((await codesTo(site, recipient))[0] ?? '');
}

async function endpointsOf({ company: { shard, companyId } }: Merchant): Promise<unknown[]> {
  return site.sql(shard, 'select url from webhook_endpoints where company_id = ?', [companyId]);
}

describe('the console in two tabs', () => {
  test('creates nothing in the other company, names both, keeps the form, and signs in the same person or nobody', async () => {
    const najd = await newMerchant('نورة القحطاني', 'محمصة نجد');
    const tihama = await newMerchant('Omar Al-Harbi', 'Tihama Spices');
    const context = await newBrowser();
    await become(context, najd.person);
    const page = await open(context, '/console/webhooks/new?lang=en');
    await page.getByLabel('Address').fill(HOOK);
    expect(await page.getByRole('button', { name: 'Save' }).innerText()).toContain('محمصة نجد');
    // The other tab tells this one at once.
    await become(context, tihama.person);
    const other = await open(context, '/console?lang=en');
    await other.getByRole('heading', { name: 'Tihama Spices' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'You are signed in as somebody else in another tab' });
    await dialog.getByText('Tihama Spices · Omar Al-Harbi').waitFor();
    await dialog.getByText('محمصة نجد · نورة القحطاني').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();

    // The service refuses what the page sends all the same.
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor();
    expect(await endpointsOf(tihama)).toEqual([]);
    await dialog.getByRole('button', { name: /^Sign in again here as نورة/ }).click();
    const signIn = page.getByRole('dialog', { name: 'Your session has ended' });
    await signIn.getByText('محمصة نجد · نورة القحطاني').waitFor();
    await signIn.getByLabel('E-mail address or mobile').fill(tihama.person.email);
    await page.keyboard.press('Enter');
    await enterCode(page, tihama.person.email);
    await signIn.getByText('Signed in as somebody else').waitFor();
    await signIn.getByRole('button', { name: 'Send another code' }).click();
    await signIn.getByLabel('E-mail address or mobile').fill(najd.person.email);
    await page.keyboard.press('Enter');
    await enterCode(page, najd.person.email);
    // The action goes on: it needs the second factor of the person the dialog names.
    const second = page.getByRole('dialog', { name: 'Confirm your identity' });
    await second.getByText('محمصة نجد · نورة القحطاني').waitFor();
    await enterCode(page, najd.person.mobile);
    await page.getByRole('heading', { name: 'Signing secret' }).waitFor();
    expect(await endpointsOf(najd)).toEqual([{ url: HOOK }]);
    expect(await endpointsOf(tihama)).toEqual([]);
    // Now the other tab shows somebody else.
    await other.getByRole('dialog').getByText('محمصة نجد · نورة القحطاني').waitFor();
    await context.close();
  });

  test('asks no second factor of another person, and lets the person go on as the other', async () => {
    const [najd, tihama] = [await newMerchant('Noura', 'Najd Coffee'), await newMerchant('Omar', 'Tihama Spices')];
    const context = await newBrowser();
    await become(context, najd.person);
    const page = await open(context, '/console/credentials?lang=en');
    await page.getByRole('button', { name: 'Show the credential' }).click();
    await page.getByRole('dialog').getByText('Najd Coffee · Noura').waitFor();
    await page.getByLabel('Six-digit code').waitFor();
    const [code = ''] = await codesTo(site, najd.person.mobile);
    await become(context, tihama.person);
    await page.getByLabel('Six-digit code').fill(code);
    const dialog = page.getByRole('dialog', { name: 'You are signed in as somebody else in another tab' });
    await dialog.getByText('Tihama Spices · Omar').waitFor();
    const proved = 'select assurance from sessions where person_id = ?';
    expect(await site.sql('directory', proved, [tihama.person.personId])).toEqual([{ assurance: 'AAL1' }]);
    await dialog.getByRole('button', { name: 'Go on as Omar' }).click();
    await page.getByRole('heading', { name: 'Tihama Spices' }).waitFor();
    expect(await page.getByText('Najd Coffee').count()).toBe(0);
    await context.close();
  });

  test('signs out nobody else, and a sign-out ends what the page remembers', async () => {
    const [najd, tihama] = [await newMerchant('Noura', 'Najd Coffee'), await newMerchant('Omar', 'Tihama Spices')];
    const context = await newBrowser();
    await become(context, najd.person);
    const page = await open(context, '/console/shipments?lang=en&q=0501234567');
    await page.getByRole('heading', { name: 'Shipments' }).waitFor();
    // A list that comes later would ask who is signed in, over the button.
    await page.waitForLoadState('networkidle');
    await become(context, tihama.person);
    await page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'You are signed in as somebody else in another tab' });
    await dialog.getByText('Tihama Spices · Omar').waitFor();
    const alive = 'select count(*) as n from sessions where person_id = ?';
    expect(await site.sql('directory', alive, [tihama.person.personId])).toEqual([{ n: 1 }]);
    await dialog.getByRole('button', { name: 'Go on as Omar' }).click();
    await page.getByRole('heading', { name: 'Tihama Spices' }).waitFor();
    await page.evaluate(() => Reflect.set(globalThis, 'isRemembered', true));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).not.toContain('0501234567');
    expect(await site.sql('directory', alive, [tihama.person.personId])).toEqual([{ n: 0 }]);
    await page.getByLabel('E-mail address or mobile').fill(najd.person.email);
    await page.keyboard.press('Enter');
    await enterCode(page, najd.person.email);
    await page.getByRole('heading', { name: 'Najd Coffee' }).waitFor();
    expect(await page.evaluate(() => Reflect.has(globalThis, 'isRemembered'))).toBe(false);
    await context.close();
  });

  test('an operator’s tab and a merchant’s: each acts for its own', async () => {
    const najd = await newMerchant('Noura', 'Najd Coffee');
    const operator = await addOperator(site);
    const context = await newBrowser();
    await become(context, operator, 'AAL2');
    const operations = await open(context, '/operations/companies?lang=en');
    await operations.getByRole('heading', { name: 'Companies' }).waitFor();
    await become(context, najd.person);
    const merchant = await open(context, '/console?lang=en');
    await merchant.getByRole('heading', { name: 'Najd Coffee' }).waitFor();
    const dialog = operations.getByRole('dialog', { name: 'You are signed in as somebody else in another tab' });
    await dialog.getByText('Najd Coffee · Noura').waitFor();
    await dialog.getByText('Operations · Noura Al-Qahtani').waitFor();
    await become(context, operator, 'AAL2');
    await merchant
      .getByRole('navigation', { name: 'Areas' })
      .getByRole('link', { name: 'Branches' })
      .dispatchEvent('click');
    await merchant.getByRole('dialog').getByText('Operations · Noura Al-Qahtani').waitFor();
    await merchant.getByRole('button', { name: 'Go on as Noura Al-Qahtani' }).click();
    await merchant.waitForURL('**/operations?lang=en');
    expect(await merchant.getByText('Najd Coffee').count()).toBe(0);
    await context.close();
  });

  test.each([
    ['ar', PHONE],
    ['en', PHONE],
    ['ar', { width: 1440, height: 900 }],
  ] as const)('names the company at the head of every screen: %s %o', async (locale, viewport) => {
    const { person } = await newMerchant('نورة القحطاني', 'محمصة نجد للقهوة المختصة والشاي والتمور الفاخرة');
    const context = await newBrowser();
    await become(context, person);
    for (const path of ['', '/shipments', '/webhooks/new', '/credentials', '/sandbox']) {
      const page = await open(context, `/console${path}?lang=${locale}`);
      await page.setViewportSize(viewport);
      await page.locator('main h1').waitFor();
      const name = page.getByRole('banner').getByText('محمصة نجد للقهوة المختصة');
      expect(await name.isVisible()).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      await page.close();
    }
    await context.close();
  });
});

describe('a sign-in', () => {
  test('survives a reload while the code is read, in its tab alone', async () => {
    const { person } = await newMerchant('Noura', 'Najd Coffee');
    const context = await newBrowser();
    const page = await open(context, '/console?lang=en');
    await page.getByLabel('E-mail address or mobile').fill(person.email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Six-digit code').waitFor();
    await page.reload();
    await page.getByText(person.email).waitFor();
    const other = await open(context, '/console?lang=en');
    await other.getByLabel('E-mail address or mobile').waitFor();
    await enterCode(page, person.email);
    await page.getByRole('heading', { name: 'Najd Coffee' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(person.email);
    await context.close();
  });

  test('says how many seconds are left when too many codes were asked for', async () => {
    const { phone } = await newSandbox(site);
    const context = await newBrowser();
    const page = await open(context, '/driver?lang=ar');
    for (const _time of [1, 2]) {
      await page.getByLabel('رقم جوالك').fill(phone);
      await page.getByRole('button', { name: 'أرسل رمز التحقق' }).click();
      await page.getByRole('button', { name: 'أرسل رمزًا آخر' }).or(page.getByRole('alert')).waitFor();
      const again = page.getByRole('button', { name: 'أرسل رمزًا آخر' });
      if (await again.isVisible()) await again.click();
    }
    await page.getByText(/أعد المحاولة بعد [1-5]\d ث\./).waitFor();
    expect(await page.getByText('Retry-After').count()).toBe(0);
    await context.close();
  });
});

describe('two drivers on one phone', () => {
  const field = 'Your mobile';
  async function signIn(page: Page, { phone }: Sandbox): Promise<void> {
    await page.getByLabel(field).fill(phone);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    // The phone drops the page while the message is read.
    await page.reload();
    await page.getByRole('button', { name: /^\d{6}$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  async function newDriver(firstName: string): Promise<Sandbox> {
    const sandbox = await newSandbox(site);
    const { companyId, shard } = sandbox.company;
    await site.sql(shard, 'update drivers set first_name = ? where company_id = ?', [firstName, companyId]);
    return sandbox;
  }

  test('the first one’s taps are sent for nobody else, and each tab says whose the phone is', async () => {
    const [sami, faisal] = [await newDriver('Sami'), await newDriver('Faisal')];
    const context = await newBrowser();
    const page = await open(context, '/driver?lang=en');
    await signIn(page, sami);
    await page.getByText('On duty').waitFor();
    const { shipmentId } = await sami.create();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Go to the pickup location' }).waitFor();
    await expect.poll(async () => (await sami.read(shipmentId)).state).toBe('ACCEPTED');
    // Two taps wait for the network when the next driver takes the phone.
    await context.route('**/trpc/driver.act*', (route) => route.abort());
    await page.getByRole('button', { name: 'I have arrived' }).click();
    await page.getByRole('button', { name: 'I have the parcel' }).click();
    await page.getByRole('heading', { level: 1, name: 'The parcel is with you' }).waitFor();

    const other = await context.newPage();
    const acted: string[] = [];
    other.on('request', (request) => {
      if (request.url().includes('driver.act')) acted.push(request.url());
    });
    await other.goto(`${site.address}/driver?lang=en`);
    await other.getByText('Sami').waitFor();
    await other.evaluate(() => localStorage.removeItem('driver-session'));
    await other.reload();
    acted.length = 0;
    await signIn(other, faisal);
    await other.getByText('Faisal').waitFor();
    const heading = page.getByRole('heading', { name: 'Another driver is signed in in another tab' });
    await heading.waitFor();
    await page.getByText('This page was for: Sami').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await other.waitForTimeout(6_000);
    expect(acted).toEqual([]);
    expect((await sami.read(shipmentId)).state).toBe('ACCEPTED');

    // The first driver signs in again here: the taps are sent, and the other tab stops.
    await context.unroute('**/trpc/driver.act*');
    await page.getByRole('button', { name: 'Sign in again here' }).click();
    await site.sql('directory', 'delete from security_uses', []);
    await signIn(page, sami);
    await expect.poll(async () => (await sami.read(shipmentId)).state).toBe('PICKED_UP');
    await other.getByText('This page was for: Faisal').waitFor();
    await other.getByRole('button', { name: 'Go on as Sami' }).click();
    await other.getByRole('heading', { level: 1, name: 'The parcel is with you' }).waitFor();
    expect(acted).toEqual([]);
    await context.close();
  });

  test('the end of an old tab’s session leaves the new one, and the old tab follows it', async () => {
    const sami = await newDriver('Sami');
    const context = await newBrowser();
    const page = await open(context, '/driver?lang=en');
    await signIn(page, sami);
    const kept = () => page.evaluate(() => localStorage.getItem('driver-session'));
    const first = await kept();
    // A new sign-in of the same driver ends the old session, which this tab finds out by a 401.
    const { token } = await sami.signIn();
    const renewed = JSON.stringify({ ...JSON.parse(first ?? '{}'), driverToken: token });
    await page.evaluate((text) => localStorage.setItem('driver-session', text), renewed);
    await expect.poll(async () => (await kept()) === renewed).toBe(true);
    const isAnswered = page.waitForResponse(
      async (response) =>
        response.url().includes('driver.getStanding') &&
        (await response.request().allHeaders())['authorization'] === `Bearer ${token}`,
    );
    expect((await isAnswered).status()).toBe(200);
    expect(await kept()).toBe(renewed);
    await page.getByText('Sami').waitFor();
    await context.close();
  });
});
