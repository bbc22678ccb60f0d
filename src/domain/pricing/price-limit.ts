import { compareDecimals, type Decimal } from '../../core/decimal.ts';
import { type Refusal, refuse } from '../../core/result.ts';
import type { PriceSums } from './tariff.ts';

/** A price in the body of a problem. Its members are numbers, as everywhere on REST: they have few enough digits to stay exact. */
export function presentSums({ currency, netAmount, vatRate, vatAmount, totalAmount }: PriceSums) {
  return {
    currency,
    netAmount: Number(netAmount),
    vatRate: Number(vatRate),
    vatAmount: Number(vatAmount),
    totalAmount: Number(totalAmount),
  };
}

/**
 * 409 if a call would cost more than its `Price-Limit`, both with VAT; undefined if it may go on. A credit always may.
 */
export function refuseAbove(limit: Decimal | undefined, price: PriceSums): Refusal | undefined {
  if (limit === undefined || compareDecimals(price.totalAmount, limit) <= 0) return undefined;
  const members = { limit: Number(limit), price: presentSums(price) };
  return refuse('PRICE_LIMIT_EXCEEDED', { members });
}
