import { storedValues } from '../base/stored-values.ts';

/*
 * What is too large for the storage of drafts, such as an uploaded file with thousands of orders: it is kept by this browser, also
 * for another tab. It has personal data, so it is deleted like drafts: when it is sent, at sign-out, and after a day.
 */

const { run } = storedValues('mirsal-kept', 'values');
const KEPT_MS = 86_400_000;
/** A browser whose storage hangs shows the page without the kept value. */
const READ_MS = 5_000;

interface KeptValue {
  readonly savedAt: number;
  readonly value: unknown;
}

/** Whether it is neither too old nor from the future, by a clock that was set back. */
function isFresh({ savedAt }: KeptValue): boolean {
  return Math.abs(Date.now() - savedAt) < KEPT_MS;
}

function isKeptValue(stored: unknown): stored is KeptValue {
  return typeof stored === 'object' && stored !== null && 'savedAt' in stored && 'value' in stored;
}

/** Reads the value of a name. Undefined if nothing fresh is kept, or if the database does not answer in time. */
export async function readLarge(name: string): Promise<KeptValue | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), READ_MS);
  });
  const read = run<unknown>('readonly', (store) => store.get(name)).catch(() => undefined);
  const stored = await Promise.race([read, late]);
  return isKeptValue(stored) && isFresh(stored) ? stored : undefined;
}

/** Keeps a value, and returns whether the browser has room for it. Without a value, it deletes the kept one. */
export async function keepLarge(name: string, value: unknown): Promise<boolean> {
  const kept: KeptValue = { savedAt: Date.now(), value };
  const done =
    value === undefined
      ? run('readwrite', (store) => store.delete(name))
      : run('readwrite', (store) => store.put(kept, name));
  return done.then(
    () => true,
    () => value === undefined,
  );
}

/** Deletes all values, except those with this start of their name that are not too old. */
export async function forgetLarge(exceptStart?: string): Promise<void> {
  for (const name of await namesKept())
    if (exceptStart === undefined || !name.startsWith(exceptStart) || (await readLarge(name)) === undefined)
      await keepLarge(name, undefined);
}

/** The name of what the page at this address keeps for somebody. */
export function largeNameHere(owner: string): string {
  return `${owner}-${location.pathname}`;
}

/** Deletes what the page at this address keeps: it may be why the page cannot be shown. */
export async function forgetLargeHere(): Promise<void> {
  for (const name of await namesKept()) if (name.endsWith(largeNameHere(''))) await keepLarge(name, undefined);
}

async function namesKept(): Promise<string[]> {
  const names = await run('readonly', (store) => store.getAllKeys()).catch(() => []);
  return names.map(String);
}
