import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addPerson, addSession, codesTo, newContacts, signIn } from '../../scripts/shared/people.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

test('a person whose sign-in is an hour old signs in again and replaces the mobile', async () => {
  const person = await addPerson(site, await addCompany(site));
  const value = await addSession(site, person);
  await site.sql('directory', 'update sessions set created_at = created_at - 3600000000 where person_id = ?', [
    person.personId,
  ]);
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Riyadh' });
  const url = site.address.replace('http:', 'https:');
  const cookie = { name: '__Host-session', value, url, httpOnly: true, secure: true, sameSite: 'Lax' } as const;
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(`${site.address}/console?lang=en`);
  await page.getByRole('link', { name: 'Noura Al-Qahtani' }).click();
  await page.getByRole('heading', { name: 'Your sign-in' }).waitFor();
  const { mobile } = newContacts();
  await page.getByLabel('New e-mail address or mobile').fill(mobile);
  await page.getByRole('button', { name: 'Send the code' }).click();

  const dialog = page.getByRole('dialog', { name: 'Sign in again, by the address that you keep' });
  await dialog.getByRole('button', { name: 'Send the code' }).click();
  await dialog.getByLabel('Six-digit code').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByLabel('Six-digit code').fill((await codesTo(site, person.email))[0] ?? '');
  await dialog.waitFor({ state: 'hidden' });

  await page.getByLabel('Six-digit code').waitFor();
  await page.getByLabel('Six-digit code').fill((await codesTo(site, mobile))[0] ?? '');
  await page.getByRole('status').getByText('Sign in with the new one from now on').waitFor();
  expect(await signIn(site, mobile)).toMatch(/^ses_/);
});
