import { assert, bigInt, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crockfordCheck, encodeCrockford } from '../../../src/core/crockford.ts';

describe('encodeCrockford', () => {
  it.each([
    [0n, 1, '0'],
    [0n, 10, '0000000000'],
    [31n, 1, 'Z'],
    [32n, 2, '10'],
    [1234n, 10, '000000016J'],
    [2n ** 50n - 1n, 10, 'ZZZZZZZZZZ'],
    [0x0123456789abcn, 10, '0J6HB7H6NW'],
  ])('writes %d in %d symbols as %s', (value, length, expected) => {
    expect(encodeCrockford(value, length)).toBe(expected);
  });

  it('uses every symbol but I, L, O and U', () => {
    const all = Array.from({ length: 32 }, (_, value) => encodeCrockford(BigInt(value), 1)).join('');
    expect(all).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });

  it('refuses values that are negative or too large', () => {
    expect(() => encodeCrockford(-1n, 10)).toThrow(RangeError);
    expect(() => encodeCrockford(2n ** 50n, 10)).toThrow(RangeError);
    expect(() => encodeCrockford(1n, 0)).toThrow(RangeError);
  });

  it('preserves length and order, and is reversible', () => {
    const fiftyBits = bigInt({ min: 0n, max: 2n ** 50n - 1n });
    assert(
      property(fiftyBits, fiftyBits, (first, second) => {
        const [firstText, secondText] = [encodeCrockford(first, 10), encodeCrockford(second, 10)];
        expect(firstText).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
        expect(decode(firstText)).toBe(first);
        expect(firstText < secondText).toBe(first < second);
      }),
    );
  });
});

describe('crockfordCheck', () => {
  it.each([
    [0n, '0'],
    [31n, 'Z'],
    [32n, '*'],
    [33n, '~'],
    [34n, '$'],
    [35n, '='],
    [36n, 'U'],
    [37n, '0'],
    [1234n, 'D'],
  ])('of %d is %s', (value, expected) => {
    expect(crockfordCheck(value)).toBe(expected);
  });

  it('refuses a negative value', () => {
    expect(() => crockfordCheck(-1n)).toThrow(RangeError);
  });

  it('detects every single wrong symbol', () => {
    const fiftyBits = bigInt({ min: 0n, max: 2n ** 50n - 1n });
    const change = integer({ min: 1, max: 31 });
    assert(
      property(fiftyBits, integer({ min: 0, max: 9 }), change, (value, place, difference) => {
        const shift = BigInt(place) * 5n;
        const wrong = value ^ (BigInt(difference) << shift);
        expect(crockfordCheck(wrong)).not.toBe(crockfordCheck(value));
      }),
    );
  });
});

function decode(text: string): bigint {
  const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return [...text].reduce((value, symbol) => value * 32n + BigInt(symbols.indexOf(symbol)), 0n);
}
