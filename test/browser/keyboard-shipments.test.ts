import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { unexpected } from '../../scripts/shared/console.ts';
import { type KeyboardOwner, keyboardOwner } from '../support/console-keys.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

/** One owner does all tasks of a language, one after the other, and never touches a mouse. */
describe.each(['en', 'ar'] as const)('with the keyboard alone, in %s, an owner', (language) => {
  let owner: KeyboardOwner;
  beforeAll(async () => {
    owner = await keyboardOwner(browser, site, language);
  });
  afterAll(() => owner.window.close());
  const reference = `KEYS-${language}-1`;
  const shipmentId = async () =>
    (await owner.call.shipments.list.query({ externalReference: reference })).data[0]?.shipmentId ?? '';

  test('creates a shipment for a city by its name, at the price that the form locked', async () => {
    const { page, type, choose, press, see, find, arrive, word } = owner;
    await page.keyboard.press('c');
    await arrive(['New shipment', 'شحنة جديدة']);
    await type(['Your reference', 'رقمك المرجعي'], reference);
    await choose(['Branch', 'الفرع'], 'SANDBOX_BRANCH');
    await type(['Mobile', 'الجوال'], '0501234567');
    await type(['Name', 'الاسم'], 'نورة');
    await type(['Address', 'العنوان'], 'طريق الملك فهد');
    await press('button', /(?:Al Olaya|حي العليا), (?:Riyadh|الرياض)|حي العليا، الرياض/);
    await press('button', ['Add an item', 'أضف صنفًا']);
    await press('button', ['Remove: Item 2', 'احذف: الصنف 2']);
    await see(page.getByRole('group', { name: word(['Contents', 'المحتويات']) }));
    await type(['Description', 'الوصف'], 'قهوة');
    await type(['Weight per piece, kg', 'وزن القطعة، كجم'], '0.5');
    await type(['Declared value', 'القيمة المصرّح بها'], '185');
    await see(page.getByRole('timer'));
    await press('button', ['Lock again', 'ثبّته من جديد']);
    await see(page.getByRole('timer'));
    await press('button', ['Create the shipment', 'أنشئ الشحنة']);
    await see(['The shipment is created.', 'أُنشئت الشحنة.']);
    await see(await find('button', ['Cancel the shipment', 'إلغاء الشحنة']));
    await arrive(/./);
    const id = await shipmentId();
    expect(await owner.call.shipments.get.query({ shipmentId: id })).toMatchObject({
      destination: { cityCode: 'RUH' },
      items: [{ description: 'قهوة' }],
    });
    expect((await owner.call.shipments.charges.query({ shipmentId: id })).priceLock).not.toBe(null);
  });

  test('makes a tracking link, copies it again and revokes it', async () => {
    const { page, type, press, see, find, word } = owner;
    await press('button', ['New tracking link', 'رابط تتبع جديد']);
    await type(['Name (optional)', 'الاسم (اختياري)'], 'WhatsApp');
    await page.keyboard.press('Enter');
    await see(page.getByRole('img', { name: word(['QR code of the link', 'رمز الاستجابة السريعة للرابط']) }));
    const address = await page
      .getByRole('dialog')
      .getByText(/\/t\/shard-1_/)
      .innerText();
    await press('button', ['Done', 'تم']);
    await expect.poll(() => owner.focused()).toBe(word(['New tracking link', 'رابط تتبع جديد']));
    await press('button', ['Copy again: WhatsApp', 'انسخ مرة أخرى: WhatsApp']);
    await see(['Copied.', 'تم النسخ.']);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await press('button', ['Revoke', 'إبطال']);
    await see(page.getByRole('dialog'));
    await press('button', ['Revoke', 'إبطال']);
    await see(['Revoked', 'مُبطل']);
    await expect.poll(() => owner.focused()).toBe(word(['Tracking links', 'روابط التتبع']));
    await see(await find('button', ['New tracking link', 'رابط تتبع جديد']));
    const { data } = await owner.call.trackingLinks.list.query({ shipmentId: await shipmentId() });
    // The other one was made with the shipment.
    expect(data.map(({ label, state }) => [label, state])).toEqual([
      ['WhatsApp', 'REVOKED'],
      [null, 'ACTIVE'],
    ]);
  });

  test('cancels the shipment for the amount that the dialog shows', async () => {
    const { page, type, choose, press, see } = owner;
    await press('button', ['Cancel the shipment', 'إلغاء الشحنة']);
    await see(page.getByRole('dialog'));
    await see(page.getByRole('dialog').locator('.answer'));
    await choose(['Reason', 'السبب'], 'DUPLICATE');
    await type(['Comment (optional)', 'ملاحظة (اختياري)'], 'طلب مكرر');
    await press('button', ['Cancel for free', 'ألغِ مجانًا']);
    await see(['The shipment is cancelled.', 'أُلغيت الشحنة.']);
    await page
      .getByRole('button', { name: owner.word(['Cancel the shipment', 'إلغاء الشحنة']) })
      .waitFor({ state: 'detached' });
    await see(page.getByRole('heading', { level: 1 }));
    expect((await owner.call.shipments.get.query({ shipmentId: await shipmentId() })).state).toBe('CANCELLED');
  });

  test('filters the list, keeps the view by name and removes it', async () => {
    const { page, type, press, toggle, see, find, word } = owner;
    await owner.sandbox.create({ externalReference: `OTHER-${language}` });
    await owner.open(['Shipments', 'الشحنات']);
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await expect.poll(() => rows.count()).toBe(2);
    await owner.reach(page.locator('summary', { hasText: word(['Filters', 'التصفية']) }));
    await page.keyboard.press('Enter');
    await toggle('checkbox', ['Cancelled', 'ملغاة']);
    await press('button', ['Apply the filters', 'طبّق التصفية']);
    await expect.poll(() => rows.count()).toBe(1);
    await see(page.getByText(reference));
    expect(new URL(page.url()).searchParams.get('state')).toBe('CANCELLED');
    await owner.reach(page.locator('summary', { hasText: word(['Columns', 'الأعمدة']) }));
    await page.keyboard.press('Enter');
    await toggle('checkbox', ['Driver', 'السائق']);
    await see(page.getByRole('columnheader', { name: word(['Driver', 'السائق']) }));
    await owner.reach(page.locator('summary', { hasText: word(['Save this view', 'احفظ هذا العرض']) }));
    await page.keyboard.press('Enter');
    await type(['Name of the view', 'اسم العرض'], 'Mine');
    await page.keyboard.press('Enter');
    await see(await find('link', ['Mine', 'Mine']));
    await press('link', ['Show all shipments', 'اعرض كل الشحنات']);
    await expect.poll(() => rows.count()).toBe(2);
    await press('link', ['Mine', 'Mine']);
    await expect.poll(() => rows.count()).toBe(1);
    await see(page.getByText(reference));
    await press('button', ['Remove the view: Mine', 'احذف العرض: Mine']);
    await page.getByRole('link', { name: 'Mine' }).waitFor({ state: 'detached' });
    await see(page.getByRole('heading', { level: 1 }));
  });

  test('selects rows and saves their labels, and the list as CSV and as a workbook', async () => {
    const { page, toggle, download } = owner;
    await owner.open(['Shipments', 'الشحنات']);
    await toggle('checkbox', ['Select all on this page', 'حدد كل ما في هذه الصفحة']);
    // One of the two is cancelled.
    const labels = await download(/^(?:Labels|الملصقات) \(PDF\) · 1$/);
    expect(
      readFileSync(await labels.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const csv = await download(/^CSV$/);
    expect(readFileSync(await csv.path(), 'utf8')).toContain(reference);
    const workbook = readFileSync(await (await download(/^Excel$/)).path());
    const [header = [], ...rows] = await readSheet(workbook);
    expect(rows.map((row) => row[header.indexOf('externalReference')])).toContain(reference);
    expect(rows.map((row) => typeof row[header.indexOf('codAmount')])).toEqual(rows.map(() => 'number'));
    const sheet = strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.includes('rightToLeft="1"')).toBe(language === 'ar');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('walks rows and comes back to one, searches, and sees the list of keys', async () => {
    const { page, see, find, arrive, word } = owner;
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const number = await owner.focused();
    expect(number).toMatch(/^SHP-/);
    await page.keyboard.press('Enter');
    await see(page.getByText(number, { exact: true }));
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await owner.reach(page.locator('summary', { hasText: word(['For developers', 'للمطورين']) }));
    await page.keyboard.press('Enter');
    await owner.press('tab', /^JSON$/);
    await page.keyboard.press('ArrowRight');
    await see(page.getByText('curl http'));
    await page.goBack();
    await expect.poll(() => owner.focused()).toBe(number);
    await page.keyboard.press('?');
    await see(page.getByRole('dialog', { name: word(['Keyboard shortcuts', 'اختصارات لوحة المفاتيح']) }));
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => owner.focused()).toBe(number);
    await page.keyboard.press('/');
    // The list of areas has this link too, so it does not say that the search is open.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await see(await find('link', ['Branches', 'الفروع']));
    await page.keyboard.insertText(reference);
    await see(page.getByRole('dialog').getByRole('link', { name: reference }));
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await arrive(['Cancelled', 'ملغاة']);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
    await page.keyboard.insertText(word(['new br', 'فرع']));
    await see(await find('link', ['New branch', 'فرع جديد']));
    await page.keyboard.press('Enter');
    await arrive(['New branch', 'فرع جديد']);
    await page.goBack();
    await arrive(['Cancelled', 'ملغاة']);
  });

  test('uploads a CSV file, corrects a cell and creates the shipments', async () => {
    const { page, type, choose, press, attach, see, find, arrive, word } = owner;
    await owner.open(['Shipments', 'الشحنات']);
    await press('link', ['Upload a file of orders', 'ارفع ملف طلبات']);
    await arrive(['Shipments from a file', 'شحنات من ملف']);
    const place = 'King Fahd Road;RUH;24.794722;46.626111;185;Coffee;0.5';
    const header = 'Order;Name;Mobile;Address;City;lat;lng;Declared value;Description;Heaviness';
    const rows = [`FILE-${language}-1;Reem;0501234567;${place}`, `FILE-${language}-2;Noura;12;${place}`];
    const buffer = Buffer.from([header, ...rows].join('\r\n'));
    const input = page.getByLabel(word(['CSV file or Excel workbook', 'ملف CSV أو مصنف Excel']), { exact: true });
    await attach(input, { name: 'orders.csv', mimeType: 'text/csv', buffer });
    await choose(['Field of the column Heaviness', 'حقل العمود Heaviness'], 'items[0].weightKilograms');
    await choose(['Branch', 'الفرع'], 'SANDBOX_BRANCH');
    await press('button', ['Check the rows', 'افحص الصفوف']);
    await see(/^(?:1 of 2 rows can be created\.|الصفوف التي يمكن إنشاؤها: 1 من 2\.)$/);
    await type(['Row 3, Mobile', 'الصف 3, الجوال'], '0501234568');
    await press('button', ['Check again', 'افحص من جديد']);
    await press('button', ['Create 2 shipments', 'أنشئ الشحنات (2)']);
    await see(/^(?:Created|أُنشئت): 2$/);
    await see(await find('button', ['Result as CSV', 'النتيجة بصيغة CSV']));
    const { data } = await owner.call.shipments.list.query({ q: `FILE-${language}` });
    const references = [1, 2].map((row) => `FILE-${language}-${row}`);
    expect(new Set(data.map(({ externalReference }) => externalReference))).toEqual(new Set(references));
  });

  test('signs out', async () => {
    const { page, press, arrive } = owner;
    await press('button', ['Sign out', 'تسجيل الخروج']);
    await arrive(['Sign in', 'تسجيل الدخول']);
    expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: '__Host-session' }));
    // No session before the sign-in.
    expect(unexpected(owner.window, 401, 422)).toEqual([]);
  });
});
