import * as z from 'zod';
import { parsePlainJson } from '../../core/json.ts';
import { isPolyline } from '../../core/polyline.ts';
import type { DrivingRoute } from '../../ports/routing.ts';

/**
 * The meaning of an answer of OSRM's `route` service:
 * - `refused`: the engine refuses this request (400 with its own code, for example a distance above its limit). Other
 *   requests may succeed.
 * - `failed`: not a usable answer, perhaps not from a routing engine.
 */
export type OsrmReading =
  | { readonly kind: 'route'; readonly route: DrivingRoute }
  | { readonly kind: 'no_route' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' };

/** Reads strictly, because prices depend on these numbers. Never throws. */
export function readOsrmRoute(status: number, text: string): OsrmReading {
  const answer = anyAnswer.safeParse(parsePlainJson(text));
  if (!answer.success) return { kind: 'failed' };
  const { code } = answer.data;
  // No road near a place, or none between the two. The engine says so with 400; gateways change statuses.
  if (NO_ROUTE_CODES.has(code)) return { kind: 'no_route' };
  if (code !== 'Ok') return { kind: status === 400 ? 'refused' : 'failed' };

  const found = okAnswer.safeParse(answer.data);
  if (!found.success || status !== 200) return { kind: 'failed' };
  const { routes, waypoints = [] } = found.data;
  if (waypoints.some(({ distance = 0 }) => distance > METERS_FROM_ROAD_MAX)) return { kind: 'no_route' };
  const [{ distance, duration, geometry }] = routes;
  return {
    kind: 'route',
    route: { distanceMeters: Math.round(distance), durationSeconds: Math.round(duration), geometry },
  };
}

/** Codes of OSRM, and of Valhalla for a route above its limit. A retry of the same request would end the same way. */
const NO_ROUTE_CODES: ReadonlySet<string> = new Set(['NoRoute', 'NoSegment', 'DistanceExceeded']);
/** Once around the Earth. */
const DISTANCE_METERS_MAX = 40_075_000;
/** Thirty days: no route takes longer. */
const DURATION_SECONDS_MAX = 2_592_000;
/**
 * Engines move each place to the nearest known road at any distance. Without this limit, a place outside the map would
 * get the price of a drive to another place. A driver cannot deliver an hour's walk from any road.
 */
const METERS_FROM_ROAD_MAX = 5000;

const anyAnswer = z.looseObject({ code: z.string() });

const okRoute = z.object({
  distance: z.number().min(0).max(DISTANCE_METERS_MAX),
  duration: z.number().min(0).max(DURATION_SECONDS_MAX),
  geometry: z.string().refine(isPolyline),
});

/** The first route is the one that the engine recommends. */
const okAnswer = z.object({
  routes: z.tuple([okRoute], z.unknown()),
  /** How far each place was moved to the nearest road, in meters. */
  waypoints: z.array(z.object({ distance: z.number().min(0).optional() })).optional(),
});
