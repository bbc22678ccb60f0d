import type { Font, PathCommand } from 'fontkit';
import type { Glyph } from './shaper.ts';

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
  readonly font: Font;
  readonly glyphs: readonly Glyph[];
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
  const crossings = Array.from({ length: height }, (): { readonly x: number; readonly winding: 1 | -1 }[] => []);
  for (const { x0, y0, x1, y1, winding } of runs.flatMap((placed) => edgesOf(placed, baseline))) {
    // The rows whose middles the edge crosses.
    for (let row = Math.max(0, Math.ceil(y0 - 0.5)); row + 0.5 < y1; row += 1)
      crossings[row]?.push({ x: x0 + ((row + 0.5 - y0) * (x1 - x0)) / (y1 - y0), winding });
  }
  for (const [row, crossed] of crossings.entries()) {
    let [depth, start] = [0, 0];
    for (const { x, winding } of crossed.toSorted((one, other) => one.x - other.x)) {
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

function edgesOf({ font, glyphs, x, scale }: PlacedRun, baseline: number): Edge[] {
  const edges: Edge[] = [];
  let pen = x;
  for (const { id, xAdvance, xOffset, yOffset } of glyphs) {
    const [left, bottom] = [pen + xOffset * scale, baseline - yOffset * scale];
    addOutline(edges, font.getGlyph(id).path.commands, { left, bottom, scale });
    pen += xAdvance * scale;
  }
  return edges;
}

/** The outline of a TrueType glyph: straight lines and quadratic curves. */
function addOutline(
  edges: Edge[],
  commands: readonly PathCommand[],
  { left, bottom, scale }: { readonly left: number; readonly bottom: number; readonly scale: number },
): void {
  let [startX, startY, atX, atY] = [0, 0, 0, 0];
  const goTo = (x: number, y: number) => {
    if (atY < y) edges.push({ x0: atX, y0: atY, x1: x, y1: y, winding: 1 });
    else if (atY > y) edges.push({ x0: x, y0: y, x1: atX, y1: atY, winding: -1 });
    atX = x;
    atY = y;
  };
  for (const { command, args } of commands) {
    const x1 = left + (args[0] ?? 0) * scale;
    const y1 = bottom - (args[1] ?? 0) * scale;
    if (command === 'moveTo') {
      [startX, startY, atX, atY] = [x1, y1, x1, y1];
    } else if (command === 'lineTo') {
      goTo(x1, y1);
    } else if (command === 'closePath') {
      goTo(startX, startY);
    } else {
      const [x0, y0] = [atX, atY];
      const x2 = left + (args[2] ?? 0) * scale;
      const y2 = bottom - (args[3] ?? 0) * scale;
      for (let step = 1; step <= CURVE_STEPS; step += 1) {
        const part = step / CURVE_STEPS;
        const [before, middle, after] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
        goTo(before * x0 + middle * x1 + after * x2, before * y0 + middle * y1 + after * y2);
      }
    }
  }
  goTo(startX, startY);
}
