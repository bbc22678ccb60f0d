import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CUT, driversAtWork, expectUsable, picturesOn, shoot, sign, takePhoto, tap } from '../support/driver-page.ts';
import { openSite } from '../support/open-site.ts';

/* The drivers' page with a connection that is bad, and with what a phone has kept. */

const { site, browser } = await openSite('deno');
const atWork = driversAtWork(site, browser);

/** Presses buttons, one after the other. */
async function press(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('button', { name, exact: true }).click();
}

test('new work appears while a picture is on its way', async () => {
  const { sandbox, page, window } = await atWork('en');
  let uploads = 0;
  await page.route('**/proof-media?**', () => void (uploads += 1));
  const { shipmentId } = await sandbox.create({ requirements: ['PROOF_PHOTO', 'PROOF_SIGNATURE'] });
  await press(page, 'Accept', 'I have arrived', 'I have the parcel', 'Start the delivery', 'I have arrived');
  await takePhoto(page, '.thumb');
  await sign(page, 'Name of the person who signs', 'Huda');
  await press(page, 'Keep the signature', 'Delivered');
  await expect.poll(() => uploads).toBe(1);
  await sandbox.create();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor({ timeout: 20_000 });
  expect((await sandbox.read(shipmentId)).state).toBe('OUT_FOR_DELIVERY');
  await page.unroute('**/proof-media?**');
  await window.close();
}, 120_000);

test('an action that does not get through holds up no other, says so, and can be dropped', async () => {
  const { sandbox, page, window } = await atWork('ar');
  const [first, second] = [await sandbox.create(), await sandbox.create()];
  await page.getByRole('button', { name: 'قبول الكل: 2' }).click();
  const isFirst = (body: string | null) => body?.includes(first.shipmentId) === true;
  await expect.poll(async () => (await sandbox.read(second.shipmentId)).state).toBe('ACCEPTED');
  // A proxy in between answers in place of the service.
  await page.route('**/trpc/driver.act*', (route) =>
    isFirst(route.request().postData()) ? route.fulfill({ status: 500, body: '<h1>Error</h1>' }) : route.continue(),
  );
  const show = async (number: string) => {
    const chosen = page.locator('.task').getByText(number);
    if ((await chosen.count()) === 0) await page.locator('.stops button').filter({ hasText: number }).click();
    await chosen.waitFor();
  };
  await show(first.shipmentNumber);
  await press(page, 'وصلت');
  await show(second.shipmentNumber);
  await press(page, 'وصلت');
  const notice = page.getByText('تعذّر إرسال ما يلي: وصلت');
  await notice.waitFor({ timeout: 60_000 });
  await expectUsable(page);
  await notice.scrollIntoViewIfNeeded();
  await shoot(page, '15-stuck');
  await press(page, 'استلمت الشحنة');
  await expect.poll(async () => (await sandbox.read(second.shipmentId)).state).toBe('PICKED_UP');
  await press(page, 'احذفه', 'أبقِه');
  expect(await page.evaluate(() => localStorage.getItem('driver-actions'))).toContain(first.shipmentId);
  await press(page, 'احذفه', 'نعم، احذفه');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('driver-actions'))).toBe('[]');
  expect(await notice.count()).toBe(0);
  await page.unroute('**/trpc/driver.act*');
  await show(first.shipmentNumber);
  await press(page, 'وصلت', 'استلمت الشحنة');
  await expect.poll(async () => (await sandbox.read(first.shipmentId)).state).toBe('PICKED_UP');
  await window.close();
}, 180_000);

test('no picture stays on the phone when its parcel is gone, or when it is old', async () => {
  const { sandbox, page, window } = await atWork('en');
  const { shipmentId } = await sandbox.create({ requirements: ['PROOF_PHOTO'] });
  await press(page, 'Accept', 'I have arrived', 'I have the parcel', 'Start the delivery', 'I have arrived');
  await takePhoto(page, '.thumb');
  expect(await picturesOn(page)).toBe(1);
  await sandbox.untilState(shipmentId, 'OUT_FOR_DELIVERY');
  // The driver delivers on another phone, so this one never sends the picture.
  await site.sql(sandbox.company.shard, "update shipments set state = 'DELIVERED' where id = ?", [shipmentId]);
  await page.getByRole('heading', { level: 1, name: 'No parcel now' }).waitFor({ timeout: 20_000 });
  await expect.poll(() => picturesOn(page)).toBe(0);
  // Another driver of this phone has left one.
  const leave = (ageHours: number) =>
    page.evaluate(
      (keptMs) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('driver-proofs', 1);
          opening.onsuccess = () => {
            const store = opening.result.transaction('media', 'readwrite').objectStore('media');
            const media = {
              driverId: 'another',
              shipmentId: 'x',
              purpose: 'DELIVERY_PHOTO',
              keptMs,
              content: new Blob(),
            };
            store.put(media, 'x DELIVERY_PHOTO').onsuccess = () => resolve();
          };
        }),
      Date.now() - ageHours * 3_600_000,
    );
  await leave(23);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'No parcel now' }).waitFor();
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType('resource').length)).toBeGreaterThan(10);
  expect(await picturesOn(page)).toBe(1);
  await leave(25);
  await page.reload();
  await expect.poll(() => picturesOn(page)).toBe(0);
  // Also when nobody is signed in.
  await press(page, 'Sign out');
  await page.getByLabel('Your mobile').waitFor();
  await leave(25);
  await page.reload();
  await page.getByLabel('Your mobile').waitFor();
  await expect.poll(() => picturesOn(page)).toBe(0);
  expect(window.faults).toEqual([]);
  await window.close();
}, 120_000);

test('what another build has kept is dropped with a line when it is not understood', async () => {
  const { sandbox, page, window } = await atWork('en');
  await sandbox.create();
  await press(page, 'Accept', 'I have arrived');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('driver-seen'))).toContain('SHP-');
  await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1);
  await page.context().setOffline(true);
  const line = page.getByText('cannot read the parcels that this phone kept');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Collect the parcel' }).waitFor();
  expect(await line.count()).toBe(0);
  // A build in which a parcel had no changes.
  await page.evaluate(() =>
    localStorage.setItem(
      'driver-seen',
      (localStorage.getItem('driver-seen') ?? '').replace('"changes"', '"amendments"'),
    ),
  );
  await page.reload();
  await line.waitFor();
  await expectUsable(page);
  await shoot(page, '16-unread');
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Collect the parcel' }).waitFor();
  // An action that waited may be answered before the look.
  await line.waitFor({ state: 'detached' });
  expect(window.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
  await window.close();
}, 120_000);

test('the page starts without a connection, with what the driver has not opened yet, and can be installed', async () => {
  const { sandbox, page, window } = await atWork('ar');
  const { shipmentId } = await sandbox.create({ codAmount: 20, paymentMethod: 'COD' });
  for (const name of ['قبول', 'وصلت', 'استلمت الشحنة']) await page.getByRole('button', { name, exact: true }).click();
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('PICKED_UP');
  const keptCount = () =>
    page.evaluate(async () => {
      const [name = ''] = await caches.keys();
      return name === '' ? 0 : (await (await caches.open(name)).keys()).length;
    });
  await expect.poll(keptCount).toBeGreaterThan(10);
  const manifest: unknown = await page.evaluate(async () => (await fetch('/driver.webmanifest')).json());
  expect(manifest).toMatchObject({ name: 'Mirsal for drivers', start_url: '/driver', display: 'standalone' });
  expect(await page.evaluate(async () => (await fetch('/driver-icon.svg')).headers.get('content-type'))).toBe(
    'image/svg+xml',
  );
  await page.context().setOffline(true);
  await page.reload();
  // The parcel in hand is there, and the work goes on.
  await page.getByRole('heading', { level: 1, name: 'الشحنة معك' }).waitFor();
  await tap(page, 'بدء التوصيل');
  await page.getByText('هناك مشكلة').click();
  await page.getByText('اختر السبب أولًا.').waitFor();
  await page.getByText('إجراءات تنتظر الإرسال: 1').waitFor();
  await page.context().setOffline(false);
  await expect.poll(async () => (await sandbox.read(shipmentId)).state).toBe('OUT_FOR_DELIVERY');
  expect(window.faults.filter((fault) => !CUT.test(fault))).toEqual([]);
  await window.close();
});
