/** Small valid files, and some that are of two kinds. */

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );

export const PDF = bytes('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
export const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xd9]);
/** One grey pixel. */
export const PNG = new Uint8Array(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64'),
);
/** Begins as one type and ends as another, so two programs would read two different files. */
export const JPEG_THEN_PDF = bytes([...JPEG], [...PDF]);
export const PNG_THEN_PDF = bytes([...PNG], [...PDF]);

/** A PNG of exactly this size: the one above, padded. */
export function pngOf(size: number): Uint8Array<ArrayBuffer> {
  return bytes([...PNG], [...new Uint8Array(size - PNG.length)]);
}

/** A PDF of exactly this size. */
export function pdfOf(size: number): Uint8Array<ArrayBuffer> {
  const tail = '\n%%EOF';
  return bytes('%PDF-1.7\n', [...new Uint8Array(size - 9 - tail.length).fill(0x25)], tail);
}
