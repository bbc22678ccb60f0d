import { useState } from 'preact/hooks';
import { CODE_MINUTES } from '../../../core/limits.ts';
import { keepDraft, readDraft } from './kept-draft.ts';

const CODE_MS = CODE_MINUTES * 60_000;

/**
 * A sign-in that waits for its code. It survives a reload for as long as the code is valid, because phones drop a page while
 * its person reads the message.
 */
export function useKeptChallenge<Challenge>(
  name: string,
): [Challenge | undefined, (challenge: Challenge | undefined) => void] {
  const [challenge, setChallenge] = useState(() => readChallenge<Challenge>(name));
  const keep = (next: Challenge | undefined) => {
    setChallenge(() => next);
    keepDraft(name, next);
  };
  return [challenge, keep];
}

/** The challenge that waited for its code when this tab was reloaded. */
export function readChallenge<Challenge>(name: string): Challenge | undefined {
  const kept = readDraft<Challenge>(name);
  return kept === undefined || kept.savedAt < Date.now() - CODE_MS ? undefined : kept.draft;
}
