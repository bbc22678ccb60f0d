import { pause } from '../../../core/timer.ts';
import { HEIGHT, layoutLabel, type Mark, WIDTH } from './layout.ts';
import type { Sheets } from './pdf.ts';
import { type Bitmap, rasterize } from './raster.ts';
import { type Line, Typesetter } from './typeset.ts';

/*
 * Labels in Zebra's printer language, for 203 dots an inch. The printer draws the codes. Text is pictures, because few
 * printers have an Arabic font and shape its letters.
 */

/** Dots for a millimetre. */
const DOTS = 8;
/** Four inches: the widest that printers of this class print. */
const PAPER_WIDTH = 812;
const PAPER_HEIGHT = 1184;
const MARGIN_X = (PAPER_WIDTH - WIDTH * DOTS) / 2;
const MARGIN_Y = (PAPER_HEIGHT - HEIGHT * DOTS) / 2;
/** Room for a line of text, in units of its size: Arabic letters go far below the baseline. */
const ABOVE = 1.2;
const BELOW = 0.6;

/** The labels as one print job, each a format of its own. */
export async function makeZpl({ labels, faces, notice }: Sheets): Promise<string> {
  const typesetter = new Typesetter(faces);
  const formats: string[] = [];
  for (const label of labels) {
    const fields = layoutLabel(label, notice, typesetter).marks.map(fieldOf);
    formats.push(['^XA', `^PW${PAPER_WIDTH}`, `^LL${PAPER_HEIGHT}`, '^LH0,0', ...fields, '^XZ', ''].join('\n'));
    await pause(0);
  }
  return formats.join('');
}

function fieldOf(mark: Mark<Line>): string {
  const [x, y] = [Math.round(MARGIN_X + mark.x * DOTS), Math.round(MARGIN_Y + mark.y * DOTS)];
  if (mark.kind === 'text') return textField(mark, { x, y });
  const [width, height] = [Math.round(mark.width * DOTS), Math.round(mark.height * DOTS)];
  if (mark.kind === 'ink') return `^FO${x},${y}^GB${width},${height},${Math.min(width, height)}^FS`;
  const module = Math.max(1, Math.floor(width / mark.code.width));
  const left = x + Math.round((width - module * mark.code.width) / 2);
  if (mark.kind === 'qr') {
    // The printer draws no margin around the code. Mode A lets it choose the encoding; M is the error correction.
    const quiet = module * ((mark.code.width - qrSideOf(mark.code.runs)) / 2);
    return `^FO${left + quiet},${y + quiet}^BQN,2,${module}^FDMA,${mark.text}^FS`;
  }
  const quiet = module * (mark.code.runs[0]?.x ?? 0);
  return `^FO${left + quiet},${y}^BY${module}^BCN,${height},N,N,N,A^FD${mark.text}^FS`;
}

/** The width of a code without its margin, in modules. */
function qrSideOf(runs: readonly { readonly x: number; readonly length: number }[]): number {
  const first = Math.min(...runs.map(({ x }) => x));
  return Math.max(...runs.map(({ x, length }) => x + length)) - first;
}

function textField(
  { line, size }: Mark<Line> & { readonly kind: 'text' },
  { x, y }: { readonly x: number; readonly y: number },
): string {
  const dots = size * DOTS;
  // A letter can reach a little over its own width.
  const overhang = Math.ceil(dots / 4);
  const placed = line.pieces.map(({ face, glyphs, x: left }) => ({
    font: face.font,
    glyphs,
    x: overhang + left * dots,
    scale: dots / face.font.unitsPerEm,
  }));
  const above = Math.ceil(dots * ABOVE);
  const width = Math.ceil(line.width * dots) + 2 * overhang;
  const bitmap = rasterize(placed, width, above + Math.ceil(dots * BELOW), above);
  const rows = rowsWithInk(bitmap);
  if (rows === undefined) return '';
  const { rowBytes, bytes } = bitmap;
  const ink = bytes.subarray(rows.first * rowBytes, (rows.last + 1) * rowBytes);
  const data = compress(ink, rowBytes);
  const top = y - above + rows.first;
  return `^FO${Math.max(0, x - overhang)},${Math.max(0, top)}^GFA,${ink.length},${ink.length},${rowBytes},${data}^FS`;
}

function rowsWithInk({ bytes, rowBytes }: Bitmap): { readonly first: number; readonly last: number } | undefined {
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first < 0) return undefined;
  return {
    first: Math.floor(first / rowBytes),
    last: Math.floor(bytes.findLastIndex((byte) => byte !== 0) / rowBytes),
  };
}

/** How often a digit is repeated: G to Y for 1 to 19, g to z for 20 to 400 in twenties. They add up. */
const ONES = ' GHIJKLMNOPQRSTUVWXY';
const TWENTIES = ' ghijklmnopqrstuvwxyz';

/** Hexadecimal digits, compressed as in the ZPL guide: repeated digits, rows and ends of rows are written once. */
function compress(bytes: Uint8Array, rowBytes: number): string {
  const rows: string[] = [];
  let previous = '';
  for (let start = 0; start < bytes.length; start += rowBytes) {
    const row = hexOf(bytes.subarray(start, start + rowBytes));
    rows.push(row === previous ? ':' : compressRow(row));
    previous = row;
  }
  return rows.join('');
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

function compressRow(row: string): string {
  const ink = row.replace(/(?<!0)0+$/, '');
  // The comma fills the row with zeros.
  const end = ink === row ? '' : ',';
  return ink.replaceAll(/(.)\1{2,}/g, (run: string, digit: string) => countOf(run.length) + digit) + end;
}

function countOf(count: number): string {
  const twenties = Math.min(Math.floor(count / 20), 20);
  const ones = count - twenties * 20;
  return `${twenties === 0 ? '' : TWENTIES[twenties]}${ones === 0 ? '' : ONES[ones]}`;
}
