/** A place on the earth; its decimals as the service has them. */
export interface GeoPoint {
  readonly latitude: string;
  readonly longitude: string;
}

interface Spot {
  readonly x: number;
  readonly y: number;
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

const METERS_PER_DEGREE = 111_320;
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
  const middle = middleOf(points.map(({ latitude }) => latitude));
  const shrink = Math.cos((middle * Math.PI) / 180);
  const flat = points.map(({ name, latitude, longitude }) => ({
    name,
    east: longitude * METERS_PER_DEGREE * shrink,
    north: latitude * METERS_PER_DEGREE,
  }));
  const east = middleOf(flat.map((point) => point.east));
  const north = middleOf(flat.map((point) => point.north));
  const reach = (values: readonly number[]) => Math.max(SPAN_METERS_MIN, Math.max(...values) - Math.min(...values));
  const metersPerUnit = Math.max(
    reach(flat.map((point) => point.east)) / (width - 2 * padding),
    reach(flat.map((point) => point.north)) / (height - 2 * padding),
  );
  const spots: Partial<Record<Name, Spot>> = {};
  for (const point of flat) {
    const x = width / 2 + (point.east - east) / metersPerUnit;
    const y = height / 2 - (point.north - north) / metersPerUnit;
    spots[point.name] = { x: round(x), y: round(y) };
  }
  const meters = roundDistance(width * SCALE_PART * metersPerUnit);
  return { spots, scale: { meters, length: round(meters / metersPerUnit) } };
}

function middleOf(values: readonly number[]): number {
  return (Math.max(...values) + Math.min(...values)) / 2;
}

/** The largest of 1, 2 and 5 times a power of ten that is not more. */
function roundDistance(atMost: number): number {
  const power = 10 ** Math.floor(Math.log10(atMost));
  return ([5, 2].find((step) => step * power <= atMost) ?? 1) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
