/* Decoders for drawn barcodes and QR codes, following the tables of the standards. */

/** Widths of bars and spaces of the symbols 0 to 106 (ISO/IEC 15417 table 1). */
const PATTERNS = `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132
  122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123
  212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422
  121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142
  121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311
  113141 114131 311141 411131 211412 211214 211232 2331112`.split(/\s+/);
const [TO_C, TO_B, TO_A, START_A, START_B, START_C, STOP] = [99, 100, 101, 103, 104, 105, 106];

interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

/** The dark runs in an SVG path of the service. */
function runsOf(path: string): Run[] {
  return [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map(([, x, y, length]) => ({
    x: Number(x),
    y: Number(y),
    length: Number(length),
  }));
}

/** Decodes a Code 128 barcode without control characters. Throws if it is unreadable. */
export function readBarcode(path: string): string {
  const bars = runsOf(path);
  const widths = bars.flatMap(({ x, length }, index) => {
    const next = bars[index + 1];
    return next === undefined ? [length] : [length, next.x - x - length];
  });
  const symbols: number[] = [];
  for (let at = 0; at < widths.length; at += 6) {
    const left = widths.length - at;
    symbols.push(PATTERNS.indexOf(widths.slice(at, left === 7 ? at + 7 : at + 6).join('')));
    if (left === 7) break;
  }
  const [start = -1, ...rest] = symbols;
  const [check, stop] = rest.splice(-2);
  const sum = rest.reduce((total, symbol, index) => total + symbol * (index + 1), start);
  if (symbols.includes(-1) || stop !== STOP || check !== sum % 103) throw new Error(`No Code 128: ${symbols.join()}`);
  let set = start;
  let text = '';
  for (const symbol of rest) {
    if (symbol === TO_A && set !== START_A) set = START_A;
    else if (symbol === TO_B && set !== START_B) set = START_B;
    else if (symbol === TO_C && set !== START_C) set = START_C;
    else text += set === START_C ? String(symbol).padStart(2, '0') : String.fromCharCode(symbol + 32);
  }
  return text;
}

/** Numbers and lengths of data blocks at level M (ISO/IEC 18004 table 9), by version. */
const BLOCKS: Readonly<Record<number, readonly [count: number, length: number]>> = {
  3: [1, 44],
  4: [2, 32],
  5: [2, 43],
  6: [4, 27],
};
const LEVEL_M = 0;
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Decodes a QR code of versions 3 to 6 at level M in byte mode, without error correction. */
export function readQr(path: string, width: number, quiet: number): string {
  const size = width - 2 * quiet;
  const dark = new Set(
    runsOf(path).flatMap(({ x, y, length }) => Array.from({ length }, (_, step) => `${x + step - quiet} ${y - quiet}`)),
  );
  const isDark = (x: number, y: number) => dark.has(`${x} ${y}`);
  const [count, length] = BLOCKS[(size - 17) / 4] ?? [0, 0];
  const format = formatOf(isDark);
  const mask = MASKS[format & 7];
  if (format >> 3 !== LEVEL_M || mask === undefined || count === 0) throw new Error(`No QR code: ${size}, ${format}`);
  const bits = placesOf(size).map(([x, y]) => (isDark(x, y) !== mask(x, y) ? 1 : 0));
  const codewords = Array.from({ length: count * length }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  );
  const blocks = Array.from({ length: count }, (_, block) => codewords.filter((_, index) => index % count === block));
  const data = blocks.flat().flatMap((byte) => [...byte.toString(2).padStart(8, '0')]);
  const take = (start: number, bitCount: number) => Number.parseInt(data.slice(start, start + bitCount).join(''), 2);
  if (take(0, 4) !== 4) throw new Error('No QR code of bytes');
  return new TextDecoder().decode(Uint8Array.from({ length: take(4, 8) }, (_, index) => take(12 + index * 8, 8)));
}

/** Level and mask: the first five format bits, beside the upper left finder (ISO/IEC 18004 section 7.9). */
function formatOf(isDark: (x: number, y: number) => boolean): number {
  const bits = [0, 1, 2, 3, 4].map((x) => (isDark(x, 8) ? 1 : 0));
  return Number.parseInt(bits.join(''), 2) ^ 0b10101;
}

/** The positions of the data bits in order: two columns up, two down, skipping function patterns. */
function placesOf(size: number): [x: number, y: number][] {
  const isOwn = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && (y < 9 || y >= size - 8)) ||
    (x >= size - 8 && y < 9) ||
    (Math.abs(x - (size - 7)) < 3 && Math.abs(y - (size - 7)) < 3);
  const places: [number, number][] = [];
  const pairs = Array.from(
    { length: (size - 1) / 2 },
    (_, index) => size - 1 - 2 * index - (index * 2 > size - 9 ? 1 : 0),
  );
  for (const [index, right] of pairs.entries()) {
    for (let step = 0; step < size; step += 1) {
      const y = index % 2 === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isOwn(x, y)) places.push([x, y]);
    }
  }
  return places;
}
