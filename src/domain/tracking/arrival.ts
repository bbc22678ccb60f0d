import type { Spot } from '../../core/earth.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import type { Point } from '../../core/polyline.ts';
import { AREA_METERS, between, DRIVER_METERS_MAX, distanceBetween, openRouteOf } from './open-route.ts';

/** When a driver on the way is expected at the door: between two instants. */
export interface Arrival {
  readonly from: Instant;
  readonly to: Instant;
}

/** A drive through a city differs from its plan by about this much. */
const SHORTEST_SHARE = 0.85;
const LONGEST_SHARE = 1.25;
/** To park and to find the door. */
const DOOR_SECONDS = 180;
/** Whole steps of five minutes: a finer range would change with each position, and tell more of the door than the drawing. */
const STEP_MICROS = 300_000_000n;

interface Drive {
  /** Polyline with six digits, from pickup to destination. */
  readonly geometry: string;
  /** The duration of the whole drive. */
  readonly durationSeconds: number;
}

/**
 * The arrival of a driver who was at `driver` at this time. It uses what the page shows anyway: the rounded position, the
 * route without its ends, and the planned duration. Undefined if the driver is not near the route.
 */
export function arrivalOf({ geometry, durationSeconds }: Drive, driver: Point, at: Instant): Arrival | undefined {
  const share = remainingShare(geometry, driver);
  if (share === undefined) return undefined;
  const seconds = durationSeconds * share;
  const from = addSeconds(at, Math.floor(seconds * SHORTEST_SHARE));
  const to = addSeconds(at, Math.ceil(seconds * LONGEST_SHARE) + DOOR_SECONDS);
  return { from: stepBefore(from), to: stepAfter(to) };
}

/** How much of the route is still ahead. More than 1 if the driver is farther away than the pickup. */
function remainingShare(geometry: string, driver: Point): number | undefined {
  const route = openRouteOf(geometry);
  if (route === undefined) return undefined;
  const line = [route.pickup, ...route.way, route.destination];
  const spot = route.toMeters(driver);
  let nearest = { beside: Number.POSITIVE_INFINITY, ahead: 0 };
  let length = 0;
  for (let index = line.length - 1; index > 0; index -= 1) {
    const [start, end] = [line[index - 1], line[index]];
    if (start === undefined || end === undefined) continue;
    const foot = footOf(spot, start, end);
    const beside = distanceBetween(spot, foot);
    if (beside < nearest.beside) nearest = { beside, ahead: length + distanceBetween(foot, end) };
    length += distanceBetween(start, end);
  }
  if (nearest.beside > DRIVER_METERS_MAX) return undefined;
  // Doors in the same cell may still be some hundred meters apart.
  return (nearest.ahead + nearest.beside) / Math.max(length, AREA_METERS);
}

/** The point of a straight line that is nearest to `spot`. */
function footOf(spot: Spot, start: Spot, end: Spot): Spot {
  const [x, y] = [end.x - start.x, end.y - start.y];
  const square = x * x + y * y;
  const share = square === 0 ? 0 : ((spot.x - start.x) * x + (spot.y - start.y) * y) / square;
  return between(start, end, Math.min(1, Math.max(0, share)));
}

function stepBefore(instant: Instant): Instant {
  return (instant - (instant % STEP_MICROS)) as Instant;
}

function stepAfter(instant: Instant): Instant {
  return stepBefore((instant + STEP_MICROS - 1n) as Instant);
}
