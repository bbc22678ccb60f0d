import { toBase64Url } from '../core/base64url.ts';
import { sha256 } from '../core/crypto.ts';

/* Conditional requests (RFC 9110 section 13): a client that has the current representation gets 304 without a body. */

/** A strong tag of 128 bits: the same text has it on every machine. */
export async function textTagOf(text: string): Promise<string> {
  return `"${toBase64Url((await sha256(text)).subarray(0, 16))}"`;
}

/**
 * A weak tag for a text that may be compressed on the way. A strong tag would promise the same bytes for every content
 * coding (RFC 9110 section 8.8.3.3).
 */
export async function weakTextTagOf(text: string): Promise<string> {
  return `W/${await textTagOf(text)}`;
}

/** Weak comparison (RFC 9110 section 13.1.2), because a proxy that compresses the body makes the tag weak. */
export function hasCurrent(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  // A tag has its quotation marks and none within, so nothing else in the list contains it.
  return ifNoneMatch.includes(etag.replace(/^W\//, '')) || ifNoneMatch.trim() === '*';
}
