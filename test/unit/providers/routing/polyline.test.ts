import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePolyline, isPolyline } from '../../../../src/core/polyline.ts';
import { decodePolyline } from '../../../support/routing/decode-polyline.ts';

/** The example in the format’s documentation (developers.google.com), and its text with six places. */
const EXAMPLE = [
  { latitude: 38.5, longitude: -120.2 },
  { latitude: 40.7, longitude: -120.95 },
  { latitude: 43.252, longitude: -126.453 },
];
const EXAMPLE_WITH_SIX_PLACES = '_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI';
const EXAMPLE_WITH_FIVE_PLACES = '_p~iF~ps|U_ulLnnqC_mqNvxq`@';

describe('encodePolyline', () => {
  test('encodes the documented example with six places', () => {
    expect(encodePolyline(EXAMPLE)).toBe(EXAMPLE_WITH_SIX_PLACES);
  });

  test('differs from five places by its scale only', () => {
    const tenth = EXAMPLE.map(({ latitude, longitude }) => ({ latitude: latitude / 10, longitude: longitude / 10 }));
    expect(encodePolyline(tenth)).toBe(EXAMPLE_WITH_FIVE_PLACES);
  });

  test('encodes a repeated point as "??"', () => {
    const point = { latitude: 24.7, longitude: 46.7 };
    expect(encodePolyline([point, point]).endsWith('??')).toBe(true);
  });

  test('is reversible to the sixth place', () => {
    const point = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), (points) => {
        const text = encodePolyline(points);
        expect(isPolyline(text)).toBe(true);
        const read = decodePolyline(text);
        expect(read).toHaveLength(points.length);
        for (const [index, { latitude, longitude }] of points.entries()) {
          expect(Math.abs((read[index]?.[0] ?? Number.NaN) - latitude)).toBeLessThan(0.51e-6);
          expect(Math.abs((read[index]?.[1] ?? Number.NaN) - longitude)).toBeLessThan(0.51e-6);
        }
      }),
    );
  });
});

describe('isPolyline', () => {
  test.each([EXAMPLE_WITH_SIX_PLACES, '??', '????', '@\\'])('accepts %s', (text) => {
    expect(isPolyline(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['half a point', '?'],
    ['a number cut off', EXAMPLE_WITH_SIX_PLACES.slice(0, -1)],
    ['a point cut in half', '?????'],
    ['a character below the alphabet', '>?'],
    ['a character above the alphabet', '?\u007F'],
    ['a line end', '??\n'],
    ['letters of another script', 'طريق'],
  ])('refuses %s', (_what, text) => {
    expect(isPolyline(text)).toBe(false);
  });

  test('checks a long text quickly', () => {
    const startedAtMs = performance.now();
    expect(isPolyline('_'.repeat(1_000_000))).toBe(false);
    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });
});
