import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';
import { watchFiles } from '../support/page-load.ts';

const { site, browser } = await openSite('deno');
const PHONE = { width: 360, height: 740 } as const;
/** What the browser itself logs about a lost connection. */
const CUT = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;

/** A sandbox whose driver is off duty. */
async function newDay(): Promise<Sandbox> {
  const sandbox = await newSandbox(site);
  const { companyId, shard } = sandbox.company;
  await site.sql(shard, 'update drivers set on_duty = 0 where company_id = ?', [companyId]);
  return sandbox;
}

async function expectUsable(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
}

/** Signs in with the code in the inbox of the local service. */
async function signIn(page: Page, { phone }: Sandbox, field: string, button: string): Promise<void> {
  await page.getByLabel(field).fill(phone);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
}

/** The driver's actions among the requests, each with whether its answer arrived. */
function watchActions(page: Page) {
  const sent: string[] = [];
  const answered: string[] = [];
  const actionOf = (body: string | null) => /"action":"([A-Z_]+)"/.exec(body ?? '')?.[1];
  page.on('request', (request) => {
    const action = actionOf(request.postData());
    if (action !== undefined) sent.push(action);
  });
  page.on('response', (response) => {
    const action = actionOf(response.request().postData());
    if (action !== undefined) answered.push(action);
  });
  return { sent, answered };
}

test('a driver signs in, goes on duty and delivers an offer, in Arabic, with a lost connection and a lost answer', async () => {
  const sandbox = await newDay();
  const window = await openWindow(browser, `${site.address}/driver?lang=ar`, { viewport: PHONE });
  const { page } = window;
  const { sent, answered } = watchActions(page);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await heading('تسجيل الدخول');
  await expectUsable(page);
  await signIn(page, sandbox, 'رقم جوالك', 'أرسل رمز التحقق');
  await press('ابدأ المناوبة');
  await page.getByText('في المناوبة').waitFor();

  const { shipmentId } = await sandbox.create({ codAmount: 94.5, paymentMethod: 'COD' });
  await page.getByText(/بقي \d+ ث/).waitFor();
  await expectUsable(page);
  await press('قبول');
  await heading('توجّه إلى موقع الاستلام');
  expect(await page.getByRole('link', { name: 'افتح في الخرائط' }).getAttribute('href')).toMatch(
    /^geo:24\.\d+,46\.\d+\?q=/,
  );
  expect(await page.getByText('المبلغ المطلوب تحصيله').innerText()).toContain('94.50 SAR');
  await expectUsable(page);
  // A double tap does not reach the next action, which takes the same place.
  await page.getByRole('button', { name: 'وصلت', exact: true }).dblclick();
  await heading('استلم الشحنة');
  await press('استلمت الشحنة');
  await heading('الشحنة معك');
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('PICKED_UP');

  await page.context().setOffline(true);
  await press('بدء التوصيل');
  await heading('توجّه إلى المستلم');
  await page.getByText('لا يوجد اتصال بالخدمة.').waitFor();
  await page.getByText('إجراءات تنتظر الإرسال: 1').waitFor();
  await expectUsable(page);
  expect((await sandbox.read(shipmentId)).state).toBe('PICKED_UP');
  expect(
    await page
      .getByRole('link', { name: /^اتصال/ })
      .first()
      .getAttribute('href'),
  ).toMatch(/^tel:\+966/);
  await page.context().setOffline(false);
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('OUT_FOR_DELIVERY');
  // The page gets the response a moment after the service knows the state.
  await expect.poll(() => answered.filter((action) => action === 'DEPART').length).toBe(1);

  await press('وصلت');
  await heading('سلّم الشحنة');
  await expect.poll(() => answered.filter((action) => action === 'ARRIVE').length).toBe(2);
  // The service delivers, but its answer is lost. The page repeats the action under the same id.
  await page.route(
    '**/trpc/driver.act*',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  // The money has a step of its own.
  expect(await page.getByRole('button', { name: 'تم التوصيل' }).count()).toBe(0);
  await expectUsable(page);
  await press('استلمت 94.50 SAR');
  await press('تم التوصيل');
  await heading('لا توجد شحنة الآن');
  await expect.poll(() => answered.filter((action) => action === 'DELIVER').length).toBe(1);
  expect(sent.filter((action) => action === 'DELIVER')).toHaveLength(2);
  const cod: unknown = await (await sandbox.merchant.get(`/v2/external/shipments/${shipmentId}/cod`)).json();
  expect(cod).toMatchObject({ collectedAmount: 94.5, method: 'CASH', holder: 'DRIVER' });
  expect((await sandbox.timeline(shipmentId)).slice(3)).toEqual(
    ['accepted', 'picked_up', 'out_for_delivery', 'delivered'].map((type) => `${type} DRIVER`),
  );
  await expect.poll(() => page.evaluate(() => localStorage.getItem('driver-actions'))).toBe('[]');
  await expectUsable(page);
  await press('تسجيل الخروج');
  await heading('تسجيل الدخول');
  expect(await page.evaluate(() => localStorage.getItem('driver-session'))).toBe(null);
  expect(window.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
  await window.close();
});

test('an action that the service refuses is dropped, and the page says why', async () => {
  const sandbox = await newDay();
  const window = await openWindow(browser, `${site.address}/driver?lang=en`, { viewport: PHONE, colorScheme: 'dark' });
  const { page } = window;
  await signIn(page, sandbox, 'Your mobile', 'Send the code');
  await page.getByRole('button', { name: 'Go on duty' }).click();
  const { shipmentId } = await sandbox.create();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('heading', { level: 1, name: 'Go to the pickup location' }).waitFor();
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('ACCEPTED');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'I have arrived' }).click();
  await page.getByRole('button', { name: 'I have the parcel' }).click();
  await page.getByText('Actions that wait to be sent: 2').waitFor();
  await sandbox.merchant.cancel(shipmentId);
  await page.context().setOffline(false);
  await page.getByText('This was not accepted: I have arrived').waitFor();
  await expectUsable(page);
  await page.getByRole('heading', { level: 1, name: 'No parcel now' }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem('driver-actions'))).toBe('[]');
  await page.getByRole('button', { name: 'Understood' }).click();
  expect(await page.getByText('This was not accepted').count()).toBe(0);
  await window.close();
});

test('who was put off duty reads why, in Arabic, below a name that fills the line', async () => {
  const sandbox = await newDay();
  const { companyId, shard } = sandbox.company;
  const change = "update drivers set first_name = ?, off_duty_reason = 'OFFERS_MISSED' where company_id = ?";
  await site.sql(shard, change, ['عبدالرحمن'.repeat(5), companyId]);
  const { page, close } = await openWindow(browser, `${site.address}/driver?lang=ar`, { viewport: PHONE });
  await signIn(page, sandbox, 'رقم جوالك', 'أرسل رمز التحقق');
  const notice = page.getByText('أُنهيت مناوبتك لأن ثلاثة عروض متتالية انتهت دون رد.');
  await notice.waitFor();
  await expectUsable(page);
  const [duty, line] = [await page.locator('.duty').boundingBox(), await notice.boundingBox()];
  expect(line?.width).toBe(duty?.width);
  await close();
});

test('needs at most 40 kB of scripts and styles', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const filesOf = watchFiles(page);
  await page.goto(`${site.address}/driver`, { waitUntil: 'networkidle' });
  const code = (await filesOf()).filter(({ url }) => /\.(?:js|css)$/.test(url));
  const total = code.reduce((sum, { bytes }) => sum + bytes, 0);
  console.info(`the drivers' page: ${(total / 1024).toFixed(1)} kB of scripts and styles, gzipped`);
  expect(total).toBeLessThanOrEqual(40 * 1024);
  await context.close();
});
