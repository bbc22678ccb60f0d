/** Base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of base64url text, or undefined when it is not base64url in its one spelling (RFC 4648 section 3.5). */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64Url(text)) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * Whether text is what `toBase64Url` makes of some bytes. Decoders take more than that: padding, white space, the other
 * alphabet, and any bits behind the last byte. A token of several spellings slips by whatever knows it by its text.
 */
export function isBase64Url(text: string): boolean {
  return CANONICAL.test(text);
}

/** Four characters are three bytes; two at the end are one byte and four bits of nothing, three two bytes and two. */
const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;
