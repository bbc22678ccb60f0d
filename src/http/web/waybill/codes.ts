import code128 from 'jsbarcode/bin/barcodes/CODE128/CODE128_AUTO.js';
import { encode } from 'uqr';

/* Codes as paths of squares and bars, one unit a module: sharp at every size, and without a picture to fetch. */

export interface DrawnCode {
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

/** Ten modules of white on either side (ISO/IEC 15417 section 4.3.2). */
const BARCODE_QUIET = 10;
/** Four (ISO/IEC 18004 section 6.3.8). */
const QR_QUIET = 4;

const Code128 = 'default' in code128 ? code128.default : code128;

/** A text of ASCII as Code 128, one unit high: it is stretched to the height that there is. */
export function drawBarcode(text: string): DrawnCode {
  const { data } = new Code128(text, {}).encode();
  const path = [...data.matchAll(/1+/g)].map(
    ({ 0: bar, index }) => `M${BARCODE_QUIET + index} 0h${bar.length}v1h-${bar.length}z`,
  );
  return { width: data.length + 2 * BARCODE_QUIET, height: 1, path: path.join('') };
}

/** A text as a QR code that is read though a seventh of it is dirty. */
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
