import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { forceState } from '../../scripts/shared/force-state.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { addOperator, addSession, codesTo } from '../../scripts/shared/people.ts';
import { PERMISSIONS, signInRecipient } from '../../scripts/shared/recipients.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { createLink } from '../../scripts/shared/tracking.ts';
import { openSite } from '../support/open-site.ts';
import { watchFiles } from '../support/page-load.ts';
import { trpcClient } from '../support/trpc.ts';

const { site, browser } = await openSite('worker');
const sandbox = await newSandbox(site);

let count = 0;
/** A shipment with a link that lets its recipient change everything, at 24.7743, 46.6572: the place of RRRD2929 in the fixture. */
async function newParcel() {
  count += 1;
  const phone = `+9665${String(Date.now()).slice(-6)}${String(count).padStart(2, '0')}`;
  const { shipmentId } = await sandbox.create({
    recipient: { name: 'Huda', phone },
    destination: { addressLine: 'حي الورود، شارع العليا 12', cityCode: 'RUH', latitude: 24.7741, longitude: 46.6571 },
  });
  await sandbox.untilState(shipmentId, 'OFFERED');
  const { token } = await createLink(sandbox.merchant, shipmentId, { permissions: PERMISSIONS });
  return { shipmentId, phone, path: `/t/${token}`, read: () => sandbox.read(shipmentId) };
}
type Parcel = Awaited<ReturnType<typeof newParcel>>;

const ARABIC = { locale: 'ar-SA', viewport: { width: 390, height: 844 } };
const shot = (page: Page, name: string) =>
  process.env['SHOTS'] === undefined
    ? Promise.resolve()
    : page.screenshot({ path: `${process.env['SHOTS']}/${name}.png`, fullPage: true }).then(() => undefined);

/** From the link to the delivery, with the code as an Arabic keyboard types it. */
async function signIn({ path, phone }: Parcel, options: Parameters<typeof openWindow>[2] = ARABIC) {
  const window = await openWindow(browser, `${site.address}${path}`, options);
  const { page } = window;
  await page.getByRole('link', { name: 'تعديل التوصيل' }).click();
  await page.getByRole('button', { name: 'أرسل الرمز', exact: true }).click();
  const field = page.getByLabel('الرمز');
  await field.waitFor();
  const [otp = ''] = await codesTo(site, phone);
  await field.fill(otp.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))));
  await page.getByRole('button', { name: 'متابعة' }).click();
  await page.getByRole('heading', { name: 'هل هذا هو المكان؟' }).waitFor();
  return window;
}

describe('a recipient', () => {
  test('comes from the link to a mended pin in six taps and the code', async () => {
    const parcel = await newParcel();
    const window = await signIn(parcel, {
      ...ARABIC,
      geolocation: { latitude: 24.7743, longitude: 46.6572 },
      permissions: ['geolocation'],
    });
    const { page } = window;
    await shot(page, 'recipient-1-question');
    // The link, the code, its check, and three more.
    await page.getByText('لا، أريد تغييره').click();
    await shot(page, 'recipient-2-ways');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'مكاني الآن' }).click();
    await page.getByRole('heading', { name: 'هل هو هنا؟' }).waitFor();
    await shot(page, 'recipient-3-proposal');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'نعم، التوصيل هنا' }).click();
    await page
      .getByRole('alert')
      .or(page.getByRole('status').filter({ hasText: /./ }))
      .first()
      .waitFor();
    await shot(page, 'recipient-4-done');
    expect((await parcel.read()).destination).toMatchObject({ latitude: 24.7743, longitude: 46.6572 });
    expect(await findBarriers(page)).toEqual([]);
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('needs no script but for the position', async () => {
    const parcel = await newParcel();
    const window = await signIn(parcel, { ...ARABIC, javaScriptEnabled: false });
    const { page } = window;
    await page.getByRole('button', { name: 'نعم، هذا هو' }).click();
    await page.getByText('أكّدت هذا المكان.').waitFor();
    await page.getByText('تغيير المكان').click();
    expect(await page.getByRole('button', { name: 'مكاني الآن' }).isVisible()).toBe(false);
    const code = page.getByLabel('العنوان المختصر');
    await code.fill('rrrd ٢٩٢٨');
    await page.getByRole('button', { name: 'ابحث' }).first().click();
    await page.getByText('لا يوجد عنوان وطني بهذا العنوان المختصر.').waitFor();
    await page.getByText('تغيير المكان').click();
    await code.fill('rrrd-٢٩٢٩');
    await page.getByRole('button', { name: 'ابحث' }).first().click();
    await page.getByRole('heading', { name: 'هل هو هنا؟' }).waitFor();
    await page.getByRole('button', { name: 'نعم، التوصيل هنا' }).click();
    await page.getByText(/تم تغيير: المكان، العنوان، العنوان الوطني/).waitFor();
    await page.getByText('RRRD2929').first().waitFor();
    const times = page.locator('#when button');
    expect(await times.count()).toBeGreaterThan(4);
    const time = await times.nth(1).innerText();
    await times.nth(1).click();
    await page.getByText(/تم تغيير: الموعد/).waitFor();
    expect(await page.locator('#when p').first().innerText()).toContain(time);
    expect(await page.locator('#when [aria-pressed="true"]').innerText()).toBe(time);
    await shot(page, 'recipient-when');
    expect(await page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true);
    await page.getByLabel('أين يترك السائق الشحنة؟').selectOption('NEIGHBOUR');
    await page.getByLabel('أين بالتحديد').fill('شقة ٨');
    await page.getByLabel('ماذا يحتاج السائق أن يعرف؟').fill('الجرس لا يعمل\nاتصل');
    await page.getByRole('button', { name: 'حفظ' }).click();
    await page.getByText(/تم تغيير: مكان ترك الشحنة، الملاحظة للسائق/).waitFor();
    expect(await page.getByLabel('ماذا يحتاج السائق أن يعرف؟').inputValue()).toBe('الجرس لا يعمل\nاتصل');
    await shot(page, 'recipient-5-door');
    await page.getByText('لا أريد هذه الشحنة').first().click();
    await shot(page, 'recipient-6-refusal');
    await page.getByLabel('طلبتها مرتين').check();
    await page.getByRole('button', { name: 'لا أريدها' }).click();
    await page.getByText(/قلت إنك لا تريد هذه الشحنة/).waitFor();
    const reply: unknown = await (
      await sandbox.merchant.get(`${SHIPMENTS}/${parcel.shipmentId}/recipient-reply`)
    ).json();
    expect(reply).toMatchObject({ refusal: { reasonCode: 'ORDERED_TWICE' } });
    await window.close();
  });

  test('is told in one sentence, and without a price, that the merchant has to agree', async () => {
    const parcel = await newParcel();
    const window = await signIn(parcel, {
      ...ARABIC,
      viewport: { width: 1440, height: 900 },
      // About 8 km farther.
      geolocation: { latitude: 24.85, longitude: 46.626111 },
      permissions: ['geolocation'],
    });
    const { page } = window;
    await page.getByText('لا، أريد تغييره').click();
    // There is a King Fahd Road in Dammam, too, which is not offered.
    await page.getByLabel('الشارع أو المكان').fill('King Fahd');
    await page.getByRole('button', { name: 'ابحث' }).last().click();
    await page.getByRole('heading', { name: 'هل هو هنا؟' }).waitFor();
    expect(await page.getByLabel('ما يبحث عنه السائق').inputValue()).toBe('طريق الملك فهد، حي العليا، الرياض');
    await shot(page, 'recipient-7-search');
    await page.getByRole('link', { name: 'لا، عودة' }).click();
    await page.getByText('لا، أريد تغييره').click();
    await page.getByRole('button', { name: 'مكاني الآن' }).click();
    await page.getByLabel('ما يبحث عنه السائق').fill('حي العارض، شارع 7');
    await page.getByRole('button', { name: 'نعم، التوصيل هنا' }).click();
    await page.getByRole('status').filter({ hasText: 'يلزم أن يوافق' }).waitFor();
    await shot(page, 'recipient-8-waiting');
    expect(await page.locator('main').innerText()).not.toMatch(/ريال|SAR/);
    expect((await parcel.read()).destination).toMatchObject({ latitude: 24.7741 });
    expect(await findBarriers(page)).toEqual([]);
    await window.close();
  });

  test.each([
    ['phone', ARABIC.viewport, false],
    ['desk', { width: 1440, height: 900 }, true],
  ])('complains after the delivery, and reads the answer: %s', async (name, viewport, javaScriptEnabled) => {
    const parcel = await newParcel();
    await forceState(site, sandbox.company, parcel.shipmentId, 'DELIVERED');
    const window = await openWindow(browser, `${site.address}${parcel.path}`, {
      ...ARABIC,
      viewport,
      javaScriptEnabled,
    });
    const { page } = window;
    await shot(page, `complaint-0-${name}`);
    await page.getByRole('link', { name: 'هل حدث خطأ؟' }).click();
    await page.getByRole('button', { name: 'أرسل الرمز', exact: true }).click();
    const [otp = ''] = await codesTo(site, parcel.phone);
    await page.getByLabel('الرمز').fill(otp);
    await page.getByRole('button', { name: 'متابعة' }).click();
    await page.getByRole('heading', { name: 'هل حدث خطأ؟' }).waitFor();
    await shot(page, `complaint-1-form-${name}`);
    await page.getByLabel('ما الموضوع؟').selectOption('DAMAGED');
    await page.getByLabel('ماذا حدث؟').fill('الكرتون ممزق\nوكيس مفتوح');
    await page.getByRole('button', { name: 'أرسل الشكوى' }).click();
    await page.getByText('أُرسلت شكواك').waitFor();
    await page.getByText(/يصلك الرد قبل/).waitFor();
    await page.getByText('وكيس مفتوح').waitFor();
    await shot(page, `complaint-2-sent-${name}`);
    // The same again is refused in plain words.
    await page.getByText('شكوى من أمر آخر').click();
    await page.getByLabel('ما الموضوع؟').selectOption('DAMAGED');
    await page.getByLabel('ماذا حدث؟').fill('مرة أخرى');
    await page.getByRole('button', { name: 'أرسل الشكوى' }).click();
    await page.getByRole('alert').filter({ hasText: 'توجد شكوى من هذا النوع' }).waitFor();
    const operator = await addSession(site, await addOperator(site), { assurance: 'AAL2' });
    const { cases } = trpcClient(site, operator).operations;
    const { companyId } = sandbox.company;
    const { data } = await cases.list.query({ limit: 100 });
    const { caseId = '', version = -1 } = data.find(({ shipmentId }) => shipmentId === parcel.shipmentId) ?? {};
    const answer = { companyId, caseId, version, outcome: 'EXPLAINED' } as const;
    await cases.answer.mutate({ ...answer, text: 'نعتذر. يرسل المتجر البضاعة مرة أخرى.' });
    await page.goto(`${site.address}${parcel.path}/delivery`);
    await page.getByText('نعتذر. يرسل المتجر البضاعة مرة أخرى.').waitFor();
    await shot(page, `complaint-3-answer-${name}`);
    expect(await page.locator('main').innerText()).not.toMatch(/ريال|SAR/);
    expect(await page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true);
    if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'اسحب الشكوى' }).click();
    await page.getByText('سحبتها.').waitFor();
    await window.close();
  });

  test('asks for a return, and reads what the shop decides', async () => {
    const parcel = await newParcel();
    const { token } = await createLink(sandbox.merchant, parcel.shipmentId, { permissions: ['RETURN'] });
    await forceState(site, sandbox.company, parcel.shipmentId, 'DELIVERED');
    const ended = 'update shipments set ended_at = ? where id = ?';
    await site.sql(sandbox.company.shard, ended, [Date.now() * 1000, parcel.shipmentId]);
    const path = `/t/${token}`;
    const window = await openWindow(browser, `${site.address}${path}`, { ...ARABIC, javaScriptEnabled: false });
    const { page } = window;
    await page.getByRole('link', { name: 'إرجاع شيء أو تقديم شكوى' }).click();
    await page.getByRole('button', { name: 'أرسل الرمز', exact: true }).click();
    const [otp = ''] = await codesTo(site, parcel.phone);
    await page.getByLabel('الرمز').fill(otp);
    await page.getByRole('button', { name: 'متابعة' }).click();
    await page.getByRole('heading', { name: 'بعد استلام الشحنة' }).waitFor();
    await page.locator('#return summary').click();
    await page.locator('[name="item-0"]').fill('١');
    await page.getByLabel('ما السبب؟').selectOption('DAMAGED');
    await page.getByLabel('متى يستطيع السائق المجيء؟').selectOption('EVENING');
    await page.getByLabel('بكلماتك (اختياري)').fill('وصل مكسورًا');
    await shot(page, 'return-1-form');
    expect(await page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true);
    await page.getByRole('button', { name: 'اطلب الإرجاع' }).click();
    await page.getByText(/طلبت الإرجاع. يقرر/).waitFor();
    await shot(page, 'return-2-asked');
    expect(await page.locator('#return summary').count()).toBe(0);
    const own = `${SHIPMENTS}/${parcel.shipmentId}`;
    const reply: unknown = await (await sandbox.merchant.get(`${own}/recipient-reply`)).json();
    expect(reply).toMatchObject({
      returnRequest: { reasonCode: 'DAMAGED', comment: 'وصل مكسورًا', items: [{ index: 0, quantity: 1 }] },
    });
    const made = await sandbox.merchant.post(`${own}/returns`, {
      ...{ externalReference: `${parcel.shipmentId}-back`, reasonCode: 'DAMAGED', items: [{ index: 0, quantity: 1 }] },
      ...{ pickupWindowStart: '2031-01-31T09:00:00Z', pickupWindowEnd: '2031-01-31T15:00:00Z' },
    });
    expect(made.status).toBe(201);
    await page.goto(`${site.address}${path}/delivery`);
    await page.getByText(/سيأتي سائق لأخذه/).waitFor();
    // One of two is left.
    await page.getByText('إرجاع شيء آخر').click();
    expect(await page.locator('[name="item-0"]').count()).toBe(0);
    await page.getByLabel('ما السبب؟').selectOption('OTHER');
    await page.getByLabel('متى يستطيع السائق المجيء؟').selectOption('MORNING');
    await page.getByRole('button', { name: 'اطلب الإرجاع' }).click();
    await page.getByText(/طلبت الإرجاع. يقرر/).waitFor();
    expect((await sandbox.merchant.post(`${own}/return-request/rejections`, {})).status).toBe(200);
    await page.goto(`${site.address}${path}/delivery`);
    await page.getByText(/لم يوافق/).waitFor();
    await shot(page, 'return-3-rejected');
    expect(await page.locator('main').innerText()).not.toMatch(/ريال|SAR/);
    await window.close();
  });

  test('who types a wrong code may try again', async () => {
    const { path, phone } = await newParcel();
    const window = await openWindow(browser, `${site.address}${path}/delivery`, ARABIC);
    const { page } = window;
    await shot(page, 'recipient-0-code');
    await page.getByRole('button', { name: 'أرسل الرمز', exact: true }).click();
    await page.getByLabel('الرمز').fill('12');
    await page.getByRole('button', { name: 'متابعة' }).click();
    await page.getByRole('alert').filter({ hasText: 'الرمز غير صحيح' }).waitFor();
    await page.getByText(`المنتهي بـ ${phone.slice(-4)}`).waitFor();
    await shot(page, 'recipient-0-wrong');
    expect(await findBarriers(page)).toEqual([]);
    const [otp = ''] = await codesTo(site, phone);
    await page.getByLabel('الرمز').fill(` ${otp.slice(0, 3)} ${otp.slice(3)}\u200f`);
    await page.getByRole('button', { name: 'متابعة' }).click();
    await page.getByRole('heading', { name: 'هل هذا هو المكان؟' }).waitFor();
    await window.close();
  });

  test('who reads English sees the same in English', async () => {
    const parcel = await newParcel();
    const window = await signIn(parcel);
    const { page } = window;
    await page.goto(`${site.address}${parcel.path}/delivery?lang=en`);
    await page.getByRole('heading', { name: 'Is this the place?' }).waitFor();
    await shot(page, 'recipient-9-english');
    expect(await findBarriers(page)).toEqual([]);
    await window.close();
  });
});

test('a link without permissions has no way to the page, and its address leads back', async () => {
  const { shipmentId } = await newParcel();
  const { token } = await createLink(sandbox.merchant, shipmentId);
  const window = await openWindow(browser, `${site.address}/t/${token}/delivery`, ARABIC);
  expect(new URL(window.page.url()).pathname).toBe(`/t/${token}`);
  expect(await window.page.getByRole('link', { name: 'تعديل التوصيل' }).count()).toBe(0);
  await window.close();
});

test.each([
  ['ar', 4],
  // The address is in Arabic.
  ['en', 3],
] as const)('the page needs in %s at most 60 kB with an empty cache, of them %i fonts', async (lang, fonts) => {
  const { path, phone } = await newParcel();
  const { recipientToken } = await signInRecipient(site, path.slice('/t/'.length), phone);
  const window = await openWindow(browser, 'about:blank', { viewport: { width: 320, height: 800 } });
  const { page } = window;
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${recipientToken}` });
  const filesOf = watchFiles(page);
  await page.goto(`${site.address}${path}/delivery?lang=${lang}`);
  await page.evaluate(() => document.fonts.ready);
  await page.locator('#where').waitFor();
  await page.waitForLoadState('networkidle');
  const all = await filesOf();
  expect(all.filter(({ url }) => url.endsWith('.woff2'))).toHaveLength(fonts);
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(60_000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await window.close();
});
