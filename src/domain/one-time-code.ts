import type { Random } from '../runtime/ports/random.ts';
import { secretHmacOf } from './credentials/credential.ts';

/** How long a code is good for, how often it may be guessed at, and how many a person may ask for. */
export const CODE_SECONDS = 5 * 60;
export const CODE_ATTEMPTS_MAX = 5;
export const CODE_WINDOW_SECONDS = 15 * 60;

const CODE_DIGITS = 6;
/** 48 bits over a million codes: no code is more likely than another by more than one in a hundred million. */
const CODE_BYTES = 6;

/** A code of six digits. */
export function newCode(random: Random): string {
  const value = random.bytes(CODE_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(value % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/** What is kept of a code. It is bound to its challenge: a million HMACs made once would serve for no other. */
export function codeHmacOf(credentialKey: string, challengeId: string, code: string): Promise<string> {
  return secretHmacOf(credentialKey, `one-time code ${challengeId} ${code}`);
}
