import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openWindow, type Window } from './browser.ts';
import type { Environment, TestCompany } from './connection.ts';
import { addOperator, addPerson, addSession, type SessionOptions, type TestPerson } from './people.ts';
import { newSandbox, type Sandbox } from './sandbox.ts';

/** A signed-in person of a company, with everything that a browser page needs. */
export interface SignedIn {
  readonly person: TestPerson;
  readonly storageState: NonNullable<Exclude<BrowserContextOptions['storageState'], string>>;
}

export async function signedIn(
  site: Environment,
  company: Pick<TestCompany, 'companyId'>,
  { role, ...options }: SessionOptions & { readonly role?: 'OWNER' | 'MEMBER' } = {},
): Promise<SignedIn> {
  return withCookie(site, await addPerson(site, company, role), options);
}

/** A signed-in operator whose second factor was proved just now. */
export async function signedInOperator(site: Environment): Promise<SignedIn> {
  return withCookie(site, await addOperator(site), { assurance: 'AAL2' });
}

async function withCookie(site: Environment, person: TestPerson, options: SessionOptions): Promise<SignedIn> {
  const value = await addSession(site, person, options);
  const cookie = { name: '__Host-session', value, domain: new URL(site.address).hostname, path: '/', expires: -1 };
  const cookies = [{ ...cookie, httpOnly: true, secure: true, sameSite: 'Lax' as const }];
  return { person, storageState: { cookies, origins: [] } };
}

/** Opens the console at `path` for a signed-in person. */
export function openConsole(
  browser: Browser,
  site: Environment,
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
): Promise<Window> {
  return openWindow(browser, `${site.address}/console${path}`, options);
}

/** A company's sandbox and a signed-in person. */
export interface Desk {
  readonly sandbox: Sandbox;
  readonly person: TestPerson;
  /** Opens the console at a path below `/console`. */
  open(path: string, options?: BrowserContextOptions): Promise<Window>;
  /** Ends the person's sessions, as if they had expired. */
  endSessions(): Promise<void>;
}

/** A new company with a sandbox and a signed-in owner. */
export async function newDesk(browser: Browser, site: Environment): Promise<Desk> {
  const sandbox = await newSandbox(site);
  const { person, storageState } = await signedIn(site, sandbox.company);
  return {
    sandbox,
    person,
    open: (path, options) => openConsole(browser, site, { path, ...options, storageState }),
    async endSessions() {
      await site.sql('directory', 'delete from sessions where person_id = ?', [person.personId]);
    },
  };
}

/** Faults without the messages of the browser about an answer that the test expects. */
export function unexpected({ faults }: Window, ...statuses: readonly number[]): string[] {
  return faults.filter((fault) => !statuses.some((status) => fault.includes(`status of ${status}`)));
}
