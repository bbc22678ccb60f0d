import { metersBetween } from '../../core/earth.ts';
import { encodePolyline, type Point } from '../../core/polyline.ts';
import type { Coordinates, Routing } from '../../ports/routing.ts';

/**
 * Stands in for a routing engine on `local` and `sandbox`. The same two places always give the same route: the great
 * circle between them, made longer as roads are. Into the Empty Quarter there is none, so that this case can be tried.
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

/** Roads in cities are about this much longer than the way of a bird. */
const DETOUR = 1.3;
/** 36 km/h, a usual average with traffic lights. */
const METERS_PER_SECOND = 10;
/** Nobody parks, walks and hands over in less. */
const DURATION_SECONDS_MIN = 60;
/** Enough for a map to show more than a straight stroke between two markers. */
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

/** Straight in degrees: over distances inside one country nobody sees the difference from the great circle. */
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
