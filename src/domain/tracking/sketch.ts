import type { MapBounds } from '../../contract/streets.ts';
import { roundLength, type Spot, toTenth } from '../../core/earth.ts';
import type { Point } from '../../core/polyline.ts';
import { AREA_METERS, DRIVER_METERS_MAX, distanceBetween, openRouteOf } from './open-route.ts';

/*
 * The route of a shipment as a drawing that shows the holder of a link its shape and its length. The driver's dot, the
 * scale and north allow placing the drawing on a map. So both ends are areas: the middle of an area is the middle of a
 * cell in a fixed grid, not the door. The line starts and ends at the edges of the areas.
 */

/** The place is somewhere in this circle. */
type Area = Spot & { readonly radius: number };

export interface Sketch {
  readonly width: number;
  readonly height: number;
  /** The line from the edge of one area to the edge of the other. Empty if the areas overlap. */
  readonly line: readonly Spot[];
  readonly pickup: Area;
  readonly destination: Area;
  readonly driver: Spot | null;
  /** A round distance, and its length in the drawing. */
  readonly scale: { readonly meters: number; readonly length: number };
  /** What the drawing shows of the earth. */
  readonly bounds: MapBounds;
}

const WIDTH = 360;
const HEIGHT = 220;
/** Room for the markers at the edges. */
const MARGIN = 28;
/** Points that are closer than this look like one. */
const SPOT_DISTANCE_MIN = 1.5;
/** Limits the path to about ten kilobytes for any road. */
const SPOTS_MAX = 600;

/** Draws the route of an encoded line and the position of the driver. Undefined for a line without points. */
export function sketchRoute(geometry: string, driver: Point | null): Sketch | undefined {
  const route = openRouteOf(geometry);
  if (route === undefined) return undefined;
  const { pickup, destination, way, toMeters, toPoint } = route;
  // A driver who is farther away would shrink the rest of the drawing to a dot.
  const farthest = Math.max(DRIVER_METERS_MAX, distanceBetween(pickup, destination));
  const at = driver === null ? undefined : toMeters(driver);
  const isNear =
    at !== undefined && Math.min(distanceBetween(at, pickup), distanceBetween(at, destination)) <= farthest;
  const shown = isNear ? at : undefined;
  const edges = [pickup, destination].flatMap(({ x, y }) => [
    { x: x - AREA_METERS, y: y - AREA_METERS },
    { x: x + AREA_METERS, y: y + AREA_METERS },
  ]);
  const frame = frameOf([...way, ...edges, ...(shown === undefined ? [] : [shown])]);
  const [northWest, southEast] = [toPoint(frame.northWest), toPoint(frame.southEast)];
  const radius = toTenth(AREA_METERS * frame.unitsPerMeter);
  return {
    width: WIDTH,
    height: HEIGHT,
    line: thinned(way.map(frame.place)),
    pickup: { ...frame.place(pickup), radius },
    destination: { ...frame.place(destination), radius },
    driver: shown === undefined ? null : frame.place(shown),
    scale: scaleOf(frame.unitsPerMeter),
    bounds: {
      west: northWest.longitude,
      south: southEast.latitude,
      east: southEast.longitude,
      north: northWest.latitude,
    },
  };
}

/** The scale of the drawing, its corners in meters, and the function that converts meters to its units: everything is visible and centred. */
function frameOf(spots: readonly Spot[]) {
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  const [left, top] = [least(xs), least(ys)];
  const [across, down] = [-least(xs.map((x) => -x)) - left, -least(ys.map((y) => -y)) - top];
  const unitsPerMeter = Math.min((WIDTH - 2 * MARGIN) / across, (HEIGHT - 2 * MARGIN) / down);
  const place = ({ x, y }: Spot): Spot => ({
    x: toTenth(WIDTH / 2 + (x - left - across / 2) * unitsPerMeter),
    y: toTenth(HEIGHT / 2 + (y - top - down / 2) * unitsPerMeter),
  });
  const cornerAt = (x: number, y: number): Spot => ({
    x: left + across / 2 + (x - WIDTH / 2) / unitsPerMeter,
    y: top + down / 2 + (y - HEIGHT / 2) / unitsPerMeter,
  });
  return { unitsPerMeter, place, northWest: cornerAt(0, 0), southEast: cornerAt(WIDTH, HEIGHT) };
}

/** A loop, because a long line has too many points to pass as arguments of `Math.min`. */
function least(values: readonly number[]): number {
  return values.reduce((smallest, value) => Math.min(smallest, value), Number.POSITIVE_INFINITY);
}

/** Drops points that are too close to the previous one; the last point stays. */
function thinned(line: readonly Spot[]): readonly Spot[] {
  const kept: Spot[] = [];
  for (const spot of line) {
    const previous = kept.at(-1);
    if (previous === undefined || distanceBetween(previous, spot) >= SPOT_DISTANCE_MIN || spot === line.at(-1))
      kept.push(spot);
  }
  const stride = Math.ceil(kept.length / SPOTS_MAX);
  return kept.filter((_, index) => index % stride === 0 || index === kept.length - 1);
}

function scaleOf(unitsPerMeter: number): Sketch['scale'] {
  const meters = roundLength(WIDTH / 4 / unitsPerMeter);
  return { meters, length: toTenth(meters * unitsPerMeter) };
}
