import { sha256, toHex } from '../../../core/crypto.ts';
import { forgetLarge } from './kept-large.ts';

/*
 * Forms that survive a reload and a look at another page. They have personal data, so they are kept only in this tab, for a
 * day at most, and until the person signs out.
 */

const PREFIX = 'mirsal-draft-';
const KEPT_MS = 86_400_000;

interface KeptDraft<Draft> {
  readonly savedAt: number;
  readonly draft: Draft;
}

/** The draft of a form that was left. Undefined if there is none, or only an old one. */
export function readDraft<Draft>(name: string): KeptDraft<Draft> | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    const kept = text === null ? undefined : (JSON.parse(text) as KeptDraft<Draft>);
    if (kept === undefined || kept.savedAt > Date.now() - KEPT_MS) return kept;
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Without session storage, or with text that this page did not write, there is no draft.
  }
  return undefined;
}

/** Keeps the draft of a form, and returns whether there was room for it. Without a draft, it deletes the kept one. */
export function keepDraft(name: string, draft: unknown): boolean {
  try {
    if (draft === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify({ savedAt: Date.now(), draft }));
    return true;
  } catch {
    // The form still works. It loses its values when the person leaves it.
    return false;
  }
}

/** Deletes all drafts, except those with this start of their name that are not too old. */
export function forgetDrafts(exceptStart?: string): void {
  void forgetLarge(exceptStart);
  forget((name) => exceptStart === undefined || !name.startsWith(exceptStart) || readDraft(name) === undefined);
}

/** Deletes the drafts of the page at this address: one of them may be why it cannot be shown. */
export function forgetDraftsHere(): void {
  const here = addressOfDraft();
  forget((name) => name.endsWith(here));
}

function forget(isOver: (name: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX) && isOver(key.slice(PREFIX.length))) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** The address of the page without its language, as the end of a draft's name. */
export function addressOfDraft(): string {
  const query = new URLSearchParams(location.search);
  query.delete('lang');
  return `${location.pathname}?${query}`;
}

/** The idempotency key of a request from a draft: the same for an equal request, also after a reload. */
export async function keyOf(id: string, order: object): Promise<string> {
  return toHex(await sha256(`${id} ${JSON.stringify(order)}`)).slice(0, KEY_LENGTH);
}

const KEY_LENGTH = 32;
