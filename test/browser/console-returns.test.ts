import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { newDesk, unexpected } from '../../scripts/shared/console.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { recipientOf } from '../../scripts/shared/recipients.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');
const shots = process.env['SHOTS'];
const desk = await newDesk(browser, site);
const driver = await desk.sandbox.signIn();

const items = [
  { description: 'قهوة مختصة', quantity: 3, weightKilograms: 0.25 },
  { description: 'كوب', quantity: 1, weightKilograms: 0.5 },
];
let count = 0;

/** A delivered shipment whose recipient can ask for a return. */
async function delivered() {
  count += 1;
  const phone = `+9665${String(Date.now()).slice(-6)}${String(count).padStart(2, '0')}`;
  const { shipmentId, externalReference } = await desk.sandbox.create({ items, recipient: { name: 'Huda', phone } });
  await desk.sandbox.untilState(shipmentId, 'OFFERED');
  const recipient = await recipientOf(site, desk.sandbox.merchant, { shipmentId, phone, permissions: ['RETURN'] });
  for (const action of ['ACCEPT', 'PICK_UP', 'DEPART', 'DELIVER'])
    expect((await driver.act(shipmentId, { action })).status).toBe(200);
  return { shipmentId, externalReference, recipient };
}

async function openedAt(path: string) {
  const window = await desk.open(path);
  const { page } = window;
  const look = async (name: string) => {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      if (shots !== undefined) await page.screenshot({ path: `${shots}/console-returns-${name}-${width}.png` });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await findBarriers(page)).toEqual([]);
    }
  };
  return { window, page, look };
}

function sectionOf(page: Page, selector: string, heading: string) {
  return page.locator(selector, { has: page.locator('h2', { hasText: new RegExp(`^${heading}$`) }) });
}

test('a clerk creates the return that the recipient asks for, for the price on the button', async () => {
  const { shipmentId, externalReference, recipient } = await delivered();
  const wish = {
    reasonCode: 'DAMAGED',
    partOfDay: 'EVENING',
    comment: 'وصل مكسورًا',
    items: [{ index: 0, quantity: 2 }],
  };
  expect((await recipient.askReturn(wish)).status).toBe(201);
  const { page, look, window } = await openedAt(`/shipments/${shipmentId}?lang=ar`);
  const section = sectionOf(page, 'section.notice', 'المرتجعات');
  await section.getByText('وصل مكسورًا').waitFor();
  expect(await section.innerText()).toMatch(/2 ×.*قهوة مختصة/);
  await section.getByText('تالف · بعد الخامسة مساءً').waitFor();
  await section.getByText('الأيام المتبقية: 6').waitFor();
  await page.getByRole('heading', { name: 'الشكاوى' }).waitFor();
  await look('1-asked');
  await section.getByRole('button', { name: 'أنشئ هذا الإرجاع' }).click();
  const dialog = page.getByRole('dialog', { name: 'إرجاع أصناف' });
  const make = dialog.getByRole('button', { name: /أنشئ الإرجاع مقابل/ });
  await make.waitFor();
  const price = /[\d.]+ SAR/.exec(await make.innerText())?.[0] ?? '';
  const field = (label: string) => dialog.getByLabel(label);
  expect(await field('قهوة مختصة').inputValue()).toBe('2');
  expect(await field('كوب').inputValue()).toBe('0');
  expect(await field('السبب').inputValue()).toBe('DAMAGED');
  expect(await field('رقمك المرجعي').inputValue()).toBe(`${externalReference}-R1`);
  expect(await field('إلى أين تُرجَع؟').inputValue()).toBe('SANDBOX_PICKUP');
  expect(await field('الاستلام من').inputValue()).toMatch(/T17:00$/);
  await look('2-form');
  await make.scrollIntoViewIfNeeded();
  await look('2-price');
  await field('قهوة مختصة').fill('٢');
  await make.click();
  await page.getByText('أُنشئ الإرجاع.').waitFor();
  const made = sectionOf(page, 'section.part', 'المرتجعات');
  await made.getByText('طلب المستلم الإرجاع، وأنشأته أنت.').waitFor();
  await look('3-made');
  await made.getByRole('link', { name: 'الإرجاع 1' }).click();
  await page.getByText(`${externalReference}-R1`).first().waitFor();
  expect(await page.locator('.sums').innerText()).toContain(price);
  expect(unexpected(window)).toEqual([]);
  await window.close();
});

test('a clerk declines a return after a second thought, and creates another without a request', async () => {
  const { shipmentId, recipient } = await delivered();
  const taken = await delivered();
  expect((await recipient.askReturn({ reasonCode: 'OTHER', partOfDay: 'MORNING' })).status).toBe(201);
  const { page, look, window } = await openedAt(`/shipments/${shipmentId}?lang=en`);
  const section = sectionOf(page, 'section', 'Returns');
  await section.getByRole('button', { name: 'Decline' }).click();
  const question = page.getByRole('dialog', { name: 'Decline this return?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await section.getByRole('button', { name: 'Decline' }).click();
  await question.getByRole('button', { name: 'Decline' }).click();
  await section.getByText('The recipient asked for a return, and you declined.').waitFor();
  expect(await (await recipient.read()).json()).toMatchObject({ returnRequest: { state: 'REJECTED' } });

  await section.getByRole('button', { name: 'Return items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Return items' });
  const make = dialog.getByRole('button', { name: /^Create the return for/ });
  await make.waitFor();
  const [coffee, cup, reference] = ['قهوة مختصة', 'كوب', 'Your reference'].map((label) => dialog.getByLabel(label));
  if (coffee === undefined || cup === undefined || reference === undefined) throw new Error('No fields');
  expect([await coffee.inputValue(), await cup.inputValue()]).toEqual(['3', '1']);
  await coffee.fill('0');
  await cup.fill('0');
  await make.click();
  await expect.poll(() => coffee.getAttribute('aria-invalid')).toBe('true');
  await coffee.fill('4');
  await cup.fill('one');
  await make.click();
  await expect.poll(() => cup.getAttribute('aria-invalid')).toBe('true');
  await look('4-no-quantity');
  await cup.fill('0');
  await make.click();
  await dialog.getByText('This is more than can be returned.').waitFor();
  await dialog.getByText('Fewer items can be returned now').waitFor();
  await look('5-too-many');
  await coffee.fill('1');
  await reference.fill(taken.externalReference);
  await make.click();
  await dialog.getByRole('link', { name: /^SHP-/ }).waitFor();
  expect(await reference.getAttribute('aria-invalid')).toBe('true');
  await reference.fill(`${taken.externalReference}-back`);
  await make.click();
  await section.getByRole('link', { name: 'Return 1' }).waitFor();
  const relations: unknown = await (await desk.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/relations`)).json();
  expect(relations).toMatchObject({ returnable: [{ quantity: 2 }, { quantity: 1 }], followUps: [{ kind: 'RETURN' }] });
  expect(unexpected(window, 409, 422)).toEqual([]);
  await window.close();
});

test('a link of the console can let the recipient ask for returns', async () => {
  const { shipmentId } = await desk.sandbox.create();
  const { page, window } = await openedAt(`/shipments/${shipmentId}?lang=en`);
  await page.getByRole('button', { name: 'New tracking link' }).click();
  const dialog = page.getByRole('dialog', { name: 'New tracking link' });
  await dialog.getByLabel(/may ask you to take something back/).check();
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await dialog.getByRole('button', { name: 'Done' }).waitFor();
  const links: unknown = await (await desk.sandbox.merchant.get(`${SHIPMENTS}/${shipmentId}/tracking-links`)).json();
  expect(links).toMatchObject({ data: [{ permissions: ['RETURN'] }] });
  expect(unexpected(window)).toEqual([]);
  await window.close();
});
