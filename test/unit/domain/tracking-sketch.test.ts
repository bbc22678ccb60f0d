import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Spot } from '../../../src/core/earth.ts';
import { decodePolyline, encodePolyline } from '../../../src/core/polyline.ts';
import { type Sketch, sketchRoute } from '../../../src/domain/tracking/sketch.ts';

const PICKUP = { latitude: 24.711667, longitude: 46.674167 };
const DESTINATION = { latitude: 24.794722, longitude: 46.626111 };
const distance = (from: Spot, to: Spot) => Math.hypot(to.x - from.x, to.y - from.y);

function sketchOf(points: readonly (typeof PICKUP)[], driver: typeof PICKUP | null = null): Sketch {
  const sketch = sketchRoute(encodePolyline(points), driver);
  if (sketch === undefined) throw new Error('Nothing was drawn');
  return sketch;
}

/** Somewhere in or around the cities of the Kingdom. */
const point = fc.record({
  latitude: fc.double({ min: 17, max: 31, noNaN: true }),
  longitude: fc.double({ min: 36, max: 55, noNaN: true }),
});

describe('a polyline', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(point), (points) => {
        const read = decodePolyline(encodePolyline(points));
        expect(read).toHaveLength(points.length);
        for (const [index, { latitude, longitude }] of points.entries()) {
          expect(read[index]?.latitude).toBeCloseTo(latitude, 5);
          expect(read[index]?.longitude).toBeCloseTo(longitude, 5);
        }
      }),
    );
  });

  it('that is cut off or foreign ends where it can be read no more', () => {
    const whole = encodePolyline([PICKUP, DESTINATION]);
    expect(decodePolyline(whole.slice(0, -2))).toEqual([PICKUP]);
    expect(decodePolyline(`${encodePolyline([PICKUP])}\n`)).toEqual([PICKUP]);
    expect(decodePolyline('')).toEqual([]);
    expect(decodePolyline('~'.repeat(100))).toEqual([]);
  });
});

describe('the drawing of a way', () => {
  it('has north above, and everything within its edges', () => {
    const { pickup, area, line, width, height } = sketchOf([PICKUP, DESTINATION]);
    expect(area.y).toBeLessThan(pickup.y);
    expect(area.x).toBeLessThan(pickup.x);
    for (const { x, y } of [pickup, area, ...line]) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(height);
    }
  });

  it('keeps the destination within the area, and the line out of it, wherever that is', () => {
    fc.assert(
      fc.property(point, fc.double({ min: -0.2, max: 0.2, noNaN: true }), (from, east) => {
        const to = { latitude: from.latitude + 0.1, longitude: from.longitude + east };
        const { area, line } = sketchOf([from, to]);
        const beyond = line.slice(0, -1).map((spot) => distance(spot, area));
        expect(Math.min(...beyond, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(area.radius - 0.2);
        const end = line.at(-1);
        expect(end === undefined ? 0 : Math.abs(distance(end, area) - area.radius)).toBeLessThan(0.3);
      }),
    );
  });

  it('is the same area for every door of a cell', () => {
    const areaOf = (latitude: number, longitude: number) => {
      const { area, scale } = sketchOf([PICKUP, { latitude, longitude }]);
      return { x: area.x, y: area.y, radius: area.radius, scale };
    };
    const one = areaOf(24.79001, 46.62501);
    for (const [north, east] of [
      [24.79499, 46.62501],
      [24.79001, 46.62999],
      [24.7925, 46.6275],
    ] as const)
      expect(areaOf(north, east)).toEqual(one);
    expect(areaOf(24.79501, 46.62501)).not.toEqual(one);
  });

  it('has no line when the pickup is in the area itself', () => {
    const near = { latitude: 24.7121, longitude: 46.6745 };
    expect(sketchOf([PICKUP, near]).line).toEqual([]);
    expect(sketchOf([PICKUP]).line).toEqual([]);
  });

  it('shows the driver where he is, but not one who is somewhere else altogether', () => {
    const between = { latitude: 24.75, longitude: 46.65 };
    const { driver, pickup, area } = sketchOf([PICKUP, DESTINATION], between);
    expect(driver?.y).toBeGreaterThan(area.y);
    expect(driver?.y).toBeLessThan(pickup.y);
    expect(sketchOf([PICKUP, DESTINATION], { latitude: 21.5, longitude: 39.2 }).driver).toBeNull();
    expect(sketchOf([PICKUP, DESTINATION]).driver).toBeNull();
  });

  it.each([
    [0.02, [500, 1000]],
    [0.2, [5000, 10_000]],
    [2, [50_000, 100_000]],
  ])('has a scale of a round length: %s degrees', (north, lengths) => {
    const { scale, width } = sketchOf([PICKUP, { ...PICKUP, latitude: PICKUP.latitude + north }]);
    expect(lengths).toContain(scale.meters);
    expect(scale.length).toBeLessThanOrEqual(width / 4);
    expect(scale.length).toBeGreaterThan(width / 12);
  });

  it('stays small for a road that winds', () => {
    const winding = Array.from({ length: 20_000 }, (_, index) => ({
      latitude: 24 + index / 100_000,
      longitude: 46 + 0.3 * Math.sin(index),
    }));
    expect(sketchOf(winding).line.length).toBeLessThanOrEqual(601);
  });

  it('is none without a line', () => {
    expect(sketchRoute('', null)).toBeUndefined();
  });
});
