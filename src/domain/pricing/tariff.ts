import type { ChargeCode, PriceCode } from '../../contract/price-estimate.ts';
import { addDecimals, type Decimal, literalDecimal, multiplyDecimals, roundHalfUp } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';

/** Prices of deliveries from an instant until the next version starts. */
export interface Tariff {
  readonly version: number;
  readonly effectiveFrom: Instant;
  readonly currency: string;
  readonly baseAmount: Decimal;
  /** For each started kilometre. */
  readonly kilometreAmount: Decimal;
  readonly vatRate: Decimal;
  readonly cancellationAmount: Decimal;
  /** A cancellation is free for this long after a driver has accepted. */
  readonly cancellationGraceSeconds: number;
  /** A cancellation is free from this long after the pickup window if the driver has not come. Null: never. */
  readonly lateCancellationSeconds: number | null;
  /** The longest time that a price lock may hold. */
  readonly lockSecondsMax: number;
  /** A destination may be moved this far from the priced one without a new price. */
  readonly amendmentFreeMeters: number;
  /** What carrying a parcel back, and delivering it again, cost: shares of the first shipment's price. */
  readonly returnRate: Decimal;
  readonly redeliveryRate: Decimal;
  /** The served cities and their surcharges. */
  readonly citySurcharges: ReadonlyMap<string, Decimal>;
}

/** The members of a tariff that decide the price of a delivery. */
export type PriceTerms = Pick<Tariff, 'baseAmount' | 'kilometreAmount' | 'citySurcharges'>;

export interface PriceLine<Code extends ChargeCode = ChargeCode> {
  readonly code: Code;
  readonly amount: Decimal;
}

/** Lines and their sums, exact, rounded half away from zero to two places. */
export interface Price {
  readonly lines: readonly PriceLine[];
  readonly netAmount: Decimal;
  readonly vatAmount: Decimal;
  readonly totalAmount: Decimal;
}

/** The sums of a price, and what they are in. */
export type PriceSums = Omit<Price, 'lines'> & Pick<Tariff, 'currency' | 'vatRate'>;

/** The tariff in force at an instant: the latest version that has started. */
export function tariffAt(tariffs: readonly Tariff[], now: Instant): Tariff | undefined {
  let current: Tariff | undefined;
  for (const tariff of tariffs) {
    if (tariff.effectiveFrom <= now && (current === undefined || tariff.effectiveFrom > current.effectiveFrom))
      current = tariff;
  }
  return current;
}

/**
 * The price of a delivery: a base, an amount for each started kilometre, and the surcharge of the destination city if it
 * is served. Estimates, previews and the frozen terms of a shipment use this function, so they cannot differ.
 */
export function priceLines(
  tariff: PriceTerms,
  distanceMeters: number,
  destinationCityCode: string,
): PriceLine<PriceCode>[] {
  const kilometres = literalDecimal(String(Math.ceil(distanceMeters / 1000)));
  const surcharge = tariff.citySurcharges.get(destinationCityCode);
  return [
    { code: 'BASE', amount: roundHalfUp(tariff.baseAmount, MONEY_PLACES) },
    { code: 'DISTANCE', amount: roundHalfUp(multiplyDecimals(tariff.kilometreAmount, kilometres), MONEY_PLACES) },
    ...(surcharge === undefined ? [] : [{ code: 'CITY' as const, amount: roundHalfUp(surcharge, MONEY_PLACES) }]),
  ];
}

/** Sums the lines and adds VAT. VAT is computed once, on the sum. */
export function sumLines(lines: readonly PriceLine[], vatRate: Decimal): Price {
  return { lines, ...withVat(sumNet(lines), vatRate) };
}

/** An amount, the VAT on it and both together. */
export function withVat(netAmount: Decimal, vatRate: Decimal): Omit<Price, 'lines'> {
  const vatAmount = roundHalfUp(multiplyDecimals(netAmount, vatRate), MONEY_PLACES);
  return { netAmount, vatAmount, totalAmount: addDecimals(netAmount, vatAmount) };
}

/** The sum of the lines, without VAT. */
export function sumNet(lines: readonly PriceLine[]): Decimal {
  return lines.reduce((sum, { amount }) => addDecimals(sum, amount), ZERO);
}

/** The only currency of tariffs. */
export const TARIFF_CURRENCY = 'SAR';
/** Its fraction digits. */
const MONEY_PLACES = 2;
const ZERO = literalDecimal('0');
