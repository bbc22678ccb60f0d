import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import type { OwnEnvironment } from '../../scripts/shared/environment.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { PNG } from './files.ts';

/* What a driver does on a phone. */

const PHONE = { width: 390, height: 844 } as const;
/** What the browser itself logs about a lost connection. */
export const CUT = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
/** The folder for pictures of the page; none are taken without it. */
const SCREENSHOTS = process.env['DRIVER_SCREENSHOTS'];

/** Opens sandboxes of merchants whose driver has room, each with the driver's page. */
export const driversAtWork = (site: OwnEnvironment, browser: Browser) => async (lang: 'ar' | 'en') => {
  const sandbox = await newSandbox(site);
  const { companyId, shard } = sandbox.company;
  await site.sql(shard, 'update drivers set active_max = 12 where company_id = ?', [companyId]);
  const window = await openWindow(browser, `${site.address}/driver?lang=${lang}`, {
    ...{ viewport: PHONE, hasTouch: true, isMobile: true },
  });
  const { page } = window;
  await page.getByLabel(lang === 'ar' ? 'رقم جوالك' : 'Your mobile').fill(sandbox.phone);
  await page.getByRole('button', { name: lang === 'ar' ? 'أرسل رمز التحقق' : 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  await page.getByText(lang === 'ar' ? 'في المناوبة' : 'On duty', { exact: true }).waitFor();
  return { sandbox, page, window };
};

export async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}

/** Taps a button that stands on the first screen, without scrolling. */
export async function tap(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false');
  await expectOnScreen(page, name);
  const box = await button.boundingBox();
  if (box === null) throw new Error(`${name} is not shown`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

export async function expectOnScreen(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const box = await page.getByRole('button', { name, exact: true }).boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(Number(box?.y) + Number(box?.height)).toBeLessThanOrEqual(PHONE.height);
  // Nothing lies over it.
  const covered = await page.getByRole('button', { name, exact: true }).evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(covered).toBe(false);
}

export async function expectUsable(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
}

export async function takePhoto(page: Page, place: '.thumb' | '.trouble'): Promise<void> {
  await page
    .locator(`${place} input[type=file]`)
    .setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: Buffer.from(PNG) });
  await page.locator(`${place} img`).waitFor();
}

export async function sign(page: Page, field: string, name: string): Promise<void> {
  await page.getByLabel(field).fill(name);
  const box = await page.locator('canvas').boundingBox();
  if (box === null) throw new Error('There is no field to sign in');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  for (let step = 1; step < 8; step += 1) await page.mouse.move(box.x + 40 + 25 * step, box.y + 40 + 70 * (step % 2));
  await page.mouse.up();
}

/** How many pictures the phone keeps. */
export function picturesOn(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('driver-proofs', 1);
        opening.onsuccess = () => {
          const counting = opening.result.transaction('media').objectStore('media').count();
          counting.onsuccess = () => resolve(counting.result);
        };
      }),
  );
}
