import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findBarriers, openWindow } from '../../scripts/shared/browser.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'owner@najd-coffee.example' }).click();
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('button', { name: /^\d{6}$/ }).click();
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
}

describe('the console', () => {
  test('signs a person in with the code from the local inbox, and out again', async () => {
    const { page, faults, close } = await openWindow(browser, `${site.address}/console`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await signIn(page);
    await page.getByRole('heading', { name: 'Najd Coffee Roasters' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser logs the 401 before the sign-in.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  });
});
