import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../../scripts/shared/browser.ts';
import { openConsole, signedIn, unexpected } from '../../scripts/shared/console.ts';
import { addPerson, addSession, codesTo, newContacts } from '../../scripts/shared/people.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import { openSite } from '../support/open-site.ts';
import { problemOfCall, trpcClient } from '../support/trpc.ts';

const { site, browser } = await openSite('deno');

/** Refusals that the pages ask for. */
const REFUSALS = [401, 403, 409] as const;

/** A company with one owner who proved the second factor, and their page. */
async function newOwnersPage(path: string) {
  const { company } = await newSandbox(site);
  const owner = await signedIn(site, company, { assurance: 'AAL2' });
  const window = await openConsole(browser, site, { path, storageState: owner.storageState });
  const call = trpcClient(site, owner.storageState.cookies[0]?.value ?? '');
  return { company, owner, window, page: window.page, call };
}

/** Confirms a dialog's question. */
async function confirm(page: Page, question: string, verb: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: verb, exact: true }).click();
}

test('an owner invites a member, who accepts, works, is promoted, and is removed at work', async () => {
  const { window, page, owner } = await newOwnersPage('/people?lang=en');
  await page.getByRole('row', { name: 'Noura Al-Qahtani' }).getByText('Now, from').waitFor();
  await page.getByRole('link', { name: 'Invite a person' }).click();
  const { email, mobile } = newContacts();
  await page.getByLabel('Name').fill('سعد الدوسري');
  await page.getByLabel('E-mail address').fill('no address');
  // Arabic digits, with the mark that a chat puts before a pasted number.
  const arabic = `0${mobile.slice(4)}`.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
  await page.getByLabel('Mobile').fill(`\u200F${arabic}`);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByLabel('E-mail address').and(page.locator('[aria-invalid="true"]')).waitFor();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  const row = page.getByRole('row', { name: 'سعد الدوسري' });
  await row.getByText('Invited').waitFor();
  await row.getByRole('link', { name: 'سعد الدوسري' }).click();
  await page.getByRole('button', { name: 'Send the invitation again' }).click();
  await page.getByText('The invitation is sent.').first().waitFor();
  const personId = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  // The member, with the code that a local service shows.
  const guest = await openConsole(browser, site, { path: `/accept/${personId}?lang=en` });
  await guest.page.getByRole('button', { name: 'Send the code' }).click();
  await guest.page.getByText('We sent a code to the e-mail address that was invited').waitFor();
  const known = guest.page.getByText('The inbox on this machine has the code').getByRole('button');
  expect(await known.innerText()).toBe((await codesTo(site, email))[0]);
  await known.click();
  await guest.page.getByRole('link', { name: 'People' }).click();
  await guest.page.getByText('Only an owner of the company can see and change who can sign in.').waitFor();
  expect(await guest.page.getByRole('link', { name: 'Invite a person' }).count()).toBe(0);
  await guest.page.goto(`${site.address}/console/people/${owner.person.personId}?lang=en`);
  await guest.page.getByText('Only an owner of the company').waitFor();
  expect(await guest.page.getByRole('button', { name: 'Remove' }).count()).toBe(0);

  // Promoted while at work, and a member again while the owners' page is open.
  await page.reload();
  const sessions = page.getByRole('table', { name: 'Signed in now' });
  await sessions.getByText('e-mail').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make an owner' }).click();
  await confirm(page, 'Make this person an owner?', 'Make an owner');
  await page.getByRole('button', { name: 'Make a member' }).waitFor();
  await guest.page.goto(`${site.address}/console/people/${owner.person.personId}?lang=en`);
  await guest.page.getByRole('button', { name: 'Remove' }).waitFor();
  await page.getByRole('button', { name: 'Make a member' }).click();
  await confirm(page, 'Make this owner a member?', 'Make a member');
  await page.getByRole('button', { name: 'Make an owner' }).waitFor();
  await guest.page.getByRole('button', { name: 'Remove' }).click();
  await confirm(guest.page, 'Remove this person?', 'Remove');
  await guest.page.getByText('You are not an owner of the company any more.').waitFor();
  expect(await findBarriers(guest.page)).toEqual([]);
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  // Another session of theirs, which nobody knows, is ended. The one at work goes on.
  const unknown = trpcClient(site, await addSession(site, { personId }));
  await page.reload();
  await expect.poll(() => sessions.getByRole('button', { name: /^End: / }).count()).toBe(2);
  await sessions
    .getByRole('button', { name: /^End: / })
    .first()
    .click();
  expect(await findBarriers(page)).toEqual([]);
  await confirm(page, 'End this session?', 'End');
  await page.getByText('The session is ended.').first().waitFor();
  await expect.poll(() => sessions.getByRole('button', { name: /^End: / }).count()).toBe(1);
  expect(await problemOfCall(unknown.shipments.list.query({}))).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' });
  await guest.page.reload();
  await guest.page.getByRole('button', { name: 'Sign out' }).waitFor();

  // Removed while at work.
  await page.getByRole('button', { name: 'Remove' }).click();
  await confirm(page, 'Remove this person?', 'Remove');
  await page.getByText('They had set up nothing that keeps working.').waitFor();
  await guest.page.getByRole('link', { name: 'Shipments', exact: true }).click();
  await guest.page.getByText('Your session has ended. Sign in to continue.').waitFor();
  await page.getByRole('link', { name: 'People' }).first().click();
  await expect.poll(() => page.getByRole('row', { name: 'سعد الدوسري' }).count()).toBe(0);
  expect([unexpected(window, ...REFUSALS, 422), unexpected(guest, ...REFUSALS)]).toEqual([[], []]);
  await Promise.all([window.close(), guest.close()]);
});

test('the last owner stays, also if the other one leaves while the question is open', async () => {
  const { company, owner, window, page, call } = await newOwnersPage('/people?lang=en');
  await page.getByRole('main').getByRole('link', { name: 'Noura Al-Qahtani' }).click();
  await page.getByText('This is the last owner who can sign in').waitFor();
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
  const other = await addPerson(site, company);
  await page.reload();
  for (const [button, question] of [
    ['Remove', 'Remove this person?'],
    ['Make a member', 'Make this owner a member?'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog', { name: question }).getByText('This is you.').waitFor();
    if (button === 'Remove') await call.people.changeRole.mutate({ personId: other.personId, role: 'MEMBER' });
    await confirm(page, question, button);
    await page.getByRole('dialog').getByText('The company needs an owner who can sign in.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }
  expect(await call.people.list.query({})).toContainEqual(
    expect.objectContaining({ personId: owner.person.personId, role: 'OWNER' }),
  );
  expect(unexpected(window, 409)).toEqual([]);
  await window.close();
});

test('a second factor is asked for, and what a removed person had set up is shown with its secrets', async () => {
  const { company } = await newSandbox(site);
  const owner = await signedIn(site, company);
  const leaver = await signedIn(site, company, { assurance: 'AAL2' });
  const theirs = trpcClient(site, leaver.storageState.cookies[0]?.value ?? '');
  await theirs.merchantApiCredential.rotate.mutate({});
  await theirs.branches.create.mutate({ branchCode: 'OLD-1', name: 'Old', cityCode: 'RUH' });
  const window = await openConsole(browser, site, {
    path: `/people/${leaver.person.personId}?lang=ar`,
    storageState: owner.storageState,
    viewport: { width: 390, height: 844 },
  });
  const { page } = window;
  await page.getByRole('button', { name: 'إزالة' }).click();
  expect(await findBarriers(page)).toEqual([]);
  await confirm(page, 'هل تريد إزالة هذا الشخص؟', 'إزالة');
  const dialog = page.getByRole('dialog', { name: 'تأكيد هويتك' });
  await dialog.getByRole('textbox').fill((await untilCode(owner.person.mobile)) ?? '');
  const table = page.getByRole('table', { name: 'ما أعدّه هذا الشخص' });
  await table.getByRole('link', { name: 'تدوير سر بيانات اعتماد API' }).waitFor();
  await table.getByText('OLD-1').waitFor();
  await page.getByText('ما زالت الأسرار التي رآها هذا الشخص صالحة').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(unexpected(window, 403)).toEqual([]);
  await window.close();
});

async function untilCode(recipient: string): Promise<string | undefined> {
  await expect.poll(() => codesTo(site, recipient)).not.toEqual([]);
  return (await codesTo(site, recipient))[0];
}
