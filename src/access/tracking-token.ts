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

/** The shard in a token; undefined if the text is not a token. */
export function shardOfTrackingToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}
