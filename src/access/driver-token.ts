import { requireActor } from '../core/acting-as.ts';
import { toBase64Url } from '../core/base64url.ts';
import { type Instant, toMillis } from '../core/instant.ts';
import { Kept } from '../core/kept.ts';
import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import type { Uuid } from '../core/uuid.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { bearerOf, tokenHashOf, unauthenticated } from './authenticate.ts';

/** A driver who has signed in. */
export interface DriverPrincipal {
  readonly driverId: Uuid;
  /** The shard that the driver works in. */
  readonly shard: string;
  /** The company of a sandbox's driver. */
  readonly companyId: Uuid | null;
}

/** A session as its shard has it. */
export interface DriverSession extends DriverPrincipal {
  readonly expiresAt: Instant;
}

/** A token must stop working within 60 s after its session ends. The other 10 s are for reads in progress. */
const KEPT_MS = 50_000;
/** About 300 bytes each. */
const SESSIONS_MAX = 20_000;

/** Caches the sessions of drivers by the hash of their token, because a driver's app sends a request every few seconds. */
export class DriverSessions {
  readonly #clock: Clock;
  readonly #sessions: Kept<string, DriverSession>;

  constructor(clock: Clock) {
    this.#clock = clock;
    const nowMs = () => toMillis(clock.now());
    this.#sessions = new Kept({ keptMs: KEPT_MS, entriesMax: SESSIONS_MAX, nowMs });
  }

  get(tokenHash: string): DriverSession | undefined {
    const session = this.#sessions.get(tokenHash);
    if (session === undefined || session.expiresAt > this.#clock.now()) return session;
    this.#sessions.forget(tokenHash);
    return undefined;
  }

  /** `readAt`: when the session was read. */
  set(tokenHash: string, session: DriverSession, readAt: Instant): void {
    this.#sessions.set(tokenHash, session, toMillis(readAt));
  }

  /** Deletes the sessions of a driver. Other processes keep them for up to `KEPT_MS`. */
  deleteOf(driverId: Uuid): void {
    this.#sessions.forgetWhere((session) => session.driverId === driverId);
  }
}

const TOKEN_BYTES = 32;
/** The shard's name, then 256 random bits, so that a request finds its database without a read of the directory. */
const TOKEN = /^drv_([a-z0-9-]{1,32})_[A-Za-z0-9_-]{43}$/;

/** A new session token. It is opaque to drivers' apps and cannot be guessed. */
export function newDriverToken(shard: string, random: Random): string {
  return `drv_${shard}_${toBase64Url(random.bytes(TOKEN_BYTES))}`;
}

/** The shard in a driver's token. It is not verified: a client can write any shard into a token. */
export function shardOfDriverToken(token: string): string | undefined {
  return TOKEN.exec(token)?.[1];
}

/** Finds the driver of an active session in the shard of its token; `unknown` if the database did not answer. */
export type FindDriver = (shard: string, tokenHash: string) => Promise<DriverPrincipal | undefined | 'unknown'>;

/**
 * The driver of an Authorization header. Throws the `Problem` of RFC 6750: the same 401 for every invalid token,
 * including tokens of merchants' systems, 503 if the driver's shard did not answer, and 409 if the page shows another driver.
 */
export async function authenticateDriver(
  findDriver: FindDriver,
  header: string | null,
  actingAs: string | null,
): Promise<DriverPrincipal> {
  const token = bearerOf(header);
  const shard = token === undefined ? undefined : shardOfDriverToken(token);
  if (token === undefined || shard === undefined) throw unauthenticated(header);
  const driver = await findDriver(shard, await tokenHashOf(token));
  if (driver === 'unknown') throw new Problem(unavailable());
  if (driver === undefined) throw unauthenticated(header);
  requireActor(actingAs, { id: driver.driverId, companyId: null });
  return driver;
}
