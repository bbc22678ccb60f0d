import { planeAt, roundLength, type Spot, toTenth } from '../../core/earth.ts';

/** A place on the earth; its decimals as the service has them. */
export interface GeoPoint {
  readonly latitude: string;
  readonly longitude: string;
}

export interface Sketch<Name extends string> {
  readonly spots: Readonly<Partial<Record<Name, Spot>>>;
  /** A round distance, and how long it is in the drawing. */
  readonly scale: { readonly meters: number; readonly length: number };
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly padding: number;
}

/** Places on one spot are drawn as though a hundred metres were to be seen. */
const SPAN_METERS_MIN = 100;
/** How much of the drawing the scale bar may take. */
const SCALE_PART = 0.35;

/** Lays places out north up, in true proportion: over the way of a delivery the earth is flat. */
export function sketchOf<Name extends string>(
  places: Readonly<Partial<Record<Name, GeoPoint>>>,
  { width, height, padding }: Frame,
): Sketch<Name> {
  const points = (Object.entries(places) as [Name, GeoPoint | undefined][]).flatMap(([name, place]) =>
    place === undefined ? [] : [{ name, latitude: Number(place.latitude), longitude: Number(place.longitude) }],
  );
  const toMeters = planeAt({
    latitude: middleOf(points.map(({ latitude }) => latitude)),
    longitude: middleOf(points.map(({ longitude }) => longitude)),
  });
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
  return { spots, scale: { meters, length: toTenth(meters / metersPerUnit) } };
}

function middleOf(values: readonly number[]): number {
  return (Math.max(...values) + Math.min(...values)) / 2;
}
