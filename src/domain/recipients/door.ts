import type { MapBounds } from '../../contract/streets.ts';
import { planeAt, pointAt, roundLength, type Spot, toTenth } from '../../core/earth.ts';
import { decodePolyline, type Point } from '../../core/polyline.ts';

/** The surroundings of a door as a drawing, for the recipient alone. North is up. */
export interface DoorSketch {
  readonly width: number;
  readonly height: number;
  /** The end of the driver's way to the door. */
  readonly way: readonly Spot[];
  readonly door: Spot;
  /** Where the door would be after a change. */
  readonly proposed: Spot | null;
  /** A round distance, and its length in the drawing. */
  readonly scale: { readonly meters: number; readonly length: number };
  /** What the drawing shows of the earth. */
  readonly bounds: MapBounds;
}

const WIDTH = 360;
const HEIGHT = 220;
/** So many metres from the door to the upper edge: a few streets. */
const METERS = 250;
/** Room for the signs at the edges. */
const MARGIN = 24;

/** Draws the surroundings of a door with the end of an encoded route, and the place that the door would be moved to. Pure. */
export function sketchDoor(door: Point, geometry: string, proposed: Point | null = null): DoorSketch {
  const toMeters = planeAt(door);
  const there = proposed === null ? { x: 0, y: 0 } : toMeters(proposed);
  const middle = { x: there.x / 2, y: there.y / 2 };
  const unitsPerMeter = Math.min(
    (HEIGHT / 2 - MARGIN) / Math.max(METERS, Math.abs(middle.y)),
    (WIDTH / 2 - MARGIN) / Math.max(METERS, Math.abs(middle.x)),
  );
  const place = ({ x, y }: Spot): Spot => ({
    x: toTenth(WIDTH / 2 + (x - middle.x) * unitsPerMeter),
    y: toTenth(HEIGHT / 2 + (y - middle.y) * unitsPerMeter),
  });
  const cornerAt = (side: -1 | 1) =>
    pointAt(door)({
      x: middle.x + (side * WIDTH) / 2 / unitsPerMeter,
      y: middle.y + (side * HEIGHT) / 2 / unitsPerMeter,
    });
  const [northWest, southEast] = [cornerAt(-1), cornerAt(1)];
  const meters = roundLength(WIDTH / 4 / unitsPerMeter);
  return {
    width: WIDTH,
    height: HEIGHT,
    way: wayTo(decodePolyline(geometry).map((point) => place(toMeters(point)))),
    door: place({ x: 0, y: 0 }),
    proposed: proposed === null ? null : place(there),
    scale: { meters, length: toTenth(meters * unitsPerMeter) },
    bounds: {
      west: northWest.longitude,
      south: southEast.latitude,
      east: southEast.longitude,
      north: northWest.latitude,
    },
  };
}

/** The last spots of a route, and one outside of the drawing. */
function wayTo(spots: readonly Spot[]): readonly Spot[] {
  const isOutside = ({ x, y }: Spot) => x < 0 || y < 0 || x > WIDTH || y > HEIGHT;
  return spots.slice(Math.max(0, spots.findLastIndex(isOutside)));
}
