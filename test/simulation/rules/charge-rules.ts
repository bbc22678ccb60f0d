import { hold } from './objection.ts';

interface ToldCharges {
  readonly lines: readonly { readonly code: string; readonly amount: number }[];
  readonly netAmount: number;
  readonly vatRate: number;
  readonly vatAmount: number;
  readonly totalAmount: number;
}

/** Sums in whole halalas: the net of the lines, its tax half to even, and both together. */
export function checkCharges(shipmentId: string, text: string): void {
  const told = JSON.parse(text) as ToldCharges;
  const net = told.lines.reduce((sum, { amount }) => sum + halalasOf(amount), 0n);
  const vat = halfEven(net * BigInt(Math.round(told.vatRate * 100)), 100n);
  const isExact =
    halalasOf(told.netAmount) === net && halalasOf(told.vatAmount) === vat && halalasOf(told.totalAmount) === net + vat;
  hold(isExact, 'exact', () => `the charges of ${shipmentId} are ${text}`);
}

function halalasOf(amount: number): bigint {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return BigInt(`${whole}${fraction.padEnd(2, '0')}`);
}

function halfEven(units: bigint, by: bigint): bigint {
  const sign = units < 0n ? -1n : 1n;
  const size = units * sign;
  const [quotient, rest] = [size / by, size % by];
  const isUp = rest * 2n > by || (rest * 2n === by && quotient % 2n === 1n);
  return sign * (isUp ? quotient + 1n : quotient);
}
