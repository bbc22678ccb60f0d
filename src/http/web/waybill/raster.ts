import type { GlyphRun, PathCommand } from 'fontkit';

/** A picture in black and white. A row has whole bytes; the leftmost dot is the highest bit, 1 is black. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly rowBytes: number;
  readonly bytes: Uint8Array;
}

/** A straight piece of an outline. `winding` says whether it goes up or down. */
interface Edge {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly winding: 1 | -1;
}

/** Glyphs on a baseline. All lengths are dots; `y` grows downwards. */
export interface PlacedRun {
  readonly run: GlyphRun;
  readonly x: number;
  /** Dots for a unit of the font. */
  readonly scale: number;
}

/** Straight pieces that stand for a curve: enough for letters of some 60 dots. */
const CURVE_STEPS = 6;

/** Draws text with its baseline at `baseline` into a picture of this size. What lies outside is cut off. */
export function rasterize(runs: readonly PlacedRun[], width: number, height: number, baseline: number): Bitmap {
  const rowBytes = Math.ceil(width / 8);
  const bytes = new Uint8Array(rowBytes * height);
  const edges = runs.flatMap((placed) => edgesOf(placed, baseline));
  for (let row = 0; row < height; row += 1) {
    const middle = row + 0.5;
    const crossings = edges
      .filter(({ y0, y1 }) => y0 <= middle && middle < y1)
      .map(({ x0, y0, x1, y1, winding }) => ({ x: x0 + ((middle - y0) * (x1 - x0)) / (y1 - y0), winding }))
      .toSorted((one, other) => one.x - other.x);
    let [depth, start] = [0, 0];
    for (const { x, winding } of crossings) {
      if (depth === 0) start = x;
      depth += winding;
      if (depth === 0) blacken(bytes, row * rowBytes, Math.max(0, start), Math.min(width, x));
    }
  }
  return { width, height, rowBytes, bytes };
}

/** Blackens the dots of a row whose middle lies between two points. */
function blacken(bytes: Uint8Array, offset: number, from: number, to: number): void {
  for (let dot = Math.ceil(from - 0.5); dot + 0.5 < to; dot += 1) {
    const index = offset + (dot >> 3);
    bytes[index] = (bytes[index] ?? 0) | (0x80 >> (dot & 7));
  }
}

function edgesOf({ run, x, scale }: PlacedRun, baseline: number): Edge[] {
  const edges: Edge[] = [];
  let pen = x;
  for (const [index, glyph] of run.glyphs.entries()) {
    const { xAdvance, xOffset, yOffset } = run.positions[index] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
    const [left, bottom] = [pen + xOffset * scale, baseline - yOffset * scale];
    addOutline(edges, glyph.path.commands, (px, py) => [left + px * scale, bottom - py * scale]);
    pen += xAdvance * scale;
  }
  return edges;
}

type Point = readonly [x: number, y: number];

function addOutline(edges: Edge[], commands: readonly PathCommand[], place: (x: number, y: number) => Point): void {
  let [start, at]: [Point, Point] = [
    [0, 0],
    [0, 0],
  ];
  const goTo = (next: Point) => {
    const [[x0, y0], [x1, y1]] = [at, next];
    if (y0 < y1) edges.push({ x0, y0, x1, y1, winding: 1 });
    else if (y0 > y1) edges.push({ x0: x1, y0: y1, x1: x0, y1: y0, winding: -1 });
    at = next;
  };
  for (const { command, args } of commands) {
    const points = pointsOf(args, place);
    if (command === 'moveTo') {
      start = points[0] ?? start;
      at = start;
    } else if (command === 'closePath') {
      goTo(start);
    } else {
      const corners = [at, ...points];
      const steps = command === 'lineTo' ? 1 : CURVE_STEPS;
      for (let step = 1; step <= steps; step += 1) goTo(pointOn(corners, step / steps));
    }
  }
  goTo(start);
}

function pointsOf(args: readonly number[], place: (x: number, y: number) => Point): Point[] {
  const points: Point[] = [];
  for (let index = 0; index + 1 < args.length; index += 2) points.push(place(args[index] ?? 0, args[index + 1] ?? 0));
  return points;
}

/** A point of a Bézier curve with these corners, by de Casteljau's construction. */
function pointOn(corners: readonly Point[], part: number): Point {
  let points = corners;
  while (points.length > 1) {
    points = points.slice(1).map(([x, y], index): Point => {
      const [fromX, fromY] = points[index] ?? [x, y];
      return [fromX + (x - fromX) * part, fromY + (y - fromY) * part];
    });
  }
  return points[0] ?? [0, 0];
}
