import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { SANDBOX } from '../../scripts/shared/sandbox.ts';
import { focusedLabel, paste } from '../support/fields.ts';
import { openSite } from '../support/open-site.ts';
import { startStreets } from '../support/street-archive.ts';

const streets = await startStreets();
afterAll(() => streets.stop());
const { site, browser } = await openSite('deno', streets.variables);

const FILLED = '/shipments/new?from=sandbox';

describe('the form for a shipment', () => {
  test('shows all errors at their fields at once, and the price', async () => {
    const desk = await newDesk(browser, site);
    const window = await desk.open(FILLED);
    const { page } = window;
    await page.getByText('33.93 SAR').first().waitFor();
    await page.getByLabel('Mobile', { exact: true }).fill('12');
    await page.getByText('Exact place').click();
    await page.getByLabel('Latitude').fill('91');
    await page.getByLabel('Amount to collect').fill('٢٠٫٥');
    await page.getByLabel('Weight per piece, kg').fill('0.0000001');
    await page.getByRole('button', { name: 'Add an item' }).click();
    await page.getByRole('region', { name: 'Item 2' }).getByLabel('Pieces').fill('many');
    await submit(page);
    // Mobile, latitude and weight of the first item; description, pieces and weight of the second.
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(6);
    await expect.poll(() => focusedLabel(page)).toBe('Mobile');
    await page.getByText('Enter a Saudi mobile such as 0501234567.').waitFor();
    await page.getByText('This number is not in the allowed range: at least -90 and at most 90.').first().waitFor();
    await page.getByRole('region', { name: 'Item 2' }).getByText('This field is required.').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove: Item 2' }).click();
    await page.getByLabel('Mobile', { exact: true }).fill('٠٥٠١٢٣٤٥٦٧');
    await page.getByLabel('Latitude').fill('https://maps.app.goo.gl/abc');
    await page.getByText('Open it, and copy the long address.').waitFor();
    await page.getByLabel('Longitude').fill('');
    await paste(page.getByLabel('Latitude'), 'https://maps.google.com/?q=24.794722,46.626111');
    await expect.poll(() => page.getByLabel('Latitude').inputValue()).toBe('24.794722');
    expect(await page.getByLabel('Longitude').inputValue()).toBe('46.626111');
    await page.getByLabel('Weight per piece, kg').fill('0.25');
    await submit(page);
    await page.getByText('20.50 SAR · Cash on delivery').waitFor();
    expect(unexpected(window, 422)).toEqual([]);
    await window.close();
  });

  test('is kept when it is left, takes a city by its name, and is forgotten at sign-out', async () => {
    const desk = await newDesk(browser, site);
    const window = await desk.open('/shipments/new');
    const { page } = window;
    const city = page.getByLabel('City');
    await page.getByLabel('Your reference').fill('UNFINISHED-1');
    await page.getByText('Exact place').click();
    await city.fill('riyadh');
    const needs = page.getByRole('group', { name: 'Requirements (optional)' });
    await needs.getByRole('checkbox').first().press('Space');
    await page.getByRole('link', { name: 'All shipments' }).press('Enter');
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    await page.goto(`${site.address}/console/shipments/new?lang=ar`);
    await page.getByText('تركت هذا النموذج دون إكمال').waitFor();
    expect(await page.getByLabel('رقمك المرجعي').inputValue()).toBe('UNFINISHED-1');
    await expect.poll(() => page.getByLabel('المدينة').inputValue()).toBe('الرياض');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'أنشئ الشحنة' }).press('Enter');
    await page.getByText('هذا الحقل مطلوب.').first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'ابدأ من جديد' }).press('Enter');
    await expect.poll(() => page.getByLabel('رقمك المرجعي').inputValue()).toBe('');
    expect(await page.getByLabel('المدينة').inputValue()).toBe('');
    await page.getByLabel('رقمك المرجعي').fill('UNFINISHED-2');
    await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('UNFINISHED-2');
    await page.getByRole('button', { name: 'تسجيل الخروج' }).press('Enter');
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('UNFINISHED');
    expect(unexpected(window, 422)).toEqual([]);
    await window.close();
  });

  test('is filled from a street, a short code, a map link or a position, and has a note for the driver', async () => {
    const desk = await newDesk(browser, site);
    const window = await desk.open('/shipments/new?lang=ar');
    const { page } = window;
    const address = page.getByLabel('العنوان', { exact: true });
    const latitude = page.getByLabel('خط العرض');
    await page.getByLabel('رقمك المرجعي').fill('BOX-1');
    await page.getByLabel('الفرع').selectOption('SANDBOX_BRANCH');
    await page.getByLabel('الجوال', { exact: true }).fill('٠٥٠١٢٣٤٥٦٧');
    await page.getByLabel('الاسم', { exact: true }).fill('نورة');
    await address.fill('شارع العليا');
    await page.getByRole('button', { name: /شارع العليا/ }).waitFor();
    expect(await latitude.isVisible()).toBe(false);
    // The registry does not know it, and what it does not know is set by hand.
    await address.fill('ZZZZ ٩٩٩٩');
    await page.getByText('لا يعرف السجل الوطني هذا الرمز المختصر.').waitFor();
    await latitude.waitFor();
    await address.fill('https://maps.app.goo.gl/abc');
    await page.getByText('افتحه وانسخ العنوان الطويل.').waitFor();
    await paste(address, 'https://maps.google.com/?q=24.794722,46.626111');
    await expect.poll(() => latitude.inputValue()).toBe('24.794722');
    await address.fill('\u200frrrd-٢٩٢٩');
    await page.getByRole('button', { name: /2929 شارع العليا/ }).click();
    await expect.poll(() => address.inputValue()).toBe('2929 شارع العليا، حي الصحافة');
    expect(await latitude.inputValue()).toBe('24.7743');
    expect(await page.getByLabel('الرمز المختصر (اختياري)').inputValue()).toBe('RRRD2929');
    await address.fill('طريق الملك فهد');
    await page.getByRole('button', { name: /حي العليا.*الرياض/ }).click();
    await expect.poll(() => latitude.inputValue()).toBe('24.6905');
    expect(await page.getByLabel('المدينة').inputValue()).toBe('الرياض');
    expect(await page.getByLabel('الرمز المختصر (اختياري)').inputValue()).toBe('');
    // Another address is at another place.
    await address.fill('شارع الأمير');
    await expect.poll(() => latitude.inputValue()).toBe('');
    await address.fill('');
    await address.pressSequentially('24.79, 46.62', { delay: 20 });
    await expect.poll(() => page.getByLabel('خط الطول').inputValue()).toBe('46.62');
    await expect.poll(() => address.inputValue()).toBe('');
    await address.fill('شارع العليا ٢٩٢٩');
    await page.getByRole('button', { name: /شارع العليا/ }).click();
    const note = page.getByLabel('ملاحظة للسائق (اختياري)');
    await note.fill('ن'.repeat(281));
    await page.getByText('الملاحظة طويلة.').waitFor();
    await note.fill('البوابة الثانية');
    await page.reload();
    await expect.poll(() => note.inputValue()).toBe('البوابة الثانية');
    expect(await page.getByLabel('الرمز المختصر (اختياري)').inputValue()).toBe('RRRD2929');
    await page.getByLabel('الوصف').fill('قهوة');
    await page.getByLabel('وزن القطعة، كجم').fill('٠٫٥');
    await page.getByLabel('القيمة المصرّح بها').fill('185');
    await page.getByLabel('المبلغ المطلوب تحصيله').fill('20');
    await page.getByText('طريقة الدفع: الدفع عند الاستلام').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // Once, the note does not reach the service.
    await page.route('**/shipmentAmendments.create*', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'أنشئ الشحنة' }).click();
    await page.getByText('لكن ملاحظتك للسائق لم تُحفظ').waitFor();
    await page.getByRole('button', { name: 'أعد المحاولة' }).click();
    await page.waitForURL(/shipments\/[0-9a-f-]{36}/);
    const shipmentId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const kept = await desk.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/amendments`);
    expect(await kept.json()).toMatchObject({ data: [{ change: { instructions: 'البوابة الثانية' } }] });
    expect(unexpected(window, 404).filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
    await window.close();
  });

  test('keeps everything typed when the session ends, and the price that it locked', async () => {
    const desk = await newDesk(browser, site);
    const window = await desk.open(FILLED);
    const { page } = window;
    await page.getByText('33.93 SAR').first().waitFor();
    expect(await page.getByRole('timer').innerText()).toMatch(/^(?:30:00|29:\d\d)$/);
    const heldAgain = page.waitForResponse((response) => response.url().includes('priceLocks.create'));
    await page.getByRole('button', { name: 'Lock again' }).click();
    expect((await heldAgain).status()).toBe(200);
    await page.getByLabel('Your reference').fill('AFTER-LUNCH-1');
    await desk.endSessions();
    await submit(page);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    expect(await dialog.getByLabel('E-mail address or mobile').inputValue()).toBe(desk.person.email);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await dialog.getByRole('button', { name: /^\d{6}$/ }).click();
    await page.getByText('The shipment is created.').waitFor();
    await page.getByText('AFTER-LUNCH-1').first().waitFor();
    const shipmentId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const charges = await desk.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/charges`);
    expect(await charges.json()).toMatchObject({ totalAmount: 33.93, priceLock: { lockId: expect.any(String) } });
    await page.getByText('Streets: © OpenStreetMap contributors (ODbL)').waitFor();
    await page.locator('.route .streets .major').waitFor({ state: 'attached' });
    await page.getByText(/Price locked from .+ until /).waitFor();
    expect(unexpected(window, 401)).toEqual([]);
    await window.close();
  });

  test('retries with the same key after a provider failure, and sends another order with a new key', async () => {
    const desk = await newDesk(browser, site);
    const window = await desk.open(FILLED);
    const { page } = window;
    const keys: string[] = [];
    page.on('request', (request) => {
      const key = /"idempotencyKey":"([^"]+)"/.exec(request.postData() ?? '')?.[1];
      if (key !== undefined) keys.push(key);
    });
    await page.getByText('33.93 SAR').first().waitFor();
    await desk.sandbox.send('POST', `${SANDBOX}/faults`, { target: 'ROUTING', count: 1 });
    await submit(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The shipment is created.').waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);

    const reference = await page.locator('header.state .reference').innerText();
    await page.goto(`${site.address}/console${FILLED}`);
    await page.getByLabel('Your reference').fill(reference);
    await submit(page);
    await page.getByText('A shipment with this reference exists already').waitFor();
    expect(keys[2]).not.toBe(keys[0]);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: /^SHP-/ }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.getByText(reference).first().isVisible()).toBe(true);
    expect(unexpected(window, 503, 409)).toEqual([]);
    await window.close();
  });
});

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create the shipment' }).click();
}
