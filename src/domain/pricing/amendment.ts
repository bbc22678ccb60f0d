import type { Location } from '../../contract/shipment.ts';
import { addDecimals, type Decimal, literalDecimal, subtractDecimals } from '../../core/decimal.ts';
import { parseStored } from '../../core/json.ts';
import type { TermsRow } from './store.ts';
import { type Price, type PriceLine, type PriceTerms, priceLines, sumLines, sumNet } from './tariff.ts';

/*
 * What an amendment costs. BASE, DISTANCE, CITY and all AMENDMENT lines together are what the frozen version of the tariff
 * takes for the newest way that was priced.
 */

const ZERO = literalDecimal('0');

/** The lines that a shipment is charged before an amendment. */
export interface Charged {
  readonly terms: TermsRow;
  readonly later: readonly PriceLine[];
}

/** Of the way that the charges are for, in metres. */
export function pricedDistanceOf({ pricedDistanceMeters, distanceMeters }: TermsRow): number {
  return pricedDistanceMeters ?? distanceMeters;
}

/** The frozen lines and the later ones. */
export function chargedLines({ terms, later }: Charged): PriceLine[] {
  return [...parseStored<PriceLine[]>(terms.lines), ...later];
}

/** How much more the new way costs by the frozen version of the tariff, net of VAT; negative if it is cheaper. Pure. */
export function amendmentAmount(
  frozen: PriceTerms,
  charged: Charged,
  { distanceMeters, cityCode }: { readonly distanceMeters: number } & Pick<Location, 'cityCode'>,
): Decimal {
  const due = sumNet(priceLines(frozen, distanceMeters, cityCode));
  return subtractDecimals(due, sumNet(chargedLines(charged)));
}

/**
 * How much more VAT is charged with that line. VAT is on the sum of all lines, so this may differ by a halala from the VAT of the
 * line alone. Pure.
 */
export function vatOfAmendment(amount: Decimal, charged: Charged): Decimal {
  const before = sumLines(chargedLines(charged), charged.terms.vatRate);
  return subtractDecimals(chargesWith(amount, charged).vatAmount, before.vatAmount);
}

/** The line of an amendment, and what the charges rise by. An amendment that costs nothing has no line. Pure. */
export function effectOf(
  amount: Decimal,
  vatAmount: Decimal,
): Omit<Price, 'lines'> & { lines: PriceLine<'AMENDMENT'>[] } {
  const lines = amount === ZERO ? [] : [{ code: 'AMENDMENT' as const, amount }];
  return { lines, netAmount: amount, vatAmount, totalAmount: addDecimals(amount, vatAmount) };
}

/** All charges with that line. Pure. */
export function chargesWith(amount: Decimal, charged: Charged) {
  const lines = [...chargedLines(charged), { code: 'AMENDMENT' as const, amount }];
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, charged.terms.vatRate);
  return { netAmount, vatAmount, totalAmount };
}
