import { planeAt, roundLength, type Spot, toTenth } from '../../core/earth.ts';
import { decodePolyline, type Point } from '../../core/polyline.ts';

/*
 * The way of a shipment as a drawing without a place on Earth: whoever holds a link learns its shape and its length. Where
 * the recipient lives is hidden in an area, whose middle is that of a cell of a fixed grid and not his door. The line ends
 * where it first comes into the area.
 */

export interface Sketch {
  readonly width: number;
  readonly height: number;
  /** From the pickup to the edge of the area; without a point when the pickup is within it. */
  readonly line: readonly Spot[];
  readonly pickup: Spot;
  /** Somewhere in this circle is the destination. */
  readonly area: Spot & { readonly radius: number };
  readonly driver: Spot | null;
  /** A round distance, and how long it is here. */
  readonly scale: { readonly meters: number; readonly length: number };
}

/** About 550 m: a few hundred households in a Saudi city. */
const CELL_DEGREES = 0.005;
/** More than half a cell's diagonal anywhere, so that the area always holds the destination. */
const AREA_METERS = 450;
const WIDTH = 360;
const HEIGHT = 220;
/** Room for the markers at the edges. */
const MARGIN = 28;
/** Points that are closer look like one. */
const SPOT_DISTANCE_MIN = 1.5;
/** Some ten kilobytes at most, however the road winds. */
const SPOTS_MAX = 600;
/** A driver farther away than this, and than the way is long, would make a dot of everything else. */
const DRIVER_METERS_MAX = 5_000;

/** Draws the route of an encoded line and the position of the driver. Undefined for a line without points. */
export function sketchRoute(geometry: string, driver: Point | null): Sketch | undefined {
  const points = decodePolyline(geometry);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const toMeters = planeAt(first);
  const middle = toMeters({ latitude: cellOf(last.latitude), longitude: cellOf(last.longitude) });
  const way = outside(points.map(toMeters), middle);
  const pickup = toMeters(first);
  const farthest = Math.max(DRIVER_METERS_MAX, distance(pickup, middle));
  const at = driver === null ? undefined : toMeters(driver);
  const shown = at !== undefined && Math.min(distance(at, pickup), distance(at, middle)) <= farthest ? at : undefined;
  const frame = frameOf([...way, pickup, ...(shown === undefined ? [] : [shown])], middle);
  return {
    width: WIDTH,
    height: HEIGHT,
    line: thinned(way.map(frame.place)),
    pickup: frame.place(pickup),
    area: { ...frame.place(middle), radius: toTenth(AREA_METERS * frame.unitsPerMeter) },
    driver: shown === undefined ? null : frame.place(shown),
    scale: scaleOf(frame.unitsPerMeter),
  };
}

function cellOf(degrees: number): number {
  return (Math.floor(degrees / CELL_DEGREES) + 0.5) * CELL_DEGREES;
}

function distance(from: Spot, to: Spot): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** The line up to the point where it enters the area; the rest is not drawn. */
function outside(line: readonly Spot[], middle: Spot): readonly Spot[] {
  const inside = line.findIndex((spot) => distance(spot, middle) < AREA_METERS);
  const [before, after] = [line[inside - 1], line[inside]];
  if (before === undefined || after === undefined) return inside === 0 ? [] : line;
  return [...line.slice(0, inside), crossing(before, after, middle)];
}

/** Where a stretch that begins outside comes to the area's edge: halved until it is known to a few centimeters. */
function crossing(before: Spot, after: Spot, middle: Spot): Spot {
  let [low, high] = [0, 1];
  for (let step = 0; step < 20; step += 1) {
    const half = (low + high) / 2;
    if (distance(between(before, after, half), middle) < AREA_METERS) high = half;
    else low = half;
  }
  return between(before, after, low);
}

function between(from: Spot, to: Spot, share: number): Spot {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** How meters become units, so that everything is seen and stands in the middle. */
function frameOf(spots: readonly Spot[], middle: Spot) {
  const xs = [...spots.map(({ x }) => x), middle.x - AREA_METERS, middle.x + AREA_METERS];
  const ys = [...spots.map(({ y }) => y), middle.y - AREA_METERS, middle.y + AREA_METERS];
  const [left, top] = [least(xs), least(ys)];
  const [across, down] = [-least(xs.map((x) => -x)) - left, -least(ys.map((y) => -y)) - top];
  const unitsPerMeter = Math.min((WIDTH - 2 * MARGIN) / across, (HEIGHT - 2 * MARGIN) / down);
  const place = ({ x, y }: Spot): Spot => ({
    x: toTenth(WIDTH / 2 + (x - left - across / 2) * unitsPerMeter),
    y: toTenth(HEIGHT / 2 + (y - top - down / 2) * unitsPerMeter),
  });
  return { unitsPerMeter, place };
}

/** A long line is too many arguments for `Math.min`. */
function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value), Number.POSITIVE_INFINITY);
}

/** Without points that are too close to be seen; the last one stays. */
function thinned(line: readonly Spot[]): readonly Spot[] {
  const kept: Spot[] = [];
  for (const spot of line) {
    const before = kept.at(-1);
    if (before === undefined || distance(before, spot) >= SPOT_DISTANCE_MIN || spot === line.at(-1)) kept.push(spot);
  }
  const stride = Math.ceil(kept.length / SPOTS_MAX);
  return kept.filter((_, index) => index % stride === 0 || index === kept.length - 1);
}

function scaleOf(unitsPerMeter: number): Sketch['scale'] {
  const meters = roundLength(WIDTH / 4 / unitsPerMeter);
  return { meters, length: toTenth(meters * unitsPerMeter) };
}
