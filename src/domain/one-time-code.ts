import type { Random } from '../ports/random.ts';
import { secretHmacOf } from './credentials/credential.ts';

/** How long a code is good for, how often it may be guessed at, and how many a person may ask for. */
export const CODE_SECONDS = 5 * 60;
export const CODE_ATTEMPTS_MAX = 5;
export const CODE_WINDOW_SECONDS = 15 * 60;
/** How soon after a code the next may be asked for in its place. */
export const CODE_SPACING_SECONDS = 60;

const CODES = 10 ** 6;
/** The greatest multiple of a million below 2^32: what is drawn from there on would favour low codes, and is drawn again. */
const DRAWN_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** A code of six digits, each as likely as every other. */
export function newCode(random: Random): string {
  let drawn = DRAWN_BELOW;
  while (drawn >= DRAWN_BELOW) drawn = random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(drawn % CODES).padStart(6, '0');
}

/** What is kept of a code. It is bound to its challenge: a million HMACs made once would serve for no other. */
export function codeHmacOf(credentialKey: string, challengeId: string, code: string): Promise<string> {
  return secretHmacOf(credentialKey, `one-time code ${challengeId} ${code}`);
}

/** What is kept of who was asked for, or who asked: without the key, nobody can tell whom it names. */
export function identityHmacOf(credentialKey: string, identity: string): Promise<string> {
  return secretHmacOf(credentialKey, `identity ${identity}`);
}
