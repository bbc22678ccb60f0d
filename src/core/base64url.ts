/** Base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of base64 that `toBase64` has written. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The bytes of base64url text; undefined if the text is not canonical base64url (RFC 4648 section 3.5). */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64Url(text)) return undefined;
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/**
 * Whether `toBase64Url` could have written the text. Decoders accept more: padding, white space, the other alphabet, and
 * extra bits after the last byte. A token with several spellings would bypass checks that compare its text.
 */
export function isBase64Url(text: string): boolean {
  return CANONICAL.test(text);
}

/** Four characters are three bytes. Two at the end are one byte and four zero bits, three are two bytes and two zero bits. */
const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;
