import { toBase64Url } from '../core/base64url.ts';
import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import type { Uuid } from '../core/uuid.ts';
import type { Random } from '../ports/random.ts';
import { bearerOf, tokenHashOf, unauthenticated } from './authenticate.ts';

/** A driver who has signed in. */
export interface DriverPrincipal {
  readonly driverId: Uuid;
  /** The shard that the driver works in. */
  readonly shard: string;
}

const TOKEN_BYTES = 32;
/** The shard's name, then 256 bits: a request finds its database without a look at the directory. */
const TOKEN = /^drv_([a-z0-9-]{1,32})_[A-Za-z0-9_-]{43}$/;

/** A new session token. It is opaque to drivers, and nobody but its holder can know it. */
export function newDriverToken(shard: string, random: Random): string {
  return `drv_${shard}_${toBase64Url(random.bytes(TOKEN_BYTES))}`;
}

/** The shard that a driver's token names. Anybody can write such a token. */
export function shardOfDriverToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

/** Finds the driver of a session that has not ended, by the shard that its token names; `unknown` when nobody could be asked. */
export type FindDriver = (shard: string, tokenHash: string) => Promise<DriverPrincipal | undefined | 'unknown'>;

/**
 * The driver of an Authorization header, or the `Problem` of RFC 6750: the same 401 for every kind of bad token (those of
 * merchants' systems are bad here), 503 when the driver's shard did not answer.
 */
export async function authenticateDriver(findDriver: FindDriver, header: string | null): Promise<DriverPrincipal> {
  const token = bearerOf(header);
  const shard = token === undefined ? undefined : shardOfDriverToken(token);
  if (token === undefined || shard === undefined) throw unauthenticated(header);
  const driver = await findDriver(shard, await tokenHashOf(token));
  if (driver === 'unknown') throw new Problem(unavailable());
  if (driver === undefined) throw unauthenticated(header);
  return driver;
}
