import code128 from 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js';
import { encode } from 'uqr';

/* Barcodes and QR codes as vectors, one unit per module: sharp at every size, without an image file. */

export interface DrawnCode {
  readonly width: number;
  readonly height: number;
  readonly runs: readonly DarkRun[];
  /** The runs as an SVG path. */
  readonly path: string;
}

/** Dark modules beside each other, one unit high. */
interface DarkRun {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

/** The white margin on each side, in modules (ISO/IEC 15417 section 4.3.2). */
const BARCODE_QUIET = 10;
/** The white margin of a QR code, in modules (ISO/IEC 18004 section 6.3.8). */
const QR_QUIET = 4;

const Code128 = 'default' in code128 ? code128.default : code128;

/** ASCII text as Code 128, one unit high. The page stretches it to its height. */
export function drawBarcode(text: string): DrawnCode {
  const { data } = new Code128(text, {}).encode();
  const runs = runsOf(data).map(({ x, length }) => ({ x: BARCODE_QUIET + x, y: 0, length }));
  return { width: data.length + 2 * BARCODE_QUIET, height: 1, runs, path: pathOf(runs) };
}

/** A QR code at error correction level M, which cameras can read with about 15 % of it damaged. */
export function drawQr(text: string): DrawnCode {
  const { data, size } = encode(text, { ecc: 'M', border: QR_QUIET });
  const runs = data.flatMap((row, y) =>
    runsOf(row.map((isDark) => (isDark ? '1' : '0')).join('')).map((run) => ({ ...run, y })),
  );
  return { width: size, height: size, runs, path: pathOf(runs) };
}

/** The runs of `1` in a row of modules. */
function runsOf(row: string): { readonly x: number; readonly length: number }[] {
  return [...row.matchAll(/1+/g)].map(({ 0: run, index }) => ({ x: index, length: run.length }));
}

function pathOf(runs: readonly DarkRun[]): string {
  return runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('');
}
