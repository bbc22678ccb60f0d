import { hmacOf } from '../../core/crypto.ts';
import type { Random } from '../../ports/random.ts';

/** The window in which codes of one identity are counted. */
export const CODE_WINDOW_SECONDS = 15 * 60;
/** How long after a code the next one may be requested in its place. */
export const CODE_SPACING_SECONDS = 60;

const CODES = 10 ** 6;
/** The greatest multiple of a million below 2^32. Numbers from there on would make low codes more likely, so they are drawn again. */
const DRAWN_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** A code of six digits, each as likely as every other. */
export function newCode(random: Random): string {
  let drawn = DRAWN_BELOW;
  while (drawn >= DRAWN_BELOW) drawn = random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(drawn % CODES).padStart(6, '0');
}

/** What is stored of a code. It includes the challenge, so a table of a million HMACs would be of use for one challenge only. */
export function codeHmacOf(credentialKey: string, challengeId: string, code: string): Promise<string> {
  return hmacOf(credentialKey, `one-time code ${challengeId} ${code}`);
}

/** What is stored of an identity that was asked for, or that asked. Without the key, nobody can tell whose it is. */
export function identityHmacOf(credentialKey: string, identity: string): Promise<string> {
  return hmacOf(credentialKey, `identity ${identity}`);
}
