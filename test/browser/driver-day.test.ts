import { expect, test } from 'vitest';
import * as z from 'zod';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { codesTo } from '../../scripts/shared/people.ts';
import type { Sandbox } from '../../scripts/shared/sandbox.ts';
import { until } from '../../scripts/shared/until.ts';
import {
  CUT,
  driversAtWork,
  expectOnScreen,
  expectUsable,
  picturesOn,
  shoot,
  sign,
  takePhoto,
  tap,
} from '../support/driver-page.ts';
import { openSite } from '../support/open-site.ts';
import { trpcClient } from '../support/trpc.ts';

/* The driver's day on a phone: what to do now is always on the first screen. */

const { site, browser } = await openSite('deno');
const atWork = driversAtWork(site, browser);
/** What the browser itself logs about a delivery that the service refuses. */
const REFUSED = /status of 422/;
const LATIN = '4 King Fahd Road (Tower 2), Riyadh';
const PLACES = ['برج المملكة، شارع العليا، الرياض', LATIN, 'حي النخيل، شارع الأمير تركي، الرياض'];
/** What each of the parcels for these places has to prove. */
const REQUIREMENTS = [['PROOF_PIN'], ['PROOF_PHOTO', 'PROOF_SIGNATURE'], ['PROOF_PHOTO', 'PROOF_PIN']];
const AT = { cityCode: 'RUH', latitude: 24.794722, longitude: 46.626111 } as const;

const proof = z.looseObject({
  evidence: z.string(),
  signedBy: z.nullable(z.string()),
  pin: z.nullable(z.looseObject({})),
  media: z.array(z.looseObject({ purpose: z.string() })),
});
/** What a merchant reads of a proof. */
async function proofOf({ merchant }: Sandbox, shipmentId: string) {
  const { evidence, signedBy, pin, media } = proof.parse(
    await (await merchant.get(`${SHIPMENTS}/${shipmentId}/proof`)).json(),
  );
  return { evidence, signedBy, hasPin: pin !== null, media: media.map(({ purpose }) => purpose) };
}

test('a driver with four offers open proves three deliveries, and loses the network in the middle, in Arabic', async () => {
  const { sandbox, page, window } = await atWork('ar');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const ids: string[] = [];
  const phones = PLACES.map(() => `+9665${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`);
  for (const [index, addressLine] of PLACES.entries()) {
    const cash = index === 0 ? { codAmount: 94.5, paymentMethod: 'COD' } : {};
    const recipient = { name: 'هدى العتيبي', phone: phones[index] };
    const asked = { requirements: REQUIREMENTS[index], recipient, ...cash };
    ids.push((await sandbox.create({ destination: { ...AT, addressLine }, ...asked })).shipmentId);
  }
  await page.getByRole('button', { name: 'قبول الكل: 3' }).waitFor({ timeout: 20_000 });
  await expectUsable(page);
  await shoot(page, '1-offers');
  await tap(page, 'قبول الكل: 3');
  await heading('توجّه إلى موقع الاستلام');
  await page.getByRole('heading', { name: 'شحناتك الأخرى' }).waitFor();
  await expectUsable(page);
  await shoot(page, '2-to-pickup');

  for (let parcel = 0; parcel < PLACES.length; parcel += 1) {
    await tap(page, 'وصلت');
    await tap(page, 'استلمت الشحنة');
    if (parcel < PLACES.length - 1)
      await page.locator('.stops button').filter({ hasText: 'توجّه إلى موقع' }).first().click();
    await page.evaluate(() => scrollTo(0, 0));
  }
  for (let offer = 0; offer < 4; offer += 1) await sandbox.create({ codAmount: 1250, paymentMethod: 'COD' });
  const bar = page.getByRole('button', { name: /^العروض: 4/ });
  await bar.waitFor({ timeout: 20_000 });
  await heading('الشحنة معك');
  await expectOnScreen(page, 'بدء التوصيل');
  await expectUsable(page);
  await shoot(page, '3-four-offers');
  // Open, the offers do not cover the action.
  await bar.click();
  await page.getByRole('button', { name: 'قبول الكل: 4' }).waitFor();
  await expectOnScreen(page, 'بدء التوصيل');
  await expectUsable(page);
  await shoot(page, '4-offers-opened');
  await bar.click();

  const toDoor = async (index: number) => {
    await page
      .locator('.stops button')
      .filter({ hasText: PLACES[index] ?? '' })
      .or(page.locator('.task .address').filter({ hasText: PLACES[index] ?? '' }))
      .first()
      .click();
    await page.evaluate(() => scrollTo(0, 0));
    await page
      .locator('.task .address')
      .filter({ hasText: PLACES[index] ?? '' })
      .waitFor();
    await tap(page, 'بدء التوصيل');
    await tap(page, 'وصلت');
    await heading('سلّم الشحنة');
  };
  const pinOf = async (index: number) =>
    until('the PIN is sent', async () => (await codesTo(site, phones[index] ?? ''))[0]);
  await toDoor(0);
  await page.getByText('يفحص المستلم الشحنة أولًا').waitFor();
  await expectUsable(page);
  await shoot(page, '5-cash');
  await tap(page, 'استلمت 94.50 SAR');
  // The step of the money survives a reload and another language.
  await page.reload();
  const field = page.getByLabel('رمز التسليم من المستلم');
  await field.waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByLabel('PIN of the recipient').waitFor();
  await page.getByRole('button', { name: 'العربية' }).click();
  await field.waitFor();
  await shoot(page, '6-paid');
  await tap(page, 'لا يوجد رمز');
  await page.getByText('وصل رمز التسليم إلى المستلم').waitFor();
  const pin = await pinOf(0);
  await field.fill(String((Number(pin) + 1) % 10_000).padStart(4, '0'));
  await tap(page, 'تم التوصيل');
  await page.getByText('المحاولات المتبقية: 4.').waitFor();
  await expectUsable(page);
  await shoot(page, '6-wrong-pin');
  await field.fill(pin.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))));
  await tap(page, 'تم التوصيل');
  await expect.poll(async () => (await sandbox.read(ids[0] ?? '')).state).toBe('DELIVERED');

  await page.context().setOffline(true);
  await toDoor(1);
  await page.getByText('لا يوجد اتصال بالخدمة.').waitFor();
  await shoot(page, '7-photo');
  await takePhoto(page, '.thumb');
  await expectOnScreen(page, 'احفظ التوقيع');
  await expectUsable(page);
  await sign(page, 'اسم الموقّع', 'هدى');
  await shoot(page, '7-signature');
  await tap(page, 'احفظ التوقيع');
  await page.getByText('تم التوقيع: هدى').waitFor();
  // The picture and the signature survive a reload without network.
  await page.reload();
  await page.getByText('تم التوقيع: هدى').waitFor();
  await shoot(page, '7-signed');
  await tap(page, 'تم التوصيل');
  await expectUsable(page);
  await shoot(page, '7-offline');
  await toDoor(2);
  await takePhoto(page, '.thumb');
  await page.getByText('يحتاج رمز التسليم إلى الشبكة').waitFor();
  await expectOnScreen(page, 'تم التوصيل');
  await expectUsable(page);
  await shoot(page, '7-pin-offline');
  // A PIN is not taken without network, and not kept either.
  await field.fill('4821');
  await tap(page, 'تم التوصيل');
  await page.getByText('يحتاج رمز التسليم إلى الشبكة').waitFor();
  await heading('سلّم الشحنة');
  const kept = await page.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }).join('\n'));
  expect(kept).toContain('"action":"DELIVER"');
  expect(kept).not.toContain('"pin":');
  await page.context().setOffline(false);
  await field.fill(await pinOf(2));
  await tap(page, 'تم التوصيل');
  await heading('لا توجد شحنة الآن');
  for (const id of ids) await expect.poll(async () => (await sandbox.read(id)).state).toBe('DELIVERED');
  expect(await Promise.all(ids.map((id) => proofOf(sandbox, id)))).toEqual([
    { evidence: 'COMPLETE', signedBy: null, hasPin: true, media: [] },
    { evidence: 'COMPLETE', signedBy: 'هدى', hasPin: false, media: ['DELIVERY_PHOTO', 'SIGNATURE'] },
    { evidence: 'COMPLETE', signedBy: null, hasPin: true, media: ['DELIVERY_PHOTO'] },
  ]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('driver-actions'))).toBe('[]');
  expect(window.faults.filter((fault) => !CUT.test(fault) && !REFUSED.test(fault))).toEqual([]);
  await window.close();
}, 240_000);

test('a failure has no reason chosen beforehand, and can be undone for ten seconds, also after a reload', async () => {
  const { sandbox, page, window } = await atWork('en');
  const driver = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const { shipmentId } = await sandbox.create({ destination: { ...AT, addressLine: LATIN } });
  for (const name of ['Accept', 'I have arrived', 'I have the parcel', 'Start the delivery', 'I have arrived'])
    await driver(name);
  await page.getByRole('heading', { level: 1, name: 'Hand over the parcel' }).waitFor();
  await page.getByText('Something is wrong').click();
  await page.getByText('Choose the reason first.').waitFor();
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delivery failed' }).count()).toBe(0);
  await expectUsable(page);
  await page.getByLabel('The recipient could not be reached').click();
  // The step and its reason survive another language.
  await page.getByRole('button', { name: 'العربية' }).click();
  await page.getByRole('button', { name: 'تعذّر التوصيل', exact: true }).waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await shoot(page, '8-failure');
  await driver('Delivery failed');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.reload();
  await page.getByText(/counts in \d+ s/).waitFor();
  await shoot(page, '9-undo');
  await expectUsable(page);
  await driver('Undo');
  await page.getByRole('heading', { level: 1, name: 'Hand over the parcel' }).waitFor();
  expect((await sandbox.read(shipmentId)).state).toBe('OUT_FOR_DELIVERY');
  const callsFrom = Date.now();
  await page.getByRole('link', { name: /^Call/ }).click();
  await page.getByText('Something is wrong').click();
  await page.getByLabel('The recipient could not be reached').click();
  await driver('Delivery failed');
  await expect.poll(async () => (await sandbox.read(shipmentId)).state, { timeout: 20_000 }).toBe('DELIVERY_FAILED');
  const proof = z.looseObject({ calledAt: z.string() });
  const { calledAt } = proof.parse(await (await sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/proof`)).json());
  expect(Math.abs(Date.parse(calledAt) - callsFrom)).toBeLessThan(30_000);
  // The call itself.
  expect(window.faults).toEqual([expect.stringMatching(/^asked for tel:\+966/)]);
  await window.close();
});

test('a failure that needs an arrival says so, and for ten minutes another attempt can begin', async () => {
  const { sandbox, page, window } = await atWork('en');
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: AT.latitude, longitude: AT.longitude });
  await page.reload();
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const { shipmentId } = await sandbox.create({
    destination: { ...AT, addressLine: LATIN },
    requirements: ['PROOF_PHOTO'],
  });
  for (const name of ['Accept', 'I have arrived', 'I have the parcel', 'Start the delivery']) await press(name);
  const fail = async () => {
    await page.getByText('Something is wrong').click();
    await page.getByLabel('The recipient looked at the goods and refused them').click();
    await takePhoto(page, '.trouble');
    await shoot(page, '11-failure-photo');
    await expectUsable(page);
    await press('Delivery failed');
  };
  await page.getByRole('heading', { level: 1, name: 'Go to the recipient' }).waitFor();
  await fail();
  await page.getByText('Go to the door, and tap “I am at the door” there.').waitFor({ timeout: 20_000 });
  await expectUsable(page);
  await shoot(page, '12-arrival-missing');
  await press('I am at the door');
  await page.getByRole('heading', { level: 1, name: 'Hand over the parcel' }).waitFor();
  await fail();
  await expect.poll(async () => (await sandbox.read(shipmentId)).state, { timeout: 20_000 }).toBe('DELIVERY_FAILED');
  expect(await proofOf(sandbox, shipmentId)).toMatchObject({ evidence: 'COMPLETE', media: ['ATTEMPT_PHOTO'] });
  await page.getByText('Possible for 10 more minutes').waitFor();
  await expectUsable(page);
  await shoot(page, '13-again');
  await press('Try again');
  await page
    .getByRole('button', { name: 'Start the delivery' })
    .or(page.getByRole('button', { name: 'I have arrived' }))
    .waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await shoot(page, '14-attempt');
  expect(window.faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
  await window.close();
}, 120_000);

test('a photo and a signature take the place of a PIN that operators have released', async () => {
  const { sandbox, page, window } = await atWork('en');
  const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
  const { shipmentId } = await sandbox.create({ requirements: ['PROOF_PIN'] });
  for (const name of ['Accept', 'I have arrived', 'I have the parcel', 'Start the delivery', 'I have arrived'])
    await press(name);
  await page.getByLabel('PIN of the recipient').waitFor();
  const { shipments } = trpcClient(site, await site.token(site.operator)).operations;
  const { companyId } = sandbox.company;
  await shipments.releaseProof.mutate({ companyId, shipmentId, reason: 'The recipient has lost the phone.' });
  await press('No PIN');
  await page.getByText('A photo and a signature take the place of the PIN.').waitFor();
  await takePhoto(page, '.thumb');
  await sign(page, 'Name of the person who signs', 'Huda');
  await press('Keep the signature');
  await press('Delivered');
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('DELIVERED');
  expect(await proofOf(sandbox, shipmentId)).toEqual({
    evidence: 'PARTIAL',
    signedBy: 'Huda',
    hasPin: false,
    media: ['DELIVERY_PHOTO', 'SIGNATURE'],
  });
  // Nothing of it stays on the phone.
  await expect.poll(() => picturesOn(page)).toBe(0);
  expect(window.faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
  await window.close();
});

test('off duty with a parcel in hand asks first, and a forbidden position says how to allow it', async () => {
  const { sandbox, page, window } = await atWork('ar');
  const { shipmentId } = await sandbox.create();
  await page.getByRole('button', { name: 'قبول', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'توجّه إلى موقع الاستلام' }).waitFor();
  await page.getByText('لا يُسمح لهذه الصفحة بمعرفة موقعك').click();
  await page.getByText('أندرويد: المس الرمز بجانب العنوان').waitFor();
  await page.getByRole('button', { name: 'أنهِ المناوبة' }).click();
  await page.getByText('الشحنات التي معك: 1. تبقى معك').waitFor();
  await expectUsable(page);
  await shoot(page, '10-off-duty');
  await page.getByRole('button', { name: 'ابقَ في المناوبة' }).click();
  await page.getByText('في المناوبة', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'أنهِ المناوبة' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'أنهِ المناوبة' }).click();
  await page.getByText('خارج المناوبة', { exact: true }).waitFor();
  expect((await sandbox.read(shipmentId)).state).toBe('ACCEPTED');
  await expectOnScreen(page, 'وصلت');
  expect(window.faults).toEqual([]);
  await window.close();
});
