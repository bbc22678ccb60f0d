import type { MapBounds, StreetPaths } from '../../contract/streets.ts';
import type { Spot } from '../../core/earth.ts';
import type { Point } from '../../core/polyline.ts';

export interface Street {
  readonly isMajor: boolean;
  readonly line: readonly Point[];
}

/** Two units of a path for each unit of the tracking page's drawing. A finer difference is not visible. */
const WIDTH = 720;
/**
 * Characters of both paths. They use 14 different ones, so gzip needs at most four bits for each: less than 12 kB in all.
 */
const STREET_CHARACTERS_MAX = 23_000;
/** Points that are closer than this look like one, and a street that is shorter looks like a dot. */
const DISTANCE_MIN = 4;

/**
 * Draws the streets in a rectangle. If there are too many, the longest main roads come first and the shortest side streets
 * are omitted.
 */
export function drawStreets(streets: readonly Street[], bounds: MapBounds): StreetPaths {
  const { west, south, east, north } = bounds;
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const height = Math.max(1, Math.round((WIDTH * (north - south)) / ((east - west) * narrowing)));
  const place = ({ latitude, longitude }: Point): Spot => ({
    x: Math.round(((longitude - west) / (east - west)) * WIDTH),
    y: Math.round(((north - latitude) / (north - south)) * height),
  });
  const pieces = streets.flatMap(({ isMajor, line }) =>
    visiblePieces(thinned(line.map(place)), height).map((spots) => ({ isMajor, spots, length: lengthOf(spots) })),
  );
  const longestFirst = pieces
    .filter(({ length }) => length >= DISTANCE_MIN)
    .toSorted((one, other) => Number(other.isMajor) - Number(one.isMajor) || other.length - one.length);
  const paths = { major: '', minor: '' };
  let left = STREET_CHARACTERS_MAX;
  for (const { isMajor, spots } of longestFirst) {
    const text = pathOf(spots);
    if (text.length > left) continue;
    left -= text.length;
    paths[isMajor ? 'major' : 'minor'] += text;
  }
  return { width: WIDTH, height, ...paths };
}

/** Drops points that are too close to the previous one; the last point stays. */
function thinned(spots: readonly Spot[]): readonly Spot[] {
  const kept: Spot[] = [];
  for (const spot of spots) {
    const previous = kept.at(-1);
    if (previous === undefined || distanceOf(previous, spot) >= DISTANCE_MIN) kept.push(spot);
  }
  const last = spots.at(-1);
  return last === undefined || kept.at(-1) === last ? kept : [...kept, last];
}

/** The parts of a line that may be seen in the rectangle. The drawing itself cuts off what lies outside. */
function visiblePieces(spots: readonly Spot[], height: number): readonly (readonly Spot[])[] {
  const pieces: Spot[][] = [];
  let piece: Spot[] | undefined;
  for (const [index, next] of spots.entries()) {
    const spot = spots[index - 1];
    if (spot === undefined) continue;
    const isOutside =
      Math.max(spot.x, next.x) < 0 ||
      Math.min(spot.x, next.x) > WIDTH ||
      Math.max(spot.y, next.y) < 0 ||
      Math.min(spot.y, next.y) > height;
    if (isOutside) piece = undefined;
    else if (piece === undefined) {
      piece = [spot, next];
      pieces.push(piece);
    } else piece.push(next);
  }
  return pieces;
}

function lengthOf(spots: readonly Spot[]): number {
  return spots.reduce((sum, spot, index) => sum + distanceOf(spots[index - 1] ?? spot, spot), 0);
}

function distanceOf(from: Spot, to: Spot): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** A polyline from its start, with the differences between its points, as short as SVG allows. */
function pathOf(spots: readonly Spot[]): string {
  return spots.reduce((text, { x, y }, index) => {
    const previous = spots[index - 1];
    if (previous === undefined) return `M${x}${joined(y)}`;
    const across = x - previous.x;
    return `${text}${index === 1 ? `l${across}` : joined(across)}${joined(y - previous.y)}`;
  }, '');
}

/** A number after another one: a minus sign separates them. */
function joined(value: number): string {
  return value < 0 ? `${value}` : ` ${value}`;
}
