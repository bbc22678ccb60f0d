import { compareDecimals, type Decimal } from '../../core/decimal.ts';
import { type Refusal, refuse } from '../../core/result.ts';
import type { PriceSums } from './tariff.ts';

/**
 * 409 if a call would cost more than its `Price-Limit`, both with VAT; undefined if it may go on. A credit always may. The
 * members are numbers, as everywhere on REST: they have few enough digits to stay exact.
 */
export function refuseAbove(limit: Decimal | undefined, price: PriceSums): Refusal | undefined {
  if (limit === undefined || compareDecimals(price.totalAmount, limit) <= 0) return undefined;
  const amounts = {
    netAmount: Number(price.netAmount),
    vatRate: Number(price.vatRate),
    vatAmount: Number(price.vatAmount),
    totalAmount: Number(price.totalAmount),
  };
  const members = { limit: Number(limit), price: { currency: price.currency, ...amounts } };
  return refuse('PRICE_LIMIT_EXCEEDED', { members });
}
