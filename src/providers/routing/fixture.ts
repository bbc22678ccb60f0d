import { metersBetween } from '../../core/earth.ts';
import { encodePolyline, type Point } from '../../core/polyline.ts';
import type { Coordinates, Routing } from '../../ports/routing.ts';

/**
 * Replaces a routing engine on `local` and `sandbox`. The same two places always have the same route: the great circle
 * between them, made longer because roads are. The Empty Quarter has no route, so that clients can test this case.
 */
export const fixtureRouting: Routing = {
  engine: 'fixture',
  findRoute(from, to) {
    const [start, end] = [pointOf(from), pointOf(to)];
    if (isRoadless(start) || isRoadless(end)) return Promise.resolve({ ok: false, reason: 'no_route' });
    const distanceMeters = Math.round(metersBetween(start, end) * DETOUR);
    const durationSeconds = Math.max(Math.round(distanceMeters / METERS_PER_SECOND), DURATION_SECONDS_MIN);
    return Promise.resolve({ ok: true, route: { distanceMeters, durationSeconds, geometry: lineBetween(start, end) } });
  },
};

/** How much longer a route in a city is than the straight line. */
const DETOUR = 1.3;
/** 36 km/h, a usual average with traffic lights. */
const METERS_PER_SECOND = 10;
/** Even the shortest delivery takes a minute to park, walk and hand over. */
const DURATION_SECONDS_MIN = 60;
/** Several points, so that a map shows more than one straight line. */
const LINE_POINTS = 5;

/** A part of the Empty Quarter that no road crosses. */
const ROADLESS = { south: 19, north: 21, west: 49, east: 53 };

function pointOf({ latitude, longitude }: Coordinates): Point {
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

function isRoadless({ latitude, longitude }: Point): boolean {
  const { south, north, west, east } = ROADLESS;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

/** A straight line in degrees. Within one country it looks the same as the great circle. */
function lineBetween(start: Point, end: Point): string {
  const points = Array.from({ length: LINE_POINTS }, (_, index) => {
    const share = index / (LINE_POINTS - 1);
    return {
      latitude: start.latitude + (end.latitude - start.latitude) * share,
      longitude: start.longitude + (end.longitude - start.longitude) * share,
    };
  });
  return encodePolyline(points);
}
