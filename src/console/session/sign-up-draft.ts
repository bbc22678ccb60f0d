import { useState } from 'preact/hooks';
import { serviceNow } from '../../ui/browser/base/company-clock.ts';
import type { Outputs } from '../../ui/browser/service/calls.ts';

export type Registration = Outputs['registrations']['create'];

/** An unfinished registration. */
export interface SignUpDraft {
  readonly registration: Registration;
  /** Nine digits, without the country code. */
  readonly mobileNumber: string;
  /** The names of the uploaded files, by document type. */
  readonly fileNames: Readonly<Record<string, string>>;
  readonly isPastDocuments: boolean;
}

const KEY = 'mirsal-registration';

/** The registration of this browser tab. It survives a reload, but not the tab, because it holds the upload capability. */
export function useSignUpDraft(): [SignUpDraft | undefined, (draft: SignUpDraft | undefined) => void] {
  const [draft, setDraft] = useState(readDraft);
  const keep = (next: SignUpDraft | undefined) => {
    setDraft(next);
    try {
      if (next === undefined) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without session storage, the draft is kept in memory only.
    }
  };
  return [draft, keep];
}

/** Whether every required document is uploaded. */
export function isComplete({ registration }: SignUpDraft): boolean {
  return registration.requiredDocuments.every(({ state }) => state === 'UPLOADED');
}

function readDraft(): SignUpDraft | undefined {
  try {
    const kept = sessionStorage.getItem(KEY);
    const draft = kept === null ? undefined : (JSON.parse(kept) as SignUpDraft);
    return draft !== undefined && isUsable(draft) ? draft : undefined;
  } catch {
    // Not written by this page, so it is ignored.
    return undefined;
  }
}

/** Whether the registration can still be completed. While documents are missing, it needs its upload capability. */
function isUsable(draft: SignUpDraft): boolean {
  const { expiresAt, uploadCapabilityExpiresAt } = draft.registration;
  return Date.parse(isComplete(draft) ? expiresAt : uploadCapabilityExpiresAt) > serviceNow();
}
