import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planeAt, type Spot } from '../../../../src/core/earth.ts';
import { decodePolyline, encodePolyline } from '../../../../src/core/polyline.ts';
import { type Sketch, sketchRoute } from '../../../../src/domain/tracking/sketch.ts';

const PICKUP = { latitude: 24.711667, longitude: 46.674167 };
const DESTINATION = { latitude: 24.794722, longitude: 46.626111 };
const distance = (from: Spot, to: Spot) => Math.hypot(to.x - from.x, to.y - from.y);

function sketchOf(points: readonly (typeof PICKUP)[], driver: typeof PICKUP | null = null): Sketch {
  const sketch = sketchRoute(encodePolyline(points), driver);
  if (sketch === undefined) throw new Error('Nothing was drawn');
  return sketch;
}

/** A point in or around the cities of Saudi Arabia. */
const point = fc.record({
  latitude: fc.double({ min: 17, max: 31, noNaN: true }),
  longitude: fc.double({ min: 36, max: 55, noNaN: true }),
});

describe('a polyline', () => {
  it('is decoded to the encoded points', () => {
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

  it('that is cut off or malformed is decoded up to the fault', () => {
    const whole = encodePolyline([PICKUP, DESTINATION]);
    expect(decodePolyline(whole.slice(0, -2))).toEqual([PICKUP]);
    expect(decodePolyline(`${encodePolyline([PICKUP])}\n`)).toEqual([PICKUP]);
    expect(decodePolyline('')).toEqual([]);
    expect(decodePolyline('~'.repeat(100))).toEqual([]);
  });
});

describe('the drawing of a route', () => {
  it('has north at the top, and everything inside its edges', () => {
    const { pickup, destination, line, width, height } = sketchOf([PICKUP, DESTINATION]);
    expect(destination.y).toBeLessThan(pickup.y);
    expect(destination.x).toBeLessThan(pickup.x);
    for (const { x, y } of [pickup, destination, ...line]) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(height);
    }
  });

  it('hides both doors by some hundred meters, even from a reader who uses dot, scale and north', () => {
    fc.assert(
      fc.property(point, fc.double({ min: -0.05, max: 0.05, noNaN: true }), (from, east) => {
        const to = { latitude: from.latitude + 0.05, longitude: from.longitude + east };
        const dot = { latitude: from.latitude + 0.025, longitude: from.longitude + east / 2 };
        const { driver, line, scale, pickup, destination } = sketchOf([from, to], dot);
        if (driver === null) throw new Error('The driver is on the way');
        const toMeters = planeAt(dot);
        const metersPerUnit = scale.meters / scale.length;
        const placed = ({ x, y }: Spot) => ({ x: (x - driver.x) * metersPerUnit, y: (y - driver.y) * metersPerUnit });
        // Coordinates and scale are rounded to a tenth of a unit.
        const blur = metersPerUnit;
        const [first, last] = [line[0], line.at(-1)];
        if (first === undefined || last === undefined) throw new Error('A way of 5 km has a line');
        for (const [end, door, area] of [
          [first, from, pickup],
          [last, to, destination],
        ] as const) {
          expect(distance(placed(end), toMeters(door))).toBeGreaterThan(300 - blur);
          expect(Math.abs(distance(end, area) - area.radius)).toBeLessThan(0.3);
          expect(distance(placed(area), toMeters(door))).toBeLessThan(area.radius * metersPerUnit + blur);
          for (const spot of line) expect(distance(spot, area)).toBeGreaterThanOrEqual(area.radius - 0.3);
        }
      }),
    );
  });

  it.each(['pickup', 'destination'] as const)('shows the same area for every door in a cell: %s', (name) => {
    const areaOf = (latitude: number, longitude: number) => {
      const door = { latitude, longitude };
      const sketch = sketchOf(name === 'pickup' ? [door, PICKUP] : [PICKUP, door]);
      return { ...sketch[name], scale: sketch.scale };
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

  it('has no line when the areas overlap', () => {
    const near = { latitude: 24.7121, longitude: 46.6745 };
    expect(sketchOf([PICKUP, near]).line).toEqual([]);
    expect(sketchOf([PICKUP]).line).toEqual([]);
  });

  it('omits a loop through the pickup area', () => {
    const away = { latitude: 24.73, longitude: 46.66 };
    const { line, pickup } = sketchOf([PICKUP, away, PICKUP, DESTINATION]);
    for (const spot of line) expect(distance(spot, pickup)).toBeGreaterThanOrEqual(pickup.radius - 0.2);
    expect(line.length).toBe(2);
  });

  it('shows the driver near the route, but not far away from it', () => {
    const between = { latitude: 24.75, longitude: 46.65 };
    const { driver, pickup, destination } = sketchOf([PICKUP, DESTINATION], between);
    expect(driver?.y).toBeGreaterThan(destination.y);
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

  it('has at most 601 points for a winding road', () => {
    const winding = Array.from({ length: 20_000 }, (_, index) => ({
      latitude: 24 + index / 100_000,
      longitude: 46 + 0.3 * Math.sin(index),
    }));
    expect(sketchOf(winding).line.length).toBeLessThanOrEqual(601);
  });

  it('does not exist without a route', () => {
    expect(sketchRoute('', null)).toBeUndefined();
  });
});
