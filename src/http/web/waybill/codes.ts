import code128 from 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js';
import { encode } from 'uqr';

/* Barcodes and QR codes as SVG paths, one unit per module: sharp at every size, without an image file. */

export interface DrawnCode {
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

/** The white margin on each side, in modules (ISO/IEC 15417 section 4.3.2). */
const BARCODE_QUIET = 10;
/** The white margin of a QR code, in modules (ISO/IEC 18004 section 6.3.8). */
const QR_QUIET = 4;

const Code128 = 'default' in code128 ? code128.default : code128;

/** ASCII text as Code 128, one unit high. The page stretches it to its height. */
export function drawBarcode(text: string): DrawnCode {
  const { data } = new Code128(text, {}).encode();
  const path = [...data.matchAll(/1+/g)].map(
    ({ 0: bar, index }) => `M${BARCODE_QUIET + index} 0h${bar.length}v1h-${bar.length}z`,
  );
  return { width: data.length + 2 * BARCODE_QUIET, height: 1, path: path.join('') };
}

/** A QR code at error correction level M, which cameras can read with about 15 % of it damaged. */
export function drawQr(text: string): DrawnCode {
  const { data, size } = encode(text, { ecc: 'M', border: QR_QUIET });
  const path = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { width: size, height: size, path: path.join('') };
}
