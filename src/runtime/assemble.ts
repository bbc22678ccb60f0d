import { openDatabase, type ReadConnection } from '../../db/database.ts';
import { AccessTokens } from '../access/access-token.ts';
import { TokenCache } from '../access/authenticate.ts';
import { Cursors } from '../access/cursor.ts';
import { PickupPoints } from '../domain/places/pickup-point.ts';
import type { Lane } from '../domain/shipments/lane.ts';
import type { Config, DatabaseAddress } from './config.ts';
import type { Writer } from './coordination/ports.ts';
import type { Clock } from './ports/clock.ts';
import type { Limiter } from './ports/limiter.ts';
import type { Random } from './ports/random.ts';
import type { Services, Store } from './services.ts';

/** What differs between the runtimes. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly limiter: Limiter;
  readonly monotonicMs: () => number;
  readonly fetch: ReadConnection['fetch'];
  /** Writes into the log why a database did not answer. */
  readonly report: (databaseId: string, failure: string) => void;
  readonly writerOf: (database: DatabaseAddress) => Writer;
  readonly lane: Lane;
}

/** Builds the service out of its configuration and a platform. Opens no connection: the first request does. */
export function assembleServices(config: Config, platform: Platform): Services {
  const { clock, random, limiter, lane } = platform;
  const storeOf = (address: DatabaseAddress): Store => ({
    database: openDatabase({
      ...address,
      fetch: platform.fetch,
      monotonicMs: platform.monotonicMs,
      report: (failure) => platform.report(address.id, failure),
    }),
    writer: platform.writerOf(address),
  });
  return {
    config,
    clock,
    random,
    limiter,
    lane,
    tokens: new AccessTokens(config.signingKeys, config.baseUrl),
    tokenCache: new TokenCache(),
    cursors: new Cursors(config.cursorKeys, random),
    pickupPoints: new PickupPoints(),
    directory: storeOf(config.directory),
    shards: new Map(config.shards.map((address) => [address.id, storeOf(address)])),
  };
}
