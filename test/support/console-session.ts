import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openWindow, type Window } from './browser.ts';
import type { Environment, OwnEnvironment, TestCompany } from './connection.ts';
import { addPerson, addSession, type SessionOptions, type TestPerson } from './people.ts';

/** Where a site is by its own name: a cookie's Origin has to match it. */
function originOf(site: Pick<OwnEnvironment, 'variables'>): string {
  return site.variables['BASE_URL'] ?? '';
}

/** A person of a company who is signed in: what a browser's window needs to be his. */
export interface SignedIn {
  readonly person: TestPerson;
  readonly storageState: NonNullable<Exclude<BrowserContextOptions['storageState'], string>>;
}

export async function signedIn(
  environment: Environment,
  company: Pick<TestCompany, 'companyId'>,
  options: SessionOptions = {},
): Promise<SignedIn> {
  const person = await addPerson(environment, company);
  const value = await addSession(environment, person, options);
  const cookie = { name: '__Host-session', value, domain: 'localhost', path: '/', expires: -1 };
  const cookies = [{ ...cookie, httpOnly: true, secure: true, sameSite: 'Lax' as const }];
  return { person, storageState: { cookies, origins: [] } };
}

/** The console at `path`, in front of somebody who is signed in. */
export function openConsole(
  browser: Browser,
  site: OwnEnvironment,
  { path, ...options }: { readonly path: string } & BrowserContextOptions,
): Promise<Window> {
  return openWindow(browser, `${originOf(site)}/console${path}`, options);
}
