import * as z from 'zod';
import { parsePlainJson } from '../../core/json.ts';
import { isPolyline } from '../../core/polyline.ts';
import type { Route } from '../../ports/routing.ts';

/**
 * What an answer of OSRM's `route` service says:
 * - `refused`: the engine understood this question and will not answer it (400 with a code of its own, for example a
 *   distance past its limit). Nothing can be told from that about other questions.
 * - `failed`: no usable answer. Whoever sent it may not even be a routing engine.
 */
export type OsrmReading =
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'no_route' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' };

/** Reads strictly: a price rests on these numbers, so what is not exactly a route is none. Never throws. */
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

/** OSRM's, and Valhalla's for a way past its limit: asking for the same again would end alike. */
const NO_ROUTE_CODES: ReadonlySet<string> = new Set(['NoRoute', 'NoSegment', 'DistanceExceeded']);
/** Once around the Earth. */
const DISTANCE_METERS_MAX = 40_075_000;
/** Thirty days: such a road does not exist. */
const DURATION_SECONDS_MAX = 2_592_000;
/**
 * Engines move each place to the nearest road that they know, however far that is. A place beyond their map would get
 * the price of a drive to somewhere else; nobody delivers by car to what is an hour's walk from every road.
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
  /** How far each place was moved to stand on a road, in meters. */
  waypoints: z.array(z.object({ distance: z.number().min(0).optional() })).optional(),
});
