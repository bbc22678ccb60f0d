import { describe, expect, it } from 'vitest';
import { minorUnits } from '../../../src/core/currency.ts';

describe('minorUnits', () => {
  it.each([
    ['SAR', 2],
    ['AED', 2],
    ['USD', 2],
    ['ZWG', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['OMR', 3],
    ['JPY', 0],
    ['ISK', 0],
    ['CLF', 4],
    ['UYW', 4],
  ])('%s has %d minor digits', (code, expected) => {
    expect(minorUnits(code)).toBe(expected);
  });

  it.each([
    '',
    'SAR ',
    ...'XAU XAG XDR XTS XXX XBA XSU'.split(' '),
    ...'HRK BGN ANG ZWL CUC SLL'.split(' '),
    ...'sar ABC 682 constructor __proto__'.split(' '),
  ])('%j is not a currency', (code) => {
    expect(minorUnits(code)).toBeUndefined();
  });

  it('has the 165 currencies of ISO 4217', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const codes = pairs.flatMap((pair) => letters.map((third) => pair + third));
    const counts = new Map<number | undefined, number>();
    for (const code of codes) counts.set(minorUnits(code), (counts.get(minorUnits(code)) ?? 0) + 1);
    expect([0, 2, 3, 4].map((units) => counts.get(units))).toEqual([17, 139, 7, 2]);
    expect(counts.get(undefined)).toBe(codes.length - 165);
  });
});
