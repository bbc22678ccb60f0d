/*
 * What cameras and programs write into pictures beside the image: place, time, device, names, small copies of what was
 * cut away later. Only the parts that a reader needs to draw the image are kept.
 */

/**
 * The picture without metadata. A JPEG keeps its exact pixels, colours and rotation, a PNG its pixels, colours and
 * rotation, a WebP its pixels and colours. Where a file does not follow its format, what cannot be read is left out,
 * because a tolerant reader could find metadata in it. Files of other types are returned as they are.
 */
export function withoutMetadata(bytes: Uint8Array<ArrayBuffer>, contentType: string): Uint8Array<ArrayBuffer> {
  if (contentType === 'image/jpeg') return jpegWithoutMetadata(bytes);
  if (contentType === 'image/png') return pngWithoutMetadata(bytes);
  if (contentType === 'image/webp')
    return webpWithoutMetadata(bytes.subarray(0, endOfPicture(bytes, contentType) ?? bytes.length));
  return bytes;
}

/**
 * Where a JPEG or a WebP ends; undefined if its file does not say it. Phones append a second picture or a film, and some programs
 * padding, which readers ignore.
 */
export function endOfPicture(bytes: Uint8Array, contentType: string): number | undefined {
  if (contentType === 'image/jpeg') return endOfJpeg(bytes);
  if (contentType !== 'image/webp') return undefined;
  const length = uint16(bytes, 4, true) + uint16(bytes, 6, true) * 0x10000;
  const end = RIFF_HEAD_BYTES - 4 + length;
  return hasAscii(bytes, 0, 'RIFF') && hasAscii(bytes, 8, 'WEBP') && end <= bytes.length ? end : undefined;
}

/** The width and the height of a picture in pixels. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture as it is shown; undefined if its file does not say it where its format requires. */
export function sizeOfPicture(bytes: Uint8Array<ArrayBuffer>, contentType: string): PictureSize | undefined {
  if (contentType === 'image/jpeg') return jpegSize(bytes);
  if (contentType === 'image/png') return pngSize(bytes);
  return contentType === 'image/webp' ? webpSize(bytes) : undefined;
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

/** Segments are passed over by their length, because the small copy of the image in one has an end of its own. */
function endOfJpeg(bytes: Uint8Array): number | undefined {
  for (let at = nextMarker(bytes, 2); at !== undefined; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === EOI) return at + 2;
    const end = isBare(marker) ? at + 2 : at + 2 + uint16(bytes, at + 2);
    if (end > bytes.length || (!isBare(marker) && end < at + 4)) return undefined;
    at = nextMarker(bytes, marker === SOS ? endOfScan(bytes, end) : end);
  }
  return undefined;
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

/** Frames (ITU T.81, table B.1). Between them stand the markers of Huffman and arithmetic tables and of extensions. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** From this orientation on, the sides of the image are exchanged. */
const ON_ITS_SIDE = 5;

function jpegSize(bytes: Uint8Array<ArrayBuffer>): PictureSize | undefined {
  let isOnItsSide = false;
  for (let at = nextMarker(bytes, 2); at !== undefined; ) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrame(marker)) {
      const [height, width] = [uint16(bytes, at + 5), uint16(bytes, at + 7)];
      return isOnItsSide ? { width: height, height: width } : { width, height };
    }
    const end = isBare(marker) ? at + 2 : at + 2 + uint16(bytes, at + 2);
    if (marker === APP1 && hasAscii(bytes, at + 4, 'Exif\0\0'))
      isOnItsSide = orientationOf(bytes.subarray(at + 10, end)) >= ON_ITS_SIDE;
    at = nextMarker(bytes, Math.max(end, at + 2));
  }
  return undefined;
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
  return [0xff, APP1, 0, 34, ...asciiOf('Exif\0\0'), ...tiffOf(orientation)];
}

function tiffOf(orientation: number): number[] {
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
  return [...header, ...directory];
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
  for (const { type, start, end } of pngChunks(bytes)) if (PNG_CHUNKS.has(type)) kept.add(start, end);
  const orientation = pngOrientation(bytes);
  return kept.copy(bytes, [], [...(orientation === 1 ? [] : pngChunkOf('eXIf', tiffOf(orientation))), ...PNG_END]);
}

/** The chunks before the end that are whole. */
function pngChunks(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = PNG_SIGNATURE_BYTES; start + 12 <= bytes.length; ) {
    const end = start + 12 + uint16(bytes, start) * 0x10000 + uint16(bytes, start + 2);
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    if (type === 'IEND' || end > bytes.length) break;
    chunks.push({ type, start, content: start + 8, end });
    start = end;
  }
  return chunks;
}

/** A PNG may say as a JPEG does how it must be turned (PNG, third edition, section 11.3.4.5). */
function pngOrientation(bytes: Uint8Array): number {
  const exif = pngChunks(bytes).find(({ type }) => type === 'eXIf');
  return exif === undefined ? 1 : orientationOf(bytes.subarray(exif.content, exif.end - 4));
}

function pngChunkOf(type: string, content: readonly number[]): number[] {
  const checked = [...asciiOf(type), ...content];
  return [...uint32Of(content.length), ...checked, ...uint32Of(crc32Of(checked))];
}

function uint32Of(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

/** The checksum of a chunk (PNG, third edition, section 5.5). */
function crc32Of(bytes: readonly number[]): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function pngSize(bytes: Uint8Array): PictureSize | undefined {
  if (!hasAscii(bytes, 12, 'IHDR')) return undefined;
  const side = (at: number) => uint16(bytes, at) * 0x10000 + uint16(bytes, at + 2);
  const [width, height] = [side(16), side(20)];
  return pngOrientation(bytes) >= ON_ITS_SIDE ? { width: height, height: width } : { width, height };
}

/** Chunks of a WebP that say how the image is drawn (RFC 9649 section 2.7). Frames of an animation are not among them. */
const WEBP_CHUNKS: ReadonlySet<string> = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
const RIFF_HEAD_BYTES = 12;
/** In VP8X: the flags of Exif, XMP and animation (RFC 9649 section 2.7.1). */
const WEBP_DROPPED_FLAGS = 0x08 | 0x04 | 0x02;

interface Chunk {
  readonly type: string;
  readonly start: number;
  /** Of its content. */
  readonly content: number;
  readonly end: number;
}

/** The chunks of a WebP that are whole. A content of odd length is followed by one byte of padding. */
function webpChunks(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = RIFF_HEAD_BYTES; start + 8 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(start, start + 4));
    const length = uint16(bytes, start + 4, true) + uint16(bytes, start + 6, true) * 0x10000;
    const end = start + 8 + length + (length % 2);
    if (end > bytes.length) break;
    chunks.push({ type, start, content: start + 8, end });
    start = end;
  }
  return chunks;
}

function webpWithoutMetadata(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept = new Ranges();
  for (const { type, start, end } of webpChunks(bytes)) if (WEBP_CHUNKS.has(type)) kept.add(start, end);
  const copy = kept.copy(bytes, [...asciiOf('RIFF'), 0, 0, 0, 0, ...asciiOf('WEBP')], []);
  new DataView(copy.buffer).setUint32(4, copy.length - 8, true);
  const extended = webpChunks(copy).find(({ type }) => type === 'VP8X');
  if (extended !== undefined) copy[extended.content] = (copy[extended.content] ?? 0) & ~WEBP_DROPPED_FLAGS;
  return copy;
}

/** The size of the image itself, which readers decode. An animation has none. */
function webpSize(bytes: Uint8Array): PictureSize | undefined {
  for (const { type, content } of webpChunks(bytes)) {
    const short = (at: number) => uint16(bytes, content + at, true);
    // A key frame: three bytes, its start code, then fourteen bits for each side (RFC 6386 section 9.1).
    if (type === 'VP8 ' && short(3) === 0x019d) return { width: short(6) & 0x3fff, height: short(8) & 0x3fff };
    if (type !== 'VP8L' || bytes[content] !== 0x2f) continue;
    // Fourteen bits for each side less one (RFC 9649 section 3.4).
    const bits = short(1) + short(3) * 0x10000;
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
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
