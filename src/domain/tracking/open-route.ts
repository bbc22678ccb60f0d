import { planeAt, pointAt, type Spot } from '../../core/earth.ts';
import { decodePolyline, type Point } from '../../core/polyline.ts';

/*
 * The part of a route that the holder of a link may know: it ends before both doors. The middle of the area around a door
 * is the middle of a cell in a fixed grid.
 */

/** About 550 m: a few hundred households in a Saudi city. */
const CELL_DEGREES = 0.005;
/** Half of a cell's diagonal is 390 m at most, so the line ends at least 310 m before a door. */
export const AREA_METERS = 700;
/** A driver who is farther away from the route than this is not on it. */
export const DRIVER_METERS_MAX = 5_000;

/** In meters from the middle of the area of the pickup. */
export interface OpenRoute {
  readonly pickup: Spot;
  readonly destination: Spot;
  /** The line from the edge of one area to the edge of the other. Empty if the areas overlap. */
  readonly way: readonly Spot[];
  readonly toMeters: (point: Point) => Spot;
  readonly toPoint: (spot: Spot) => Point;
}

/** Undefined for a line without points. */
export function openRouteOf(geometry: string): OpenRoute | undefined {
  const points = decodePolyline(geometry);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const origin = cellOf(first);
  const toMeters = planeAt(origin);
  const [pickup, destination] = [toMeters(origin), toMeters(cellOf(last))];
  const fromPickup = before(points.map(toMeters).toReversed(), pickup).toReversed();
  return { pickup, destination, way: before(fromPickup, destination), toMeters, toPoint: pointAt(origin) };
}

/** The middle of the cell of the grid in which a point is. */
function cellOf({ latitude, longitude }: Point): Point {
  const middleOf = (degrees: number) => (Math.floor(degrees / CELL_DEGREES) + 0.5) * CELL_DEGREES;
  return { latitude: middleOf(latitude), longitude: middleOf(longitude) };
}

/** In meters. */
export function distanceBetween(from: Spot, to: Spot): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** The line up to the point where it first enters the area around `middle`; the rest is not drawn. */
function before(line: readonly Spot[], middle: Spot): readonly Spot[] {
  const inside = line.findIndex((spot) => distanceBetween(spot, middle) < AREA_METERS);
  const [last, next] = [line[inside - 1], line[inside]];
  if (last === undefined || next === undefined) return inside === 0 ? [] : line;
  return [...line.slice(0, inside), crossing(last, next, middle)];
}

/** The point where a line from outside enters the area, by bisection to a few centimeters. */
function crossing(last: Spot, next: Spot, middle: Spot): Spot {
  let [low, high] = [0, 1];
  for (let step = 0; step < 20; step += 1) {
    const half = (low + high) / 2;
    if (distanceBetween(between(last, next, half), middle) < AREA_METERS) high = half;
    else low = half;
  }
  return between(last, next, low);
}

/** The point at a share of the way between two. */
export function between(from: Spot, to: Spot, share: number): Spot {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
