import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addOperator, addPerson, addSession, codesTo, newContacts, signIn } from '../../scripts/shared/people.ts';
import { openSite } from '../support/open-site.ts';

const { site, browser } = await openSite('deno');

async function openAs(value: string, path: string) {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Riyadh' });
  const url = site.address.replace('http:', 'https:');
  const cookie = { name: '__Host-session', value, url, httpOnly: true, secure: true, sameSite: 'Lax' } as const;
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(`${site.address}${path}`);
  return page;
}

test('a person whose sign-in is an hour old signs in again and replaces the mobile', async () => {
  const person = await addPerson(site, await addCompany(site));
  const value = await addSession(site, person);
  await site.sql('directory', 'update sessions set created_at = created_at - 3600000000 where person_id = ?', [
    person.personId,
  ]);
  const page = await openAs(value, '/console?lang=en');
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

test('an operator begins a recovery, its person sees it and stops it, and a used link says so in Arabic', async () => {
  const [person, fresh] = [await addPerson(site, await addCompany(site)), newContacts()];
  const operator = await addSession(site, await addOperator(site), { assurance: 'AAL2' });
  const desk = await openAs(operator, '/operations/identifiers?lang=en');
  await desk.getByLabel('E-mail address or mobile of the account').fill(person.mobile);
  await desk.getByRole('button', { name: 'Find the person' }).click();
  await desk.getByRole('button', { name: 'Recover this account' }).click();
  await desk.getByLabel('New e-mail address').fill(fresh.email);
  await desk.getByLabel('New mobile').fill(fresh.mobile);
  await desk.getByLabel('How you know').fill('Called from the number in the register');
  await desk.getByRole('button', { name: 'Begin', exact: true }).click();
  await desk.getByRole('heading', { name: 'Recoveries that wait' }).waitFor();
  expect(await findBarriers(desk)).toEqual([]);
  const own = await openAs(await addSession(site, person), '/console/account?lang=en');
  await own.getByRole('alert').getByText('An operator replaces your e-mail address').waitFor();
  expect(await findBarriers(own)).toEqual([]);
  await own.getByRole('button', { name: 'Stop it' }).click();
  await own.getByRole('alert').waitFor({ state: 'hidden' });
  expect(await site.sql('directory', 'select id from recoveries where person_id = ?', [person.personId])).toEqual([]);
  await own.goto(`${site.address}/console/stop-recovery?lang=ar#used`);
  await own.getByRole('button', { name: 'أوقفه' }).click();
  await own.getByRole('status').getByText('سبق إيقافه أو تنفيذه').waitFor();
  expect(await findBarriers(own)).toEqual([]);
});
