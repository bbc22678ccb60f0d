import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWindow } from '../../scripts/shared/browser.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { unexpected } from '../../scripts/shared/console.ts';
import { journeyTo } from '../../scripts/shared/journeys.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newContacts } from '../../scripts/shared/people.ts';
import { answering, startReceiver } from '../../scripts/shared/receiver.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { shipmentBody } from '../../scripts/shared/shipments.ts';
import { type KeyboardOwner, keyboardOwner } from '../support/console-keys.ts';
import { PDF, PNG, pngOfPixels } from '../support/files.ts';
import { keysOn, type Words } from '../support/keys.ts';
import { openSite } from '../support/open-site.ts';
import { untilLogged } from '../support/request-log.ts';

const { site, browser } = await openSite('deno');
const receiver = await startReceiver();
afterAll(() => receiver.close());

/** One owner does all tasks of a language, one after the other, and never touches a mouse. */
describe.each(['en', 'ar'] as const)('with the keyboard alone, in %s, an owner', (language) => {
  let owner: KeyboardOwner;
  beforeAll(async () => {
    owner = await keyboardOwner(browser, site, language);
  });
  afterAll(() => owner.window.close());
  const code = `KEYS-${language.toUpperCase()}`;

  test('creates a branch and a pickup location, edits and deactivates them', async () => {
    const { page, type, press, see, arrive, word } = owner;
    await owner.open(['Branches', 'الفروع']);
    await press('link', ['New branch', 'فرع جديد']);
    await arrive(['New branch', 'فرع جديد']);
    await type(['Code', 'الرمز'], code);
    await type(['Name', 'الاسم'], 'Keys');
    await type(['City', 'المدينة'], word(['Riyadh', 'الرياض']));
    await press('button', ['Save', 'حفظ']);
    await arrive('Keys');
    await press('link', ['New pickup location', 'موقع استلام جديد']);
    await arrive(['New pickup location', 'موقع استلام جديد']);
    await type(['Code', 'الرمز'], `${code}-1`);
    await type(['Name', 'الاسم'], 'Gate');
    await type(['Address', 'العنوان'], 'طريق الملك فهد');
    await type(['City', 'المدينة'], 'RUH');
    await type(['Latitude', 'خط العرض'], '24.7');
    await type(['Longitude', 'خط الطول'], '46.6');
    await press('button', ['Save', 'حفظ']);
    await arrive('Keys');
    await press('link', new RegExp(`^${code}-1$`));
    await arrive('Gate');
    await press('button', ['Deactivate', 'إيقاف']);
    await see(page.getByRole('dialog'));
    await press('button', ['Deactivate', 'إيقاف']);
    await see(['Deactivated.', 'تم الإيقاف.']);
    await press('button', ['Activate', 'تفعيل']);
    await see(['Activated.', 'تم التفعيل.']);
    await page.goBack();
    await arrive('Keys');
    await press('link', ['Edit', 'تعديل']);
    await arrive(['Edit branch', 'تعديل الفرع']);
    await type(['Name', 'الاسم'], 'Keys and locks');
    await press('button', ['Save', 'حفظ']);
    await arrive('Keys and locks');
    await press('button', ['Deactivate', 'إيقاف']);
    await see(page.getByRole('dialog'));
    await press('button', ['Deactivate', 'إيقاف']);
    await see(page.locator('main').getByText(word(['Inactive', 'غير نشط']), { exact: true }));
    const branches = (await owner.call.branches.list.query({})).data;
    expect(branches.find(({ branchCode }) => branchCode === code)).toMatchObject({
      ...{ name: 'Keys and locks', cityCode: 'RUH', status: 'INACTIVE' },
    });
    const places = await owner.call.pickupLocations.list.query({ branchCode: code });
    expect(places.data).toMatchObject([{ pickupLocationCode: `${code}-1`, status: 'ACTIVE' }]);
  });

  test('sets the logo and the contact of the tracking page', async () => {
    const { page, type, press, toggle, attach, see, word } = owner;
    await owner.open(['Tracking page', 'صفحة التتبع']);
    const logo = Buffer.from(pngOfPixels(320, 96));
    const input = page.getByLabel(word(['Choose a logo', 'اختر شعارًا']));
    await attach(input, { name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await owner.confirm();
    await see(page.getByRole('img', { name: word(['Your logo', 'شعارك']) }));
    await type(['Phone', 'الهاتف'], '+966112345678');
    await toggle('checkbox', /^(?:Show these numbers|إظهار هذه الأرقام)/);
    await press('button', ['Save contact', 'حفظ جهة الاتصال']);
    // Both changes succeed, also if the second one starts before the first one is answered.
    await press('button', ['Remove the logo', 'إزالة الشعار']);
    await see(['Recipients see the name of your company.', 'يرى المستلمون اسم شركتك.']);
    await see(page.getByRole('heading', { name: word(['Logo', 'الشعار']), exact: true }));
    const brand = { logo: null, phone: '+966112345678', showsContact: true };
    expect(await owner.call.trackingBrand.get.query({})).toMatchObject(brand);
  });

  test('makes a webhook endpoint, sends a test event, replays a failed delivery and rotates the secret', async () => {
    const { page, type, choose, press, see, arrive, word } = owner;
    const url = `${receiver.url}/${language}`;
    await owner.open(['Webhooks', 'الإشعارات البرمجية']);
    await press('link', ['New endpoint', 'نقطة استقبال جديدة']);
    await arrive(['New endpoint', 'نقطة استقبال جديدة']);
    await type(['Address', 'العنوان'], url);
    await press('button', ['Save', 'حفظ']);
    await see(page.getByRole('region', { name: word(['Signing secret', 'سر التوقيع']), exact: true }));
    await press('button', ['I have stored it', 'لقد حفظته']);
    await arrive(url);
    const [endpoint] = (await owner.call.webhookEndpoints.list.query({})).data;
    expect(endpoint).toMatchObject({ url, previousSecretExpiresAt: null });
    const endpointId = endpoint?.endpointId ?? '';

    await press('button', ['Send', 'إرسال']);
    await see(/^(?:Accepted|قُبل)\. HTTP 200$/);
    expect(receiver.received.filter(({ path }) => path.endsWith(`/${language}`))).toHaveLength(1);
    await press('button', ['Rotate', 'تدوير السر']);
    await see(page.getByRole('dialog'));
    await choose(['Keep the old secret valid for', 'يبقى السر القديم صالحًا لمدة'], '3600');
    await press('button', ['Rotate', 'تدوير السر']);
    await see(page.getByRole('region', { name: word(['New signing secret', 'سر التوقيع الجديد']) }));
    await press('button', ['I have stored it', 'لقد حفظته']);
    await see(page.getByRole('timer'));
    const rotated = await owner.call.webhookEndpoints.get.query({ endpointId });
    expect(rotated.previousSecretExpiresAt).not.toBe(null);

    receiver.respond = answering(500);
    await owner.sandbox.create();
    const deliveries = async () => (await owner.call.webhookDeliveries.list.query({ endpointId })).data;
    await expect.poll(async () => (await deliveries()).some(({ status }) => status === 'RETRYING')).toBe(true);
    receiver.respond = answering(200);
    const failed = (await deliveries()).find(({ status }) => status === 'RETRYING');
    await owner.open(['Webhooks', 'الإشعارات البرمجية']);
    await press('link', ['Delivery log', 'سجل التسليم']);
    await arrive(['Delivery log', 'سجل التسليم']);
    await owner.reach(page.locator(`a[href$="/${failed?.deliveryId}"]`));
    await page.keyboard.press('Enter');
    await arrive(/^shipment\./);
    await press('button', ['Show attempt 1', 'اعرض المحاولة 1']);
    await see(['HTTP 500', 'HTTP 500']);
    await press('button', ['Send again', 'أعد الإرسال']);
    await see(['Replay of', 'إعادة إرسال للتسليم']);
    await see(page.locator('.page-head').getByText(word(['Delivered', 'سُلّمت'])));
    const replay = (await deliveries()).find(
      ({ eventId, deliveryId }) => deliveryId !== failed?.deliveryId && eventId === failed?.eventId,
    );
    expect(replay?.status).toBe('SUCCEEDED');
  });

  test('acts as the driver, holds a shipment, plays a scenario, injects a fault and advances the clock', async () => {
    const { page, type, press, toggle, see, find, arrive, word } = owner;
    const sandboxArea = ['Sandbox', 'البيئة التجريبية'] as const;
    const newShipment = async () => {
      await press('button', ['New test shipment', 'شحنة تجريبية جديدة']);
      await page.waitForURL(/\/sandbox\/[\da-f-]{36}$/);
      await arrive(/^SHP-/);
      return page.url().split('/').at(-1) ?? '';
    };
    await owner.open(sandboxArea);
    const delivered = await newShipment();
    await press('button', ['Sign in as the driver', 'سجّل الدخول بصفتك سائقًا']);
    await press('button', ['Accept', 'قبول']);
    await press('button', ['Picked up', 'استلمت الشحنة']);
    await press('button', ['Start the delivery', 'بدء التوصيل']);
    await see(await find('button', ['Delivered', 'تم التوصيل']));
    await press('button', ['Delivered', 'تم التوصيل']);
    await see(['This delivery has ended.', 'انتهت هذه التوصيلة.']);
    expect((await owner.sandbox.read(delivered)).state).toBe('DELIVERED');

    await owner.open(sandboxArea);
    await toggle('switch', ['Hold the next shipment', 'تعليق الشحنة القادمة']);
    await see(page.getByRole('switch', { checked: true }));
    const held = await newShipment();
    await press('button', ['Release the shipment', 'إلغاء التعليق']);
    await page.getByText(word(['This shipment is held.', 'هذه الشحنة معلّقة.'])).waitFor({ state: 'detached' });
    await see(page.getByRole('heading', { level: 1 }));
    await owner.reach(page.getByRole('slider', { name: word(['Seconds between steps', 'الثواني بين الخطوات']) }));
    await page.keyboard.press('Home');
    await press('button', ['Play', 'تشغيل']);
    await see(['The scenario is running.', 'بدأ تشغيل السيناريو.']);
    await owner.sandbox.untilState(held, 'DELIVERED');
    await see(
      page
        .getByText(word(['This delivery has ended.', 'انتهت هذه التوصيلة.']))
        .or(page.getByRole('heading', { level: 1 })),
    );

    await owner.open(sandboxArea);
    await type(['How many times', 'عدد المرات'], '2');
    await press('button', ['Inject the fault', 'افتعل العطل']);
    await see(/^(?:Routing: the next 2 calls will fail\.|حساب المسار: عدد الطلبات القادمة التي ستفشل 2\.)$/);
    await press('button', ['Clear all faults', 'إلغاء كل الأعطال']);
    await see(['All faults are cleared.', 'أُلغيت كل الأعطال.']);
    await press('button', ['One hour ahead', 'ساعة إلى الأمام']);
    await expect.poll(async () => (await owner.call.sandbox.readClock.query({})).offsetSeconds).toBeGreaterThan(3500);
    await see(['The clock runs', 'الساعة تعمل']);
  });

  test('finds a refused request by its cause, and runs an operation in the reference', async () => {
    const { page, press, see, arrive, word } = owner;
    const { merchant, company } = owner.sandbox;
    const refused = await merchant.postShipment(
      shipmentBody(company, { recipient: { name: 'Noura', phone: 'secret' } }),
    );
    await untilLogged(merchant, refused.headers.get('x-request-id') ?? '');
    await owner.open(['Requests', 'الطلبات']);
    const groups = page.getByRole('table', { name: word(['Errors by cause', 'الأخطاء حسب السبب']) });
    await press('link', /^shipments\.create$/, groups);
    await page.waitForURL(({ searchParams }) => searchParams.get('operation') === 'shipments.create');
    await see(page.getByRole('heading', { level: 1 }));
    await press('link', /^POST \/v2\/external\/shipments$/);
    await see(page.getByText('"<string 6>"').first());
    await arrive(/./);
    expect(page.url()).toMatch(new RegExp(`/requests/${refused.headers.get('x-request-id')}$`));

    await page.goto(`${site.address}/docs/shipments?lang=${language}`);
    const trial = page.locator('[aria-labelledby="shipments-list"] .trial');
    await owner.reach(trial.locator('summary'));
    await page.keyboard.press('Enter');
    await press('button', ['Send', 'إرسال'], trial);
    await see(trial.getByText('HTTP 200'));
    expect(await trial.locator('pre').last().textContent()).toContain('"shipmentNumber"');
    await page.goto(`${site.address}/console?lang=${language}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  test('rotates, deletes and issues the credential', async () => {
    const { page, type, choose, press, see, word } = owner;
    const button = (words: Words) => page.getByRole('button', { name: word(words) });
    await owner.open(['API credential', 'بيانات اعتماد API']);
    const secretOf = async () => {
      const region = page.getByRole('region', { name: word(['Client secret', 'سر العميل']) });
      await see(region);
      const clientId = await page.locator('main code').first().innerText();
      const clientSecret = await region.locator('code').innerText();
      expect(await issueToken(site, { clientId, clientSecret })).toMatch(/^ey/);
      await press('button', ['I have stored it', 'لقد حفظته']);
      await see(button(['Delete the credential', 'حذف بيانات الاعتماد']));
      return { clientId, clientSecret };
    };
    await press('button', ['Rotate the secret', 'تدوير السر']);
    await choose(['Keep the old secret valid for', 'يبقى السر القديم صالحًا لمدة'], '0');
    await press('button', ['Rotate', 'تدوير السر']);
    const rotated = await secretOf();
    await press('button', ['Delete the credential', 'حذف بيانات الاعتماد']);
    await type(
      ['Type the last six characters of the client id', 'اكتب آخر ستة أحرف من معرّف العميل'],
      rotated.clientId.slice(-6),
    );
    await press('button', ['Delete', 'حذف']);
    await see(button(['Issue the credential', 'إصدار بيانات الاعتماد']));
    await expect(issueToken(site, rotated)).rejects.toThrow('401');
    await press('button', ['Issue the credential', 'إصدار بيانات الاعتماد']);
    expect((await secretOf()).clientId).not.toBe(rotated.clientId);
    // The codes of second factors, and the moment without a credential.
    expect(unexpected(owner.window, 401, 403, 404)).toEqual([]);
  });
});

describe.each(['en', 'ar'] as const)('with the keyboard alone, in %s', (language) => {
  test('a company registers with its documents', async () => {
    const window = await openWindow(browser, `${site.address}/console/sign-up?lang=${language}`);
    const { page } = window;
    const { type, press, attach, see, arrive, word } = keysOn(page, language);
    const { email, mobile } = newContacts();
    await type(['Store name', 'اسم المتجر'], 'Taif Roses');
    await type(['Commercial registration number', 'رقم السجل التجاري'], '١٠١٠١٢٣٤٥٦');
    await type(['Your full name', 'اسمك الكامل'], 'نورة القحطاني');
    await type(['E-mail address', 'البريد الإلكتروني'], email);
    await type(['Mobile', 'رقم الجوال'], mobile.replace('+966', ''));
    await press('button', ['Continue to the documents', 'التالي: المستندات']);
    await arrive(['Add your documents', 'أرفق مستنداتك']);
    for (const [name, bytes, mimeType] of [
      [['National address', 'العنوان الوطني'], PDF, 'application/pdf'],
      [['Commercial registration', 'السجل التجاري'], PNG, 'image/png'],
    ] as const) {
      const place = page.getByRole('region', { name: word(name) });
      await attach(place.locator('input'), { name: 'scan', mimeType, buffer: Buffer.from(bytes) });
      await see(place.getByText(word(['Uploaded', 'تم الرفع']), { exact: true }));
    }
    await press('button', ['Continue to the code', 'التالي: رمز التحقق']);
    await arrive(['Confirm your mobile', 'أكّد رقم جوالك']);
    await press('button', /^\d{6}$/);
    await arrive('Taif Roses');
    expect(unexpected(window, 401)).toEqual([]);
    await window.close();
  });

  test('a recipient rates the delivery', async () => {
    const { path, sandbox, shipmentId } = await journeyTo(site, 'delivered');
    const window = await openWindow(browser, `${site.address}${path}?lang=${language}`);
    const { page } = window;
    const { reach, press, word } = keysOn(page, language);
    await reach(page.getByRole('radio').first());
    await page.keyboard.press('Space');
    for (let stars = 1; stars < 4; stars += 1) await page.keyboard.press('ArrowDown');
    await press('button', ['Send rating', 'إرسال التقييم']);
    await page.getByText(word(['Rated with 4 stars. Thank you.', 'التقييم: 4 نجوم. شكرًا لك.'])).waitFor();
    const tracking = await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/tracking`);
    expect(await tracking.json()).toMatchObject({ rating: { stars: 4 } });
    expect(window.faults).toEqual([]);
    await window.close();
  });

  test('a driver goes on duty, accepts an offer and delivers it', async () => {
    const sandbox = await newSandbox(site);
    const window = await openWindow(browser, `${site.address}/driver?lang=${language}`);
    const { page } = window;
    const { type, press, see, word } = keysOn(page, language);
    const heading = (name: readonly [string, string]) => page.getByRole('heading', { level: 1, name: word(name) });
    await type(['Your mobile', 'رقم جوالك'], sandbox.phone);
    await page.keyboard.press('Enter');
    await press('button', /^\d{6}$/);
    await see(page.getByText(word(['On duty', 'في المناوبة']), { exact: true }));
    const { shipmentId } = await sandbox.create();
    await press('button', ['Accept', 'قبول']);
    await see(heading(['Go to the pickup location', 'توجّه إلى موقع الاستلام']));
    await press('button', ['I have arrived', 'وصلت']);
    await see(heading(['Collect the parcel', 'استلم الشحنة']));
    await press('button', ['I have the parcel', 'استلمت الشحنة']);
    await see(heading(['The parcel is with you', 'الشحنة معك']));
    await press('button', ['Start the delivery', 'بدء التوصيل']);
    await see(heading(['Go to the recipient', 'توجّه إلى المستلم']));
    await press('button', ['I have arrived', 'وصلت']);
    await see(heading(['Hand over the parcel', 'سلّم الشحنة']));
    await press('button', ['Delivered', 'تم التوصيل']);
    await see(heading(['No parcel now', 'لا توجد شحنة الآن']));
    await sandbox.untilState(shipmentId, 'DELIVERED');
    await press('button', ['Sign out', 'تسجيل الخروج']);
    await see(heading(['Sign in', 'تسجيل الدخول']));
    expect(window.faults).toEqual([]);
    await window.close();
  });
});
