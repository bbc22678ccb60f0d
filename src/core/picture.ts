/*
 * What cameras and programs write into pictures beside the image: place, time, device, names, small copies of what was
 * cut away later. Only the parts that a reader needs to draw the image are kept.
 */

/**
 * The picture without metadata. A JPEG keeps its exact pixels, colours and rotation, a PNG its pixels and colours. Where
 * a file does not follow its format, what cannot be read is left out, because a tolerant reader could find metadata in
 * it. Files of other types are returned as they are.
 */
export function withoutMetadata(bytes: Uint8Array<ArrayBuffer>, contentType: string): Uint8Array<ArrayBuffer> {
  if (contentType === 'image/jpeg') return jpegWithoutMetadata(bytes);
  if (contentType === 'image/png') return pngWithoutMetadata(bytes);
  return bytes;
}

/** Second bytes of JPEG markers (ITU T.81, table B.1). */
const [EOI, SOS, APP0, APP1, APP2, APP14, APP15, COM] = [0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];
/** Markers without a length: restarts, a second start of an image, and TEM. */
const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
/** Longer ones hold a small copy of the image (JFIF 1.02), or what a camera writes of itself (CIFF). */
const APP0_BYTES_MAX = 16;
/** In place of a longer one of the file. */
const JFIF = [0xff, APP0, 0, 16, ...asciiOf('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0];

function jpegWithoutMetadata(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept = new Ranges();
  let header: Iterable<number> = [];
  let orientation = 1;
  for (let at = nextMarker(bytes, 2); at !== undefined; ) {
    const marker = bytes[at + 1] ?? 0;
    // Whatever follows the end is not part of the image: some cameras append a second picture with metadata of its own.
    if (marker === EOI) break;
    if (isBare(marker)) {
      at = nextMarker(bytes, at + 2);
      continue;
    }
    const start = at;
    const length = uint16(bytes, start + 2);
    const end = start + 2 + length;
    if (length < 2 || end > bytes.length) break;
    const begins = (word: string) => hasAscii(bytes, start + 4, word);
    const isShort = length <= APP0_BYTES_MAX;
    const isHeader = marker === APP0 && begins('JFIF\0');
    if (isHeader) header = isShort ? bytes.subarray(start, end) : JFIF;
    if (marker === APP1 && begins('Exif\0\0')) orientation = orientationOf(bytes.subarray(start + 10, end));
    const isMetadata = (marker >= APP0 && marker <= APP15) || marker === COM;
    const isDrawn =
      (marker === APP0 && isShort && !isHeader) ||
      (marker === APP2 && begins('ICC_PROFILE\0')) ||
      (marker === APP14 && begins('Adobe'));
    const next = marker === SOS ? endOfScan(bytes, end) : end;
    if (!isMetadata || isDrawn) kept.add(start, next);
    at = nextMarker(bytes, next);
  }
  // JFIF asks for its header directly after the start of the image.
  const head = [0xff, 0xd8, ...header, ...(orientation === 1 ? [] : exifOf(orientation))];
  return kept.copy(bytes, head, [0xff, EOI]);
}

/** Where the next marker begins: readers skip what stands before it, and any number of 0xff. */
function nextMarker(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return undefined;
    if (next !== 0 && next !== 0xff) return at;
  }
  return undefined;
}

/** Where the next marker begins, or the end. Zeros and restart markers after 0xff belong to the scan (ITU T.81, B.1.1.5). */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = nextMarker(bytes, from); at !== undefined; at = nextMarker(bytes, at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xd0 || marker > 0xd7) return at;
  }
  return bytes.length;
}

const ORIENTATION = 0x0112;
const SHORT = 3;

/** How a reader must turn the image: 1, as it is, to 8 (Exif 2.32, section 4.6.4). */
function orientationOf(tiff: Uint8Array): number {
  const isLittle = hasAscii(tiff, 0, 'II');
  const short = (at: number) => uint16(tiff, at, isLittle);
  const directory = isLittle ? short(4) + short(6) * 0x10000 : short(4) * 0x10000 + short(6);
  const entries = Math.min(short(directory), Math.floor(tiff.length / 12));
  for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment with nothing but the orientation. */
function exifOf(orientation: number): number[] {
  const header = [...asciiOf('MM'), 0, 42, 0, 0, 0, 8];
  const directory = [
    0,
    1,
    ORIENTATION >> 8,
    ORIENTATION & 0xff,
    0,
    SHORT,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  return [0xff, APP1, 0, 34, ...asciiOf('Exif\0\0'), ...header, ...directory];
}

/** Chunks that say how the image is drawn (PNG, third edition, section 11). */
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'tRNS',
  'bKGD',
  'pHYs',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
]);
const PNG_SIGNATURE_BYTES = 8;
const PNG_END = [0, 0, 0, 0, ...asciiOf('IEND'), 0xae, 0x42, 0x60, 0x82];

function pngWithoutMetadata(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept = new Ranges();
  kept.add(0, PNG_SIGNATURE_BYTES);
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IEND' || end > bytes.length) break;
    if (PNG_CHUNKS.has(type)) kept.add(at, end);
    at = end;
  }
  return kept.copy(bytes, [], PNG_END);
}

/** Parts of a file, in order. Neighbours become one, so that a file of tiny parts costs no more than one of a few. */
class Ranges {
  readonly #ranges: { readonly start: number; end: number }[] = [];

  add(start: number, end: number): void {
    const last = this.#ranges.at(-1);
    if (last?.end === start) last.end = end;
    else this.#ranges.push({ start, end });
  }

  /** A file of `head`, these parts of `bytes` and `tail`. */
  copy(bytes: Uint8Array, head: readonly number[], tail: readonly number[]): Uint8Array<ArrayBuffer> {
    const size = this.#ranges.reduce((sum, { start, end }) => sum + end - start, head.length + tail.length);
    const copy = new Uint8Array(size);
    copy.set(head);
    let at = head.length;
    for (const { start, end } of this.#ranges) {
      copy.set(bytes.subarray(start, end), at);
      at += end - start;
    }
    copy.set(tail, at);
    return copy;
  }
}

/** Zero behind the end. */
function uint16(bytes: Uint8Array, at: number, isLittle = false): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  return isLittle ? first + second * 256 : first * 256 + second;
}

function asciiOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function hasAscii(bytes: Uint8Array, at: number, text: string): boolean {
  return asciiOf(text).every((code, index) => bytes[at + index] === code);
}
