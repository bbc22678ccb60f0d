import type { Database } from '../../db/database.ts';
import type { AccessTokens } from '../access/access-token.ts';
import type { AuthenticateDependencies, TokenCache } from '../access/authenticate.ts';
import type { Cursors } from '../access/cursor.ts';
import { ok, type Result, refuse } from '../core/result.ts';
import { tokenStatusOf } from '../domain/credentials/client-authentication.ts';
import type { PickupPoints } from '../domain/places/pickup-point.ts';
import type { Lane } from '../domain/shipments/lane.ts';
import type { Config } from './config.ts';
import type { Writer } from './coordination/ports.ts';
import type { Clock } from './ports/clock.ts';
import type { Limiter } from './ports/limiter.ts';
import type { Random } from './ports/random.ts';

/** A libSQL database with the one way to write to it. */
export interface Store {
  readonly database: Database;
  readonly writer: Writer;
}

/** Everything the routers and faces work with. An entry builds it once from a configuration and its adapters. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly limiter: Limiter;
  readonly tokens: AccessTokens;
  readonly tokenCache: TokenCache;
  readonly cursors: Cursors;
  readonly pickupPoints: PickupPoints;
  readonly lane: Lane;
  readonly directory: Store;
  readonly shards: ReadonlyMap<string, Store>;
}

/** The shard of that name; 503 while a token or company names one that this deployment is not configured with. */
export function shardOf(services: Services, shard: string): Result<Store> {
  const store = services.shards.get(shard);
  return store === undefined ? refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 }) : ok(store);
}

export function authenticateDependencies(services: Services): AuthenticateDependencies {
  const { tokens, clock, tokenCache, directory } = services;
  return {
    tokens,
    clock,
    cache: tokenCache,
    tokenStatus: (principal) => tokenStatusOf(directory.database, clock, principal),
  };
}
