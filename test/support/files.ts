import { crc32, deflateSync } from 'node:zlib';

/** Small valid files, and some that are of two kinds. */

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );

export const PDF = bytes('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
export const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xd9]);
/** A JPEG that says its size: one pixel. */
export const PICTURE = bytes([...JPEG.slice(0, 8), 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9]);
/** One grey pixel. */
export const PNG = new Uint8Array(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64'),
);
/** The same picture, with a text that says where it was taken. */
export const PNG_WITH_PLACE = bytes(
  [...PNG.slice(0, 33)],
  [0, 0, 0, 13],
  'tEXtPlace\x0024.7136',
  [0, 0, 0, 0],
  [...PNG.slice(33)],
);
/** Begins as one type and ends as another, so two programs would read two different files. */
export const JPEG_THEN_PDF = bytes([...JPEG], [...PDF]);
export const PNG_THEN_PDF = bytes([...PNG], [...PDF]);

/** A PNG of exactly this size: the one above or another one, with a chunk of zeros behind its image. */
export function pngOf(size: number, png = PNG): Uint8Array<ArrayBuffer> {
  const chunk = Buffer.alloc(size - png.length);
  chunk.writeUInt32BE(chunk.length - CHUNK_BYTES);
  chunk.write('IDAT', 4);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return new Uint8Array(Buffer.concat([png.slice(0, -CHUNK_BYTES), chunk, png.slice(-CHUNK_BYTES)]));
}
/** Length, type and checksum. The last chunk has nothing else. */
const CHUNK_BYTES = 12;

/** A PDF of exactly this size. */
export function pdfOf(size: number): Uint8Array<ArrayBuffer> {
  const tail = '\n%%EOF';
  return bytes('%PDF-1.7\n', [...new Uint8Array(size - 9 - tail.length).fill(0x25)], tail);
}

/** A PNG of this many grey pixels. */
export function pngOfPixels(width: number, height: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  // Eight bits for each grey pixel.
  head[8] = 8;
  const rows = Buffer.alloc((1 + width) * height, 0x60);
  // Each row begins with its filter: none.
  for (let row = 0; row < height; row += 1) rows[row * (1 + width)] = 0;
  const parts = [PNG.slice(0, 8), pngChunk('IHDR', head), pngChunk('IDAT', deflateSync(rows)), PNG.slice(-CHUNK_BYTES)];
  return new Uint8Array(Buffer.concat(parts));
}

function pngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
