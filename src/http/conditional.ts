import { toBase64Url } from '../core/base64url.ts';
import { sha256 } from '../core/crypto.ts';

/* Conditional requests (RFC 9110 section 13): who has the current representation is told so, and not sent it again. */

/** A strong tag of 128 bits: the same text has it on every machine. */
export async function textTagOf(text: string): Promise<string> {
  return `"${toBase64Url((await sha256(text)).subarray(0, 16))}"`;
}

/** Weak comparison (section 13.1.2): whoever compresses on the way makes the tag weak. */
export function hasCurrent(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
