import { assert, bigInt, date, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMicros,
  addMillis,
  addSeconds,
  formatInstant,
  type Instant,
  instantFromMillis,
  parseInstant,
  toMillis,
  toWholeSecond,
} from '../../../src/core/instant.ts';
import { INSTANTS, TOO_FINE_INSTANTS } from '../../support/cast.ts';

describe('parseInstant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:00.000001Z', 1n],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['2026-11-21T01:33:15.123456Z', 1_795_224_795_123_456n],
    ['2026-11-21T01:33:15+00:00', 1_795_224_795_000_000n],
    ['2026-11-21T01:33:15.5+00:00', 1_795_224_795_500_000n],
    ['2000-02-29T00:00:00.1Z', 951_782_400_100_000n],
    ['2024-02-29T12:00:00.0200Z', 1_709_208_000_020_000n],
    ['2038-01-19T03:14:07Z', 2_147_483_647_000_000n],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000_000n],
    ['0000-02-29T00:00:00Z', -62_162_121_600_000_000n],
    ['1600-02-29T00:00:00Z', -11_670_998_400_000_000n],
    ['2400-02-29T00:00:00.000001Z', 13_574_563_200_000_001n],
    ['9999-12-31T23:59:59.999999Z', 253_402_300_799_999_999n],
  ])('reads %s as %d µs', (text, micros) => {
    expect(parseInstant(text)).toBe(micros);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-06-31T00:00:00Z',
    '2026-09-31T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
  ])('refuses %s, a date that does not exist', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each([
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 60', '2016-12-31T23:59:60Z'],
    ['second 61', '2026-01-01T00:00:61Z'],
    ['no seconds', '2026-01-01T00:00Z'],
    ['no offset', '2026-01-01T00:00:00'],
    ['unknown offset', '2026-01-01T00:00:00-00:00'],
    ['other offset', '2026-01-01T03:00:00+03:00'],
    ['offset without colon', '2026-01-01T00:00:00+0000'],
    ['lower-case t', '2026-01-01t00:00:00Z'],
    ['lower-case z', '2026-01-01T00:00:00z'],
    ['space for T', '2026-01-01 00:00:00Z'],
    ['empty fraction', '2026-01-01T00:00:00.Z'],
    ['seven fraction digits', '2026-01-01T00:00:00.1234567Z'],
    ['comma', '2026-01-01T00:00:00,5Z'],
    ['signed year', '+002026-01-01T00:00:00Z'],
    ['five-digit year', '12026-01-01T00:00:00Z'],
    ['leading space', ' 2026-01-01T00:00:00Z'],
    ['trailing newline', '2026-01-01T00:00:00Z\n'],
    ['other digits', '٢٠٢٦-01-01T00:00:00Z'],
    ['date only', '2026-01-01'],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it.each(INSTANTS)('reads $sent', ({ sent, stored }) => {
    expect(formatInstant(parseInstant(sent) ?? instantFromMillis(0))).toBe(stored);
  });

  it.each(TOO_FINE_INSTANTS)('refuses %s, which is finer than a microsecond', (sent) => {
    expect(parseInstant(sent)).toBeUndefined();
  });

  it('refuses random text without throwing', () => {
    assert(property(string(), (text) => parseInstant(text) === undefined));
  });

  it('agrees with Date on every day of 800 years', () => {
    const wrong: string[] = [];
    for (let day = Date.UTC(1600, 0, 1); day < Date.UTC(2400, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString();
      const instant = parseInstant(text);
      const isRight = instant !== undefined && instant === BigInt(day) * 1000n;
      if (!isRight || formatInstant(instant) !== text.replace('Z', '000Z')) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });

  it('agrees with Date for random milliseconds in ten thousand years', () => {
    const fourDigitYears = date({
      min: new Date('0000-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    assert(
      property(fourDigitYears, (moment) => {
        expect(parseInstant(moment.toISOString())).toBe(BigInt(moment.getTime()) * 1000n);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('formatInstant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
    ['2026-11-21T01:33:15.5Z', '2026-11-21T01:33:15.500000Z'],
    ['1969-12-31T23:59:59.999999+00:00', '1969-12-31T23:59:59.999999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000000Z'],
    ['0000-02-29T00:00:00.000001Z', '0000-02-29T00:00:00.000001Z'],
    ['0999-03-01T09:08:07.000006Z', '0999-03-01T09:08:07.000006Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('writes %s as %s', (text, expected) => {
    expect(formatInstant(instant(text))).toBe(expected);
  });

  it('refuses instants before the first and after the last year', () => {
    const first = instant('0000-01-01T00:00:00Z');
    const last = instant('9999-12-31T23:59:59.999999Z');
    expect(() => formatInstant(addMicros(first, -1))).toThrow(RangeError);
    expect(() => formatInstant(addMicros(last, 1))).toThrow(RangeError);
  });

  it('is reversed by parseInstant, and preserves order', () => {
    const micros = bigInt({ min: -62_167_219_200_000_000n, max: 253_402_300_799_999_999n });
    assert(
      property(micros, micros, (first, second) => {
        const [firstText, secondText] = [formatInstant(fromMicros(first)), formatInstant(fromMicros(second))];
        expect(parseInstant(firstText)).toBe(first);
        expect(firstText).toHaveLength(27);
        expect(firstText < secondText).toBe(first < second);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('arithmetic and conversion', () => {
  it('adds whole units in both directions', () => {
    const start = instant('2026-12-31T23:59:59.999999Z');
    expect(formatInstant(addMicros(start, 1))).toBe('2027-01-01T00:00:00.000000Z');
    expect(formatInstant(addMillis(start, 1))).toBe('2027-01-01T00:00:00.000999Z');
    expect(formatInstant(addSeconds(start, 1))).toBe('2027-01-01T00:00:00.999999Z');
    expect(formatInstant(addSeconds(start, -86_400 * 365))).toBe('2025-12-31T23:59:59.999999Z');
    expect(addMicros(start, 0)).toBe(start);
  });

  it('refuses fractions of a unit', () => {
    const start = instant('2026-01-01T00:00:00Z');
    expect(() => addMicros(start, 0.5)).toThrow(RangeError);
    expect(() => addMillis(start, 0.5)).toThrow(RangeError);
    expect(() => addSeconds(start, 0.5)).toThrow(RangeError);
    expect(() => instantFromMillis(0.5)).toThrow(RangeError);
  });

  it.each([
    ['1970-01-01T00:00:00.001999Z', 1],
    ['1970-01-01T00:00:00.000999Z', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['1969-12-31T23:59:59.999000Z', -1],
    ['1969-12-31T23:59:59.998999Z', -2],
    ['2026-11-21T01:33:15.123456Z', 1_795_224_795_123],
  ])('%s is %d ms, rounded down', (text, millis) => {
    expect(toMillis(instant(text))).toBe(millis);
  });

  it.each([
    ['2026-11-21T01:33:15.999999Z', '2026-11-21T01:33:15Z'],
    ['2026-11-21T01:33:15Z', '2026-11-21T01:33:15Z'],
    ['1970-01-01T00:00:00.000001Z', '1970-01-01T00:00:00Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
  ])('%s is in the second %s', (text, second) => {
    expect(toWholeSecond(instant(text))).toBe(instant(second));
  });

  it('converts milliseconds in both directions without loss', () => {
    assert(
      property(integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), (millis) => {
        expect(toMillis(instantFromMillis(millis))).toBe(millis);
      }),
    );
  });
});

function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new Error(`not an instant: ${text}`);
  return parsed;
}

function fromMicros(micros: bigint): Instant {
  const seconds = Number(micros / 1_000_000n);
  return addMicros(addSeconds(instantFromMillis(0), seconds), Number(micros % 1_000_000n));
}
