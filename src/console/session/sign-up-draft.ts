import { useState } from 'preact/hooks';
import type { Outputs } from '../service/calls.ts';

export type Registration = Outputs['registrations']['create'];

/** A registration that is under way in this tab. */
export interface SignUpDraft {
  readonly registration: Registration;
  readonly email: string;
  /** Nine digits, as the registration has it. */
  readonly mobileNumber: string;
  /** The names of the files that were sent, by the type of document. */
  readonly fileNames: Readonly<Record<string, string>>;
  readonly isPastDocuments: boolean;
}

const KEY = 'mirsal-registration';

/** The registration of this tab. A reload keeps it; it ends with the tab, for it carries the upload capability. */
export function useSignUpDraft(): [SignUpDraft | undefined, (draft: SignUpDraft | undefined) => void] {
  const [draft, setDraft] = useState(readDraft);
  const keep = (next: SignUpDraft | undefined) => {
    setDraft(next);
    try {
      if (next === undefined) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Where nothing can be kept, the page still has it.
    }
  };
  return [draft, keep];
}

/** Every document is there. */
export function isComplete({ registration }: SignUpDraft): boolean {
  return registration.requiredDocuments.every(({ state }) => state === 'UPLOADED');
}

function readDraft(): SignUpDraft | undefined {
  try {
    const kept = sessionStorage.getItem(KEY);
    const draft = kept === null ? undefined : (JSON.parse(kept) as SignUpDraft);
    return draft !== undefined && isAlive(draft) ? draft : undefined;
  } catch {
    // Nothing that this page has written: then there is none.
    return undefined;
  }
}

/** Without its capability a registration that lacks documents cannot go on. */
function isAlive(draft: SignUpDraft): boolean {
  const { expiresAt, uploadCapabilityExpiresAt } = draft.registration;
  return Date.parse(isComplete(draft) ? expiresAt : uploadCapabilityExpiresAt) > Date.now();
}
