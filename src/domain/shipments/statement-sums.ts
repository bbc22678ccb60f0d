import { addDecimals, type Decimal, literalDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { type Instant, instantFromMillis } from '../../core/instant.ts';
import { type Price, sumLines } from '../pricing/tariff.ts';
import type { StatementRange } from './statement-store.ts';

type Sums = Omit<Price, 'lines'>;

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
  return sumsOf(multiplyDecimals(literalDecimal(halalas), HALALA), vatRate);
}

/** An amount with its VAT. */
export function sumsOf(netAmount: Decimal, vatRate: Decimal): Sums {
  const { lines: _lines, ...sums } = sumLines([{ code: 'BASE', amount: netAmount }], vatRate);
  return sums;
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

/** The instants of a month in Riyadh, `2026-11`. A running month ends now. Undefined for a month that has not begun. */
export function rangeOfMonth(month: string, now: Instant): StatementRange | undefined {
  const from = beginningOf(month);
  if (from > now) return undefined;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  const end = beginningOf(next.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-'));
  return { from, to: now < end ? now : end };
}

function beginningOf(month: string): Instant {
  return instantFromMillis(Date.parse(`${month}-01T00:00:00+03:00`));
}
