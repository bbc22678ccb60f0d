import { hmacOf } from '../../core/crypto.ts';
import type { Random } from '../../ports/random.ts';

/** The window in which the codes of one identity are counted. */
export const CODE_WINDOW_SECONDS = 15 * 60;
/** How long the caller must wait before the next code can replace this one. */
export const CODE_SPACING_SECONDS = 60;

const CODES = 10 ** 6;
/**
 * The largest multiple of a million below 2^32. Larger numbers are drawn again, because they would make low codes more
 * likely.
 */
const DRAWN_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** A code of six digits, all equally likely. */
export function newCode(random: Random): string {
  let drawn = DRAWN_BELOW;
  while (drawn >= DRAWN_BELOW) drawn = random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(drawn % CODES).padStart(6, '0');
}

/**
 * The stored form of a code. It includes the challenge's id, so a precomputed table of all codes fits only one
 * challenge.
 */
export function codeHmacOf(credentialKey: string, challengeId: string, code: string): Promise<string> {
  return hmacOf(credentialKey, `one-time code ${challengeId} ${code}`);
}

/** The stored form of an identity or a network address. Without the key it reveals neither. */
export function identityHmacOf(credentialKey: string, identity: string): Promise<string> {
  return hmacOf(credentialKey, `identity ${identity}`);
}
