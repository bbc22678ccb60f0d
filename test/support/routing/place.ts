import { type Decimal, parseDecimal } from '../../../src/core/decimal.ts';
import type { Coordinates } from '../../../src/ports/routing.ts';

export function place(latitude: string, longitude: string): Coordinates {
  return { latitude: decimal(latitude), longitude: decimal(longitude) };
}

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is no decimal`);
  return parsed;
}

/** Riyadh, and Jeddah with the maximum number of digits. */
export const RIYADH = place('24.713552', '46.675296');
export const JEDDAH = place('21.485811123', '39.192505');
