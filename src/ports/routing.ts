import type { Decimal } from '../core/decimal.ts';

/** A place on Earth: degrees of WGS 84. */
export interface Coordinates {
  readonly latitude: Decimal;
  readonly longitude: Decimal;
}

/** A route by car. Meters and seconds are whole numbers, halves are rounded up. */
export interface DrivingRoute {
  readonly distanceMeters: number;
  readonly durationSeconds: number;
  /** The line of the route as an encoded polyline with six decimal places. */
  readonly geometry: string;
}

/**
 * - `no_route`: no road connects the two places. A retry does not help.
 * - `unavailable`: the engine did not answer. A later retry may succeed.
 */
export type RouteAnswer =
  | { readonly ok: true; readonly route: DrivingRoute }
  | { readonly ok: false; readonly reason: 'unavailable' | 'no_route' };

export interface Routing {
  /** Which engine answers: `fixture` computes plausible routes, `none` never answers. */
  readonly engine: 'osrm' | 'fixture' | 'none';
  /** Resolves within two seconds and never rejects. */
  findRoute(from: Coordinates, to: Coordinates): Promise<RouteAnswer>;
}
