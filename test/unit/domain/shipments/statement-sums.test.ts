import { describe, expect, test } from 'vitest';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { formatInstant, parseInstant } from '../../../../src/core/instant.ts';
import { withVat } from '../../../../src/domain/pricing/tariff.ts';
import { rangeOfMonth, totalsOf } from '../../../../src/domain/shipments/statement-sums.ts';

const at = (text: string) => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(text);
  return instant;
};
const decimal = literalDecimal;

describe('a month in Riyadh', () => {
  test.each([
    ['2026-11', '2026-10-31T21:00:00.000000Z', '2026-11-30T21:00:00.000000Z'],
    ['2026-12', '2026-11-30T21:00:00.000000Z', '2026-12-31T21:00:00.000000Z'],
    ['2028-02', '2028-01-31T21:00:00.000000Z', '2028-02-29T21:00:00.000000Z'],
  ])('%s is from %s to %s', (month, from, to) => {
    const range = rangeOfMonth(month, at('2030-01-01T00:00:00Z'));
    expect([range?.from, range?.to].map((one) => one && formatInstant(one))).toEqual([from, to]);
  });

  test('that runs ends ten seconds ago, and one to come is none', () => {
    const now = at('2026-11-30T20:59:59.999999Z');
    expect(rangeOfMonth('2026-11', now)?.to).toBe(at('2026-11-30T20:59:49.999999Z'));
    // A line of its last seconds may still be on its way.
    expect(rangeOfMonth('2026-11', at('2026-11-30T21:00:03Z'))?.to).toBe(at('2026-11-30T20:59:53Z'));
    expect(rangeOfMonth('2026-11', at('2026-11-30T21:00:11Z'))?.to).toBe(at('2026-11-30T21:00:00Z'));
    expect(rangeOfMonth('2026-12', now)).toBeUndefined();
    // Its first instant.
    const first = at('2026-11-30T21:00:00Z');
    expect(rangeOfMonth('2026-12', first)).toEqual({ from: first, to: first });
  });
});

/* Values of public bug reports. */
describe('VAT', () => {
  test('is computed once on the sum of a rate', () => {
    // invoiceninja/invoiceninja#11075: 50 lines of 241.67, whose VAT by line is 2416.50.
    const rate = { vatRate: decimal('0.2'), halalas: String(50 * 241_67) };
    expect(totalsOf([rate])).toEqual({ netAmount: '12083.5', vatAmount: '2416.7', totalAmount: '14500.2' });
  });

  test('that is half a halala is rounded away from zero, also of a credit', () => {
    // lavaloon-eg/ksa_compliance#174: 1091.50 at 15 %.
    const vatRate = decimal('0.15');
    expect(withVat(decimal('1091.5'), vatRate).vatAmount).toBe('163.73');
    expect(withVat(decimal('-1091.5'), vatRate)).toMatchObject({ vatAmount: '-163.73', totalAmount: '-1255.23' });
    expect(withVat(decimal('-0.03'), vatRate)).toMatchObject({ vatAmount: '0', totalAmount: '-0.03' });
  });

  test('of several rates is rounded for each of them', () => {
    const rates = [
      { vatRate: decimal('0.15'), halalas: '10' },
      { vatRate: decimal('0.05'), halalas: '10' },
    ];
    // 0.015 and 0.005.
    expect(totalsOf(rates)).toEqual({ netAmount: '0.2', vatAmount: '0.03', totalAmount: '0.23' });
    expect(totalsOf([])).toEqual({ netAmount: '0', vatAmount: '0', totalAmount: '0' });
  });
});
