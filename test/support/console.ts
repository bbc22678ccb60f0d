import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openWindow, type Window } from './browser.ts';
import type { Environment } from './connection.ts';
import { addPerson, addSession, type TestPerson } from './people.ts';
import { newSandbox, type Sandbox } from './sandbox.ts';

/** A company's sandbox with somebody who looks at it. */
export interface Desk {
  readonly sandbox: Sandbox;
  readonly person: TestPerson;
  /** Opens the console at a path behind `/console`, signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Window>;
  /** Ends the person's sessions, as time would. */
  endSessions(): Promise<void>;
}

/** A new company, its sandbox set up and its owner signed in. */
export async function newDesk(browser: Browser, site: Environment): Promise<Desk> {
  const sandbox = await newSandbox(site);
  const person = await addPerson(site, sandbox.company);
  return {
    sandbox,
    person,
    async open(path, options) {
      const storageState = { cookies: [await sessionCookieOf(site, person)], origins: [] };
      return openWindow(browser, `${site.address}/console${path}`, { ...options, storageState });
    },
    async endSessions() {
      await site.sql('directory', 'delete from sessions where person_id = ?', [person.personId]);
    },
  };
}

async function sessionCookieOf(site: Environment, person: TestPerson) {
  return {
    name: '__Host-session',
    value: await addSession(site, person),
    domain: new URL(site.address).hostname,
    ...{ path: '/', expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' as const },
  };
}

/** Faults but for what the browser tells of an answer that the test was after. */
export function unexpected({ faults }: Window, ...statuses: readonly number[]): string[] {
  return faults.filter((fault) => !statuses.some((status) => fault.includes(`status of ${status}`)));
}

/** The field that has the focus, by its label. */
export function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement instanceof HTMLInputElement ? (activeElement.labels?.[0]?.textContent ?? null) : null;
  });
}
