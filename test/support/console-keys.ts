import type { Browser } from 'playwright-core';
import { openWindow, type Window } from '../../scripts/shared/browser.ts';
import type { Environment } from '../../scripts/shared/connection.ts';
import { addPerson, addSession, codesTo, type TestPerson } from '../../scripts/shared/people.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import { type Keys, keysOn, type Language, type Words } from './keys.ts';
import { trpcClient } from './trpc.ts';

/** An owner who uses the console without a mouse, and the same owner as a program, which sees what was done. */
export interface KeyboardOwner extends Keys {
  readonly window: Window;
  readonly person: TestPerson;
  readonly sandbox: Sandbox;
  readonly call: ReturnType<typeof trpcClient>;
  /** Opens an area from the navigation. */
  open(area: Words): Promise<void>;
  /** Enters the code of the second factor that the page asks for. */
  confirm(): Promise<void>;
}

/** A new company's owner, who signs in with the keyboard. */
export async function keyboardOwner(browser: Browser, site: Environment, language: Language): Promise<KeyboardOwner> {
  const sandbox = await newSandbox(site);
  const person = await addPerson(site, sandbox.company);
  const window = await openWindow(browser, `${site.address}/console?lang=${language}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = window;
  const keys = keysOn(page, language);
  const { word } = keys;
  await keys.type(['E-mail address or mobile', 'البريد الإلكتروني أو رقم الجوال'], person.email);
  await page.keyboard.press('Enter');
  await keys.press('button', /^\d{6}$/);
  await keys.arrive(sandbox.company.name);
  return {
    ...{ ...keys, window, person, sandbox },
    call: trpcClient(site, await addSession(site, person)),
    async open(area) {
      const areas = page.getByRole('navigation', { name: word(['Areas', 'الأقسام']) });
      await keys.press('link', area, areas);
      // The heading has it, the link of an area that is open already, or the row of a list that was opened last.
      await page.waitForFunction((name) => {
        const { activeElement } = document;
        return activeElement?.textContent === name || activeElement?.closest('main') instanceof HTMLElement;
      }, word(area));
      await page.getByRole('heading', { level: 1, name: word(area), exact: true }).waitFor();
    },
    async confirm() {
      const code: Words = ['Six-digit code', 'رمز التحقق (6 أرقام)'];
      await page.getByLabel(word(code)).waitFor();
      await keys.type(code, (await codesTo(site, person.mobile))[0] ?? '');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  };
}
