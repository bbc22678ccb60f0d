import { fromBase64Url, toBase64Url } from './base64url.ts';
import { Kept } from './kept.ts';

/** The 32 bytes of SHA-256. A text is hashed as UTF-8. */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** SHA-256 in 64 lower-case hexadecimal characters. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await sha256(bytes));
}

/** Two lower-case hexadecimal characters a byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * HMAC-SHA-256 of a text in base64url, with a key in base64url. It replaces secrets in a database: a guess cannot be
 * checked without the key. Secrets of 256 random bits need no slow hash.
 */
export async function hmacOf(key: string, text: string): Promise<string> {
  const imported = await hmacKeys.getOrMake(key, () => importHmacKey(key));
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))));
}

/** Imported once, because that costs more than an HMAC. The configuration has a few keys. */
const hmacKeys = new Kept<string, Promise<CryptoKey>>();

async function importHmacKey(key: string): Promise<CryptoKey> {
  const bytes = fromBase64Url(key);
  if (bytes === undefined) throw new Error('An HMAC key is not base64url');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Whether two texts are equal. The time depends only on the length of `secret`, not on its characters. */
export function isEqualInConstantTime(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let index = 0; index < secret.length; index += 1)
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index);
  return difference === 0;
}

/** A key for AES-256-GCM, from its 32 bytes in base64url. */
export function importAesKey(key: string): Promise<CryptoKey> {
  const bytes = fromBase64Url(key);
  if (bytes === undefined) throw new Error('An AES key is not base64url');
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
