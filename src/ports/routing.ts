import type { Decimal } from '../core/decimal.ts';

/** A place on Earth: degrees of WGS 84. */
export interface Coordinates {
  readonly latitude: Decimal;
  readonly longitude: Decimal;
}

/** How a car drives there. Whole meters and seconds, half of one rounded up. */
export interface Route {
  readonly distanceMeters: number;
  readonly durationSeconds: number;
  /** The line of the route as an encoded polyline with six decimal places. */
  readonly geometry: string;
}

/**
 * - `no_route`: no road leads from the one place to the other. Asking again changes nothing.
 * - `unavailable`: nobody could say; asking again later may help.
 */
export type RouteAnswer =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly reason: 'unavailable' | 'no_route' };

export interface Routing {
  /** What answers: `fixture` makes plausible routes up, `none` never answers. */
  readonly engine: 'osrm' | 'fixture' | 'none';
  /** Answers within two seconds, and never rejects. */
  findRoute(from: Coordinates, to: Coordinates): Promise<RouteAnswer>;
}
