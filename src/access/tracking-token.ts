import { encodeCrockford } from '../core/crockford.ts';
import type { Random } from '../ports/random.ts';

/** 160 bits are 32 symbols of five. */
const TOKEN_BYTES = 20;
const SYMBOLS = 32;
/** The shard's name, then the random part. So a link can be read without the directory. */
const TOKEN = /^([a-z0-9-]{1,32})_[0-9a-hjkmnp-tv-z]{32}$/;

/**
 * A new token of a tracking link. It ends with a letter or digit, because programs cut other characters off the end of
 * a URL.
 */
export function newTrackingToken(shard: string, random: Random): string {
  let value = 0n;
  for (const byte of random.bytes(TOKEN_BYTES)) value = (value << 8n) | BigInt(byte);
  return `${shard}_${encodeCrockford(value, SYMBOLS).toLowerCase()}`;
}

/** A token, and what follows it: anything but another letter or digit of it. */
const TOKEN_AND_END = /^([a-z0-9-]{1,32}_[0-9a-hjkmnp-tv-z]{32})[^0-9A-Za-z]/;

/**
 * The token in a part of a path. What programs and people have stuck to the end of a link is left out, such as a full stop, a
 * bracket, an Arabic comma or a mark of direction. It may be percent-encoded. Any other text stays as it is.
 */
export function tokenInPath(text: string): string {
  const plain = decodedPath(text);
  return TOKEN_AND_END.exec(plain)?.[1] ?? plain;
}

/** A part of a path without percent-encoding, or as it is if that is malformed. */
export function decodedPath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The shard in a token; undefined if the text is not a token. */
export function shardOfTrackingToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}
