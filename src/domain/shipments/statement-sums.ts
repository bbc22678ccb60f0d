import { addDecimals, type Decimal, literalDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { addSeconds, type Instant, instantFromMillis } from '../../core/instant.ts';
import { riyadhMonth } from '../../core/riyadh.ts';
import { type PriceSums, withVat } from '../pricing/tariff.ts';
import type { StatementRange } from './statement-store.ts';

type Sums = Pick<PriceSums, 'netAmount' | 'vatAmount' | 'totalAmount'>;

const ZERO = literalDecimal('0');
const HALALA = literalDecimal('0.01');

/** Lines of one rate of VAT. */
export interface RateSum {
  readonly vatRate: Decimal;
  /** Their sum without VAT, in halalas. */
  readonly halalas: string;
}

/** The sums of lines with one rate. VAT is computed once, as on the charges of a shipment. */
export function sumsOfRate({ vatRate, halalas }: RateSum): Sums {
  return withVat(multiplyDecimals(literalDecimal(halalas), HALALA), vatRate);
}

/** The sums of a month. VAT is computed on the sum of each rate. */
export function totalsOf(rates: readonly RateSum[]): Sums {
  return rates.map(sumsOfRate).reduce(
    (total, { netAmount, vatAmount, totalAmount }) => ({
      netAmount: addDecimals(total.netAmount, netAmount),
      vatAmount: addDecimals(total.vatAmount, vatAmount),
      totalAmount: addDecimals(total.totalAmount, totalAmount),
    }),
    { netAmount: ZERO, vatAmount: ZERO, totalAmount: ZERO },
  );
}

/**
 * A line has its instant before it is committed: it is planned, waits at most three seconds and is written within three more. Until this much
 * later it may be missing.
 */
const SETTLED_SECONDS = 10;

/**
 * The instants of a month in Riyadh, `2026-11`. A running month ends a little before now, so that no line is added to what was summed.
 * Undefined for a month that has not begun.
 */
export function rangeOfMonth(month: string, now: Instant): StatementRange | undefined {
  const { startMs, endMs } = riyadhMonth(month);
  const [from, end] = [instantFromMillis(startMs), instantFromMillis(endMs)];
  if (from > now) return undefined;
  const settled = addSeconds(now, -SETTLED_SECONDS);
  if (settled <= from) return { from, to: from };
  return { from, to: settled < end ? settled : end };
}
