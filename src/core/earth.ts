import type { Decimal } from './decimal.ts';
import type { Point } from './polyline.ts';

/** The mean radius (IUGG). */
const EARTH_RADIUS_METERS = 6_371_008.8;

/** A point, with exact decimals where it is stored. */
interface Place {
  readonly latitude: number | Decimal;
  readonly longitude: number | Decimal;
}

/** Great-circle distance by the haversine formula, which stays exact for neighbours. */
export function metersBetween(first: Place, second: Place): number {
  const [phi1, phi2] = [radians(Number(first.latitude)), radians(Number(second.latitude))];
  const lambda = radians(Number(second.longitude) - Number(first.longitude));
  const northward = Math.sin((phi2 - phi1) / 2) ** 2;
  const eastward = Math.cos(phi1) * Math.cos(phi2) * Math.sin(lambda / 2) ** 2;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(northward + eastward));
}

/** A place on a drawing: its distances from the left edge and from the upper edge. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

const METERS_PER_DEGREE = radians(EARTH_RADIUS_METERS);

/** Meters east and south of a point. Over the length of a delivery, a flat projection is exact enough for a drawing. */
export function planeAt({ latitude: north, longitude: west }: Point): (point: Point) => Spot {
  const perDegreeEast = METERS_PER_DEGREE * Math.cos(radians(north));
  return ({ latitude, longitude }) => ({
    x: (longitude - west) * perDegreeEast,
    y: (north - latitude) * METERS_PER_DEGREE,
  });
}

/** The point on earth that `planeAt` of the same origin places at a spot. */
export function pointAt({ latitude: north, longitude: west }: Point): (spot: Spot) => Point {
  const perDegreeEast = METERS_PER_DEGREE * Math.cos(radians(north));
  return ({ x, y }) => ({ latitude: north - y / METERS_PER_DEGREE, longitude: west + x / perDegreeEast });
}

/** The length of a scale bar: 1, 2 or 5 with zeros, and not longer than `longest`. */
export function roundLength(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest));
  return ([5, 2].find((digit) => digit * power <= longest) ?? 1) * power;
}

/** Rounds to a tenth of a unit of a drawing, because a finer difference is not visible. */
export function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
