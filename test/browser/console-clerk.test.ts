import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { openSite } from '../support/open-site.ts';

/* Small things that a clerk does many times a day. */

const { site, browser } = await openSite('deno');

test('goes back from a shipment to the search that it was found by, also after a reload', async () => {
  const desk = await newDesk(browser, site);
  const { shipmentNumber } = await desk.sandbox.create();
  const window = await desk.open(`/shipments?q=${shipmentNumber}&lang=en`);
  const { page } = window;
  await page.getByRole('link', { name: shipmentNumber }).click();
  await page.getByRole('link', { name: 'Back to the list' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByRole('link', { name: shipmentNumber }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe(shipmentNumber);
  await page.goto(`${site.address}/console/shipments?lang=en`);
  await page.getByRole('link', { name: shipmentNumber }).click();
  await page.getByRole('link', { name: 'All shipments' }).waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('offers no label of a cancelled shipment, neither on its page nor in a selection', async () => {
  const desk = await newDesk(browser, site);
  const [kept, cancelled] = [await desk.sandbox.create(), await desk.sandbox.create()];
  expect((await desk.sandbox.merchant.cancel(cancelled.shipmentId, '*')).status).toBe(200);
  const window = await desk.open(`/shipments/${kept.shipmentId}?lang=en`);
  const { page } = window;
  await page.getByRole('link', { name: 'Print the label' }).waitFor();
  await page.goto(`${site.address}/console/shipments/${cancelled.shipmentId}?lang=en`);
  await page.getByRole('link', { name: 'Create again' }).waitFor();
  expect(await page.getByText(/label/i).count()).toBe(0);
  // The code is there for developers, folded.
  expect(await page.locator('pre').count()).toBe(0);
  await page.getByText('For developers').click();
  await page.locator('pre').first().waitFor();
  await page.goto(`${site.address}/console/shipments?lang=en`);
  await page.getByLabel(`Select ${cancelled.shipmentNumber}`).check();
  await page
    .getByRole('button', { name: 'Labels (PDF)', exact: true })
    .and(page.locator('[aria-disabled="true"]'))
    .waitFor();
  await page.getByLabel(`Select ${kept.shipmentNumber}`).check();
  await page.getByRole('button', { name: 'Labels (PDF) · 1' }).waitFor();
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

/** The most fields and lines that a clerk touches for a shipment. */
const TOUCHES_MAX = 8;

test('a shipment needs eight touches, six for a known recipient, and has a link to copy', async () => {
  const desk = await newDesk(browser, site);
  const window = await desk.open('/shipments/new?lang=ar');
  const { page } = window;
  let touches = 0;
  const type = async (label: string, value: string) => {
    touches += 1;
    await page.getByLabel(label, { exact: true }).fill(value);
  };
  const tap = async (name: RegExp) => {
    touches += 1;
    await page.getByRole('button', { name }).click();
  };
  const submit = async () => {
    await page.getByRole('button', { name: 'أنشئ الشحنة' }).click();
    await page.waitForURL(/shipments\/[0-9a-f-]{36}/);
    await page.getByRole('button', { name: 'نسخ: عنوان الرابط' }).waitFor();
  };
  const begin = async () => {
    touches = 0;
    await page.goto(`${site.address}/console/shipments/new?lang=ar`);
    // A company with one branch has it selected. The sandbox has two.
    await page.getByLabel('الفرع', { exact: true }).selectOption('SANDBOX_BRANCH');
  };
  await begin();
  await type('رقمك المرجعي', 'TOUCH-1');
  await type('الجوال', '٠٠٩٦٦ ٥٠ ١٢٣ ٤٥٦٧');
  await type('الاسم', 'نورة القحطاني');
  await type('العنوان', 'شارع العليا ٢٩٢٩');
  await tap(/شارع العليا/);
  await type('الوصف', 'قهوة');
  await type('وزن القطعة، كجم', '٠٫٥');
  await type('القيمة المصرّح بها', '185');
  // The amount to collect stays 0.
  expect(touches).toBeLessThanOrEqual(TOUCHES_MAX);
  // Once, the link is not made.
  await page.route('**/trackingLinks.create*', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'أنشئ الشحنة' }).click();
  await page.getByText('لكن رابط تتبعها لم يُنشأ').waitFor();
  await page.getByRole('button', { name: 'أعد المحاولة' }).click();
  await page.getByRole('button', { name: 'نسخ: عنوان الرابط' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  // Cash on delivery, with the contents of the time before.
  await begin();
  await type('رقمك المرجعي', 'TOUCH-2');
  await type('الجوال', '0551234567');
  await page.getByLabel('الاسم', { exact: true }).waitFor();
  expect(await page.getByText('سبق أن أرسلت إلى هذا الجوال').count()).toBe(0);
  await type('الاسم', 'ريم');
  await type('العنوان', 'شارع العليا ٢٩٢٩');
  await tap(/شارع العليا/);
  await tap(/كالمرة السابقة: .*قهوة/);
  expect(await page.evaluate(() => document.activeElement?.matches('input'))).toBe(true);
  expect(await page.locator(':focus').inputValue()).toBe('قهوة');
  await type('القيمة المصرّح بها', '90');
  await type('المبلغ المطلوب تحصيله', '90');
  expect(touches).toBeLessThanOrEqual(TOUCHES_MAX);
  await submit();
  // Later it is in the list of links only, where it may be revoked.
  const lead = page.getByText('أرسله إلى عميلك ليعرف أين شحنته');
  expect(await lead.count()).toBe(1);
  await page.getByRole('link', { name: 'كل الشحنات' }).click();
  await page.getByRole('link', { name: /^SHP-/ }).first().waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'المسار' }).waitFor();
  expect(await lead.count()).toBe(0);

  await begin();
  await type('رقمك المرجعي', 'TOUCH-3');
  await type('الجوال', '٠٥٠١٢٣٤٥٦٧');
  await page.getByText('سبق أن أرسلت إلى هذا الجوال').waitFor();
  expect(await page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('');
  expect(await findBarriers(page)).toEqual([]);
  await tap(/نورة القحطاني/);
  await expect.poll(() => page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('نورة القحطاني');
  // A wrong tap is taken back where it was made, with what was typed before.
  const undo = page.getByRole('button', { name: 'تراجع: نورة القحطاني' });
  expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true);
  await undo.press('Enter');
  await expect.poll(() => page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByLabel('الاسم', { exact: true }).inputValue()).toBe('نورة القحطاني');
  await tap(/كالمرة السابقة/);
  await type('القيمة المصرّح بها', '185');
  expect(touches).toBeLessThanOrEqual(6);
  // Another address is at another place, also after one that was known.
  await page.getByText('المكان الدقيق').click();
  const latitude = page.getByLabel('خط العرض');
  expect(await latitude.inputValue()).not.toBe('');
  await page.getByLabel('العنوان', { exact: true }).fill('طريق آخر');
  await expect.poll(() => latitude.inputValue()).toBe('');
  // A place that was set by hand stays when the address is corrected.
  await tap(/نورة القحطاني/);
  await page.getByText('المكان الدقيق').click();
  await latitude.fill('٢٤٫٧٥');
  await page.getByLabel('العنوان', { exact: true }).fill('طريق آخر');
  expect(await latitude.inputValue()).toBe('٢٤٫٧٥');
  expect(unexpected(window).filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  await window.close();
});

test('links of lists can be hit with a finger', async () => {
  const desk = await newDesk(browser, site);
  const { shipmentId } = await desk.sandbox.create();
  const window = await desk.open('/shipments?lang=ar', { viewport: { width: 390, height: 844 } });
  const { page } = window;
  const heights = (links: string) =>
    page.locator(links).evaluateAll((found) => found.map((link) => link.getBoundingClientRect().height));
  for (const [path, alone] of [
    ['/shipments', '.rows tbody th a'],
    [`/shipments/${shipmentId}`, '.overline a'],
    ['/people', '.listing td:first-child a'],
    ['/places', '.listing td:first-child a'],
    ['/places/SANDBOX_BRANCH', '.up a'],
  ] as const) {
    await page.goto(`${site.address}/console${path}?lang=ar`);
    await page.locator(alone).first().waitFor();
    const [large, all] = [await heights(`${alone}, .areas a`), await heights('main :is(table, ul, ol, .facts) a')];
    expect.soft(Math.min(...large), path).toBeGreaterThanOrEqual(44);
    expect.soft(Math.min(44, ...all), path).toBeGreaterThanOrEqual(24);
  }
  // The button of a headline stands off what follows.
  await page.goto(`${site.address}/console?lang=ar`);
  const distance = async () => {
    const [button, after] = [page.locator('.headline .button'), page.locator('main .headline + *')];
    const [above, below] = [await button.boundingBox(), await after.boundingBox()];
    // What follows is replaced when the page has its data.
    return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
  };
  await expect.poll(distance).toBeGreaterThanOrEqual(8);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
