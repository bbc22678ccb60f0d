import { type Instant, instantFromMillis } from '../../../src/core/instant.ts';
import { parseUuid, type Uuid } from '../../../src/core/uuid.ts';
import type { Dice } from '../dice.ts';

/** The start of simulated time. */
export const EPOCH_MS = Date.UTC(2026, 10, 21, 9);

/** The time by a correct clock. */
export function wallOf(elapsedMs: number): Instant {
  return instantFromMillis(EPOCH_MS + Math.floor(elapsedMs));
}

/** A version 7 UUID for a time. */
export function uuidAt(ms: number, dice: Dice): Uuid {
  const hex = (digits: number) =>
    Math.floor(dice.roll() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const time = ms.toString(16).padStart(12, '0');
  const variant = '89ab'[Math.floor(dice.roll() * 4)];
  const made = parseUuid(`${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(12)}`);
  if (made === undefined) throw new Error('No UUID was made');
  return made;
}
