import { crockfordCheck, encodeCrockford } from '../../core/crockford.ts';
import type { Random } from '../../ports/random.ts';

/** Ten characters of five bits. */
const SYMBOLS = 10;
const BITS = 50n;

/**
 * A number to read out over the phone: `SHP-`, ten Crockford base32 characters, a check character. Random, so it tells
 * nothing of how many shipments there are; the database refuses the one in a million billion that is taken.
 */
export function newShipmentNumber(random: Random): string {
  let value = 0n;
  for (const byte of random.bytes(7)) value = (value << 8n) | BigInt(byte);
  value = BigInt.asUintN(Number(BITS), value);
  return `SHP-${encodeCrockford(value, SYMBOLS)}${crockfordCheck(value)}`;
}
