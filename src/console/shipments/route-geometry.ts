import type { MapBounds } from '../../contract/streets.ts';
import { planeAt, pointAt, roundLength, type Spot, toTenth } from '../../core/earth.ts';

/** A position, with the exact decimals of the service. */
export interface GeoPoint {
  readonly latitude: string;
  readonly longitude: string;
}

export interface Sketch<Name extends string> {
  readonly spots: Readonly<Partial<Record<Name, Spot>>>;
  /** A round distance and its length in the drawing. */
  readonly scale: { readonly meters: number; readonly length: number };
  /** What the drawing shows of the earth. */
  readonly bounds: MapBounds;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
}

/** The drawing covers at least this distance, even if all positions are the same. */
const SPAN_METERS_MIN = 100;
/** The maximum share of the width that the scale bar takes. */
const SCALE_PART = 0.35;

/** Projects positions with north up and true proportions. Over the distance of a delivery, the earth counts as flat. */
export function sketchOf<Name extends string>(
  places: Readonly<Partial<Record<Name, GeoPoint>>>,
  { width, height, padding }: Frame,
): Sketch<Name> {
  const points = (Object.entries(places) as [Name, GeoPoint | undefined][]).flatMap(([name, place]) =>
    place === undefined ? [] : [{ name, latitude: Number(place.latitude), longitude: Number(place.longitude) }],
  );
  const middle = {
    latitude: middleOf(points.map(({ latitude }) => latitude)),
    longitude: middleOf(points.map(({ longitude }) => longitude)),
  };
  const toMeters = planeAt(middle);
  const flat = points.map((point) => ({ name: point.name, ...toMeters(point) }));
  const reach = (values: readonly number[]) => Math.max(SPAN_METERS_MIN, Math.max(...values) - Math.min(...values));
  const metersPerUnit = Math.max(
    reach(flat.map(({ x }) => x)) / (width - 2 * padding),
    reach(flat.map(({ y }) => y)) / (height - 2 * padding),
  );
  const spots: Partial<Record<Name, Spot>> = {};
  for (const { name, x, y } of flat) {
    spots[name] = { x: toTenth(width / 2 + x / metersPerUnit), y: toTenth(height / 2 + y / metersPerUnit) };
  }
  const meters = roundLength(width * SCALE_PART * metersPerUnit);
  const corner = { x: (width / 2) * metersPerUnit, y: (height / 2) * metersPerUnit };
  const toPoint = pointAt(middle);
  const [northWest, southEast] = [toPoint({ x: -corner.x, y: -corner.y }), toPoint(corner)];
  const bounds = {
    west: northWest.longitude,
    south: southEast.latitude,
    east: southEast.longitude,
    north: northWest.latitude,
  };
  return { spots, scale: { meters, length: toTenth(meters / metersPerUnit) }, bounds };
}

function middleOf(values: readonly number[]): number {
  return (Math.max(...values) + Math.min(...values)) / 2;
}
