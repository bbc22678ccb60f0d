import { scriptOf } from '../../page-script.ts';

/** The page needs code that a newer version of the service no longer has. */
export class PageOutdated extends Error {
  constructor() {
    super('a newer version of the page is deployed');
    this.name = 'PageOutdated';
  }
}

const TIMEOUT_MS = 10_000;

/**
 * Loads a part of the page's code.
 * @throws {PageOutdated} if it cannot be loaded, and the service has a newer version of the page.
 */
export async function loadCode<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await isOutdated()) throw new PageOutdated();
    throw error;
  }
}

/** Whether the page at this address has another script by now. False if the service does not answer. */
async function isOutdated(): Promise<boolean> {
  try {
    const answer = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const next = scriptOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    return next !== undefined && next !== scriptOf(document);
  } catch {
    return false;
  }
}

const LOADED = 'mirsal-loaded-anew';
const ONCE_MS = 60_000;

/**
 * Loads the page again by itself, at most once a minute: while a deployment goes on, old and new answers may alternate.
 * Returns whether it does.
 */
export function loadAnew(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(LOADED)) < ONCE_MS) return false;
    sessionStorage.setItem(LOADED, String(Date.now()));
  } catch {
    // Without storage, nothing would end a loop of reloads.
    return false;
  }
  location.reload();
  return true;
}
