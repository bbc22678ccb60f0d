import { endOfPicture } from '../core/picture.ts';
import type { LogoContentType } from './media-asset-state.ts';
import type { DocumentContentType } from './registration-state.ts';

/** The first and the last bytes of each type of file. */
const MARKS: Readonly<
  Record<DocumentContentType, { readonly first: readonly number[]; readonly last: readonly number[] }>
> = {
  // %PDF- and %%EOF (ISO 32000-1, 7.5.2 and 7.5.5).
  'application/pdf': { first: [0x25, 0x50, 0x44, 0x46, 0x2d], last: [0x25, 0x25, 0x45, 0x4f, 0x46] },
  // Start of image and the next marker, end of image (ITU T.81, B.1.1.3).
  'image/jpeg': { first: [0xff, 0xd8, 0xff], last: [0xff, 0xd9] },
  // The signature with the length and the name of IHDR, and the whole of IEND (RFC 2083, 3.1 and 4.1.4).
  'image/png': {
    first: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52],
    last: [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82],
  },
};

/** Bytes that may follow the end of a file without meaning: NUL, tab, line ends, space. */
const PADDING: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/**
 * Whether these bytes are a file of this type from the first to the last, or a picture with something after its end. Another file that starts as one type and ends as
 * another is refused, because two programs could interpret it differently.
 */
export function isOfType(bytes: Uint8Array, contentType: DocumentContentType | LogoContentType): boolean {
  const pictureEnd = endOfPicture(bytes, contentType);
  if (contentType === 'image/webp') return pictureEnd !== undefined;
  const { first, last } = MARKS[contentType];
  const end = pictureEnd ?? endOf(bytes, last);
  return end >= first.length + last.length && matchesAt(bytes, first, 0) && matchesAt(bytes, last, end - last.length);
}

/** The file without what follows the end of a picture: it would be kept, and another program could read it as something else. */
export function withoutTrailer(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: DocumentContentType,
): Uint8Array<ArrayBuffer> {
  return bytes.slice(0, endOfPicture(bytes, contentType) ?? bytes.length);
}

const ENCRYPT = '/Encrypt';
const ENCRYPT_VALUE = /^\s*(?:[0-9]+\s+[0-9]+\s+R|<<)/;

/**
 * Whether a PDF is encrypted, so that it may ask for a password: its trailer then refers to a dictionary by this name (ISO 32000-1,
 * 7.5.5). Some only restrict printing and open without one.
 */
export function isProtectedPdf(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes);
  for (let at = text.indexOf(ENCRYPT); at >= 0; at = text.indexOf(ENCRYPT, at + 1))
    if (ENCRYPT_VALUE.test(text.slice(at + ENCRYPT.length, at + ENCRYPT.length + 32))) return true;
  return false;
}

/** The end of a file, without the padding that some programs add. */
function endOf(bytes: Uint8Array, last: readonly number[]): number {
  let end = bytes.length;
  while (end > last.length && PADDING.has(bytes[end - 1] ?? 0)) end -= 1;
  return end;
}

function matchesAt(bytes: Uint8Array, mark: readonly number[], at: number): boolean {
  return mark.every((byte, index) => bytes[at + index] === byte);
}
