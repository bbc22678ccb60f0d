import { crockfordCheck, encodeCrockford } from '../../core/crockford.ts';
import type { Random } from '../../ports/random.ts';

/** Ten characters of five bits. */
const SYMBOLS = 10;
const BITS = 50n;

/**
 * A number that can be read over the phone: `SHP-`, ten Crockford base32 characters, a check character. It is random,
 * so it does not reveal how many shipments there are; the database refuses a number that is already used.
 *
 * Four of the 37 check characters are symbols (`*~$=`) that are hard to say and have a meaning in URLs. A number that
 * would end in one of them is not used.
 */
export function newShipmentNumber(random: Random): string {
  for (;;) {
    let value = 0n;
    for (const byte of random.bytes(7)) value = (value << 8n) | BigInt(byte);
    value = BigInt.asUintN(Number(BITS), value);
    const check = crockfordCheck(value);
    if (PLAIN_CHECK.test(check)) return `SHP-${encodeCrockford(value, SYMBOLS)}${check}`;
  }
}

const PLAIN_CHECK = /^[^*~$=]$/;
