import { array, assert, bigInt, constantFrom, double, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalFromNumber,
  digitCount,
  fractionDigits,
  multiplyDecimals,
  parseDecimal,
  roundHalfEven,
  roundHalfUp,
  subtractDecimals,
} from '../../../src/core/decimal.ts';

describe('parseDecimal', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.00e9999', '0'],
    ['12.5', '12.5'],
    ['100.00', '100'],
    ['-0.000001', '-0.000001'],
    ['1e2', '100'],
    ['-1.25E+1', '-12.5'],
    ['125e-2', '1.25'],
    ['0.00012e3', '0.12'],
    ['1234567890.123456789', '1234567890.123456789'],
    ['9'.repeat(60), '9'.repeat(60)],
    ['1e59', `1${'0'.repeat(59)}`],
    ['1e-59', `0.${'0'.repeat(58)}1`],
    [`1.${'0'.repeat(500)}`, '1'],
    [`1${'0'.repeat(500)}e-500`, '1'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseDecimal(text)).toBe(expected);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1\n',
    ...'+1 01 -01 .5 5. - --1 1e 1e+ e5 1.e5 1,5 1_000 NaN Infinity 0x10 1n ١'.split(' '),
  ])('refuses %j, which is not a JSON number', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it.each([
    '9'.repeat(61),
    `0.${'1'.repeat(60)}`,
    `1e${'9'.repeat(400)}`,
    ...'1e60 1e-60 1e999999 -1e-999999'.split(' '),
  ])('refuses %s, which needs more than 60 digits', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('gives equal values equal text, and keeps that text unchanged', () => {
    assert(
      property(scaled, integer({ min: 1, max: 30 }), ([unscaled, scale], zeros) => {
        const canonical = spell(unscaled, scale);
        expect(parseDecimal(canonical)).toBe(canonical);
        expect(parseDecimal(`${unscaled}e-${scale}`)).toBe(canonical);
        expect(parseDecimal(`${unscaled}.${'0'.repeat(zeros)}E${-scale}`)).toBe(canonical);
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts as a number', () => {
    const almostNumber = array(constantFrom(...'01234.eE+- '), { maxLength: 7 }).map((symbols) => symbols.join(''));
    const isShort = (text: string) => !/[eE][+-]?0*[1-9]\d/.test(text);
    assert(
      property(almostNumber.filter(isShort), (text) => (parseDecimal(text) !== undefined) === isJsonNumber(text)),
      { numRuns: 5_000 },
    );
  });
});

describe('decimalFromNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [-0.000001, '-0.000001'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('writes %d as %s', (value, expected) => {
    expect(decimalFromNumber(value)).toBe(expected);
  });

  it('refuses numbers that are not finite or need exponents', () => {
    for (const value of [Number.NaN, Infinity, -Infinity, 1e300, 5e-324]) {
      expect(decimalFromNumber(value)).toBeUndefined();
    }
  });

  it('reads back as the same double', () => {
    assert(
      property(double({ min: -1e30, max: 1e30, noNaN: true }), (value) => {
        const decimal = decimalFromNumber(value);
        if (decimal !== undefined) expect(Number(decimal)).toBe(value + 0);
      }),
    );
  });

  it('returns up to 15 significant digits unchanged', () => {
    const fifteenDigits = bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
    assert(
      property(fifteenDigits, integer({ min: 0, max: 30 }), (unscaled, scale) => {
        const written = spell(unscaled, scale);
        expect(decimalFromNumber(Number(written))).toBe(written);
      }),
    );
  });
});

describe('counting digits', () => {
  it.each([
    ['0', 0, 1],
    ['100', 0, 3],
    ['1.25', 2, 3],
    ['-0.05', 2, 1],
    ['1234567890123456789', 0, 19],
  ])('%s has %d fraction digits and %d digits', (text, fraction, digits) => {
    expect(fractionDigits(decimal(text))).toBe(fraction);
    expect(digitCount(decimal(text))).toBe(digits);
  });
});

describe('compareDecimals', () => {
  it.each([
    ['1.5', '1.5', 0],
    ['9', '10', -1],
    ['12.5', '12', 1],
    ['12.45', '12.5', -1],
    ['-12.5', '-12', -1],
    ['-9', '-10', 1],
    ['-0.1', '0', -1],
    ['0.05', '0.1', -1],
  ] as const)('%s compared with %s is %d', (first, second, expected) => {
    expect(compareDecimals(decimal(first), decimal(second))).toBe(expected);
  });

  it('orders like integers over a common scale', () => {
    assert(
      property(nearby, nearby, (first, second) => {
        const difference = over40(first) - over40(second);
        const expected = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(compareDecimals(decimal(spell(...first)), decimal(spell(...second)))).toBe(expected);
      }),
    );
  });
});

describe('arithmetic', () => {
  it.each([
    ['0.1', '0.2', '0.3', '-0.1', '0.02'],
    ['1', '-1', '0', '2', '-1'],
    ['-0.5', '0.5', '0', '-1', '-0.25'],
    ['1234567890123456', '0.000001', '1234567890123456.000001', '1234567890123455.999999', '1234567890.123456'],
    ['0', '-3', '-3', '3', '0'],
  ])('%s and %s: sum %s, difference %s, product %s', (first, second, sum, difference, product) => {
    expect(addDecimals(decimal(first), decimal(second))).toBe(sum);
    expect(subtractDecimals(decimal(first), decimal(second))).toBe(difference);
    expect(multiplyDecimals(decimal(first), decimal(second))).toBe(product);
  });

  it('is exact: it agrees with integers over a common scale', () => {
    assert(
      property(scaled, scaled, (first, second) => {
        const [left, right] = [decimal(spell(...first)), decimal(spell(...second))];
        expect(addDecimals(left, right)).toBe(spell(over40(first) + over40(second), 40));
        expect(subtractDecimals(left, right)).toBe(spell(over40(first) - over40(second), 40));
        expect(multiplyDecimals(left, right)).toBe(spell(first[0] * second[0], first[1] + second[1]));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('rounding', () => {
  it.each([
    ['2.345', 2, '2.35', '2.34'],
    ['2.355', 2, '2.36', '2.36'],
    ['2.3449999', 2, '2.34', '2.34'],
    ['2.3450001', 2, '2.35', '2.35'],
    ['-2.345', 2, '-2.35', '-2.34'],
    ['2.925', 2, '2.93', '2.92'],
    ['1.5', 0, '2', '2'],
    ['-0.5', 0, '-1', '0'],
    ['-0.004', 2, '0', '0'],
    ['0.996', 2, '1', '1'],
    ['9.995', 2, '10', '10'],
    ['12.5', 2, '12.5', '12.5'],
  ])('%s to %d places is %s, and %s half to even', (text, places, up, even) => {
    expect([roundHalfUp(decimal(text), places), roundHalfEven(decimal(text), places)]).toEqual([up, even]);
  });

  it.each([
    ['half away from zero', roundHalfUp, () => true],
    ['half to even', roundHalfEven, (quotient: bigint) => quotient % 2n === 1n],
  ] as const)('%s agrees with the remainder of integer division', (_name, round, isHalfUp) => {
    assert(
      property(scaled, integer({ min: 0, max: 12 }), ([unscaled, scale], places) => {
        const rounded = round(decimal(spell(unscaled, scale)), places);
        const kept =
          scale <= places ? spell(unscaled, scale) : spell(divided(unscaled, scale - places, isHalfUp), places);
        expect(rounded).toBe(kept);
      }),
      { numRuns: 1_000 },
    );
  });
});

type Scaled = readonly [unscaled: bigint, scale: number];

/** Up to 19 digits, up to 12 of them after the point. */
const scaled = tuple(bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), integer({ min: 0, max: 12 }));

/** Small, so that equal values and equal prefixes are frequent. */
const nearby = tuple(bigInt({ min: -120n, max: 120n }), integer({ min: 0, max: 3 }));

function over40([unscaled, scale]: Scaled): bigint {
  return unscaled * 10n ** BigInt(40 - scale);
}

/** The reference text: the unscaled integer with its decimal point, written digit by digit. */
function spell(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return unscaled === 0n ? '0' : sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

/** Drops this many digits. `isHalfUp` says of a quotient whether a half after it is rounded away from zero. */
function divided(unscaled: bigint, digits: number, isHalfUp: (quotient: bigint) => boolean): bigint {
  const unit = 10n ** BigInt(digits);
  const sign = unscaled < 0n ? -1n : 1n;
  const [quotient, rest] = [(unscaled * sign) / unit, (unscaled * sign) % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && isHalfUp(quotient));
  return sign * (isUp ? quotient + 1n : quotient);
}

function isJsonNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number' && text.trim() === text;
  } catch {
    return false;
  }
}

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`not a decimal: ${text}`);
  return parsed;
}
