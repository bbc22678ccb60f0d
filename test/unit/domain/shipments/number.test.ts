import { expect, it } from 'vitest';
import { crockfordCheck } from '../../../../src/core/crockford.ts';
import { newShipmentNumber } from '../../../../src/domain/shipments/number.ts';

/** Random source that returns these values in turn. */
function randomOf(values: readonly bigint[]) {
  const left = [...values];
  return {
    uuid: () => expect.unreachable('a number needs no UUID'),
    bytes: (length: number) => {
      const value = left.shift() ?? expect.unreachable('no value is left');
      return Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * (length - 1 - at))) & 255n));
    },
  };
}

it('draws again until the check character is a letter or digit', () => {
  const symbols = [32n, 33n, 34n, 35n];
  expect(symbols.map(crockfordCheck)).toEqual(['*', '~', '$', '=']);
  expect(newShipmentNumber(randomOf([...symbols, 36n]))).toBe('SHP-0000000014U');
});
