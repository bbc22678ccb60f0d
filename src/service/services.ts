import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/writer.ts';
import type { AccessTokens } from '../access/access-token.ts';
import type { AuthenticateDependencies, TokenCache } from '../access/authenticate.ts';
import { authenticateDriver, type DriverSessions } from '../access/driver-token.ts';
import type { FailedAuthentications } from '../access/failed-authentications.ts';
import { type CompanyScope, scopeInShard } from '../access/require.ts';
import type { Sealer } from '../access/sealer.ts';
import type { SessionCheck } from '../access/session-token.ts';
import type { Instant } from '../core/instant.ts';
import { part } from '../core/part.ts';
import { orThrow } from '../core/problem.ts';
import { ok, type Result, refuse, unavailable } from '../core/result.ts';
import type { AddressPolicies } from '../domain/addresses/policy.ts';
import type { ClockBook } from '../domain/clocks/company-clock.ts';
import type { CompanyNames } from '../domain/companies/company.ts';
import { tokenStatusOf } from '../domain/credentials/client-authentication.ts';
import type { DispatchWaits } from '../domain/dispatch/plan.ts';
import type { LookBook, PositionBook, PositionReports } from '../domain/drivers/positions.ts';
import { visitForwards } from '../domain/moves/forwarding.ts';
import type { MoveBook } from '../domain/moves/move-book.ts';
import type { ServiceLevelBook } from '../domain/offers/service-level-book.ts';
import type { PickupPoints } from '../domain/places/pickup-point.ts';
import type { TariffBook } from '../domain/pricing/tariff-book.ts';
import type { FaultBook } from '../domain/sandbox/fault/fault.ts';
import type { Lane } from '../domain/shipments/command.ts';
import type { ViewCounter } from '../domain/tracking/view-tally.ts';
import type { EndpointSecrets } from '../domain/webhooks/secret.ts';
import type { Addresses } from '../ports/addresses.ts';
import type { CallNumbers } from '../ports/call-numbers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Documents } from '../ports/documents.ts';
import type { Limiter } from '../ports/limiter.ts';
import type { Inbox, Messages } from '../ports/message.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { ProviderStates } from '../ports/providers.ts';
import type { Random } from '../ports/random.ts';
import type { Routing } from '../ports/routing.ts';
import type { Streets } from '../ports/streets.ts';
import type { EndpointWaker, Resolver, WebhookTransport } from '../ports/webhook.ts';
import type { ChangeSockets } from './change-sockets.ts';
import type { Config } from './config.ts';

/** A libSQL database and its only writer. */
export interface Store {
  readonly database: Database;
  readonly writer: Writer;
}

/** What the writers of the databases know of their work. Neither call rejects. */
export interface WriterReports {
  /** When the last sweep of a database ended without a failure; null if none has since its writer started. */
  lastSweptAt(databaseId: string): Promise<Instant | null>;
  /** Whether a database takes writes. False if its writer does not answer. */
  isWritable(databaseId: string): Promise<boolean>;
}

/** A file that was made when the service was built, by its path; undefined where it cannot be read. Never rejects. */
export type ReadAsset = (path: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
/** Reads HarfBuzz, which shapes the texts of labels. Workers run only WebAssembly that was uploaded as a module. */
export type ReadShaper = () => Promise<WebAssembly.Module>;

/** What routers and HTTP handlers use. An entry builds it once from the configuration and its adapters. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly clockBook: ClockBook;
  readonly random: Random;
  readonly limiter: Limiter;
  readonly failures: FailedAuthentications;
  readonly tokens: AccessTokens;
  readonly tokenCache: TokenCache;
  readonly driverSessions: DriverSessions;
  readonly cursors: Sealer;
  readonly priceLocks: Sealer;
  readonly pickupPoints: PickupPoints;
  readonly lane: Lane;
  readonly changeSockets: ChangeSockets;
  readonly routing: Routing;
  /** Asked through `addressesFor`, which has the faults of a sandbox. */
  readonly addresses: Addresses;
  readonly addressPolicies: AddressPolicies;
  /** Streets under drawings of routes. */
  readonly streets: Streets;
  readonly readAsset: ReadAsset;
  readonly readShaper: ReadShaper;
  readonly tariffBook: TariffBook;
  readonly serviceLevelBook: ServiceLevelBook;
  readonly faultBook: FaultBook;
  readonly endpointSecrets: EndpointSecrets;
  readonly endpointWaker: EndpointWaker;
  readonly resolver: Resolver;
  readonly webhookTransport: WebhookTransport;
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
  /** The metrics as text; undefined if the platform sends them elsewhere. */
  readonly exposition: (() => string) | undefined;
  readonly companyNames: CompanyNames;
  readonly callNumbers: CallNumbers;
  readonly moveBook: MoveBook;
  readonly views: ViewCounter;
  readonly positions: PositionReports;
  readonly positionBook: PositionBook;
  readonly lookBook: LookBook;
  readonly writerReports: WriterReports;
  readonly providerReports: ProviderStates;
  /** The database of the request log. Undefined if the deployment keeps none. */
  readonly requestLog: Store | undefined;
  readonly waits: DispatchWaits;
  readonly messages: Messages;
  /** Storage of uploaded files. */
  readonly documents: Documents;
  /** One-time codes that are kept instead of sent; only on local deployments. */
  readonly inbox: Inbox | undefined;
  readonly directory: Store;
  readonly shards: ReadonlyMap<string, Store>;
}

/** A token or company names a shard that this deployment is not configured with. */
const NOT_CONFIGURED = refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 });

function shardOf({ shards }: Services, shard: string): Result<Store> {
  const store = shards.get(shard);
  return store === undefined ? NOT_CONFIGURED : ok(store);
}

/** The present shard of a company. The shard in a token or in the directory may be out of date after a move. */
export async function currentShardOf(
  dependencies: Pick<Services, 'shards' | 'moveBook'>,
  named: CompanyScope,
): Promise<Result<{ readonly company: CompanyScope; readonly store: Store }>> {
  const { companyId } = named;
  const first = dependencies.shards.get(named.shard);
  if (first === undefined) return NOT_CONFIGURED;
  const left = await dependencies.moveBook.forwardsOf(first.database);
  // The company may have moved, and its old shard would answer that it has no data.
  if (left === undefined) return unavailable();
  // Nearly every company is in the shard of its token, and then there is nothing to search.
  if (!left.has(companyId)) return ok({ company: named, store: first });
  for await (const { store, forwards } of visitForwards(dependencies, new Map([[companyId, named.shard]]))) {
    if (store === undefined) return NOT_CONFIGURED;
    if (forwards === undefined) break;
    const { id } = store.database;
    if (!forwards.has(companyId)) return ok({ company: id === named.shard ? named : scopeInShard(named, id), store });
  }
  return unavailable();
}

/** The parts of a request that authentication reads. */
interface Sender {
  readonly authorization: string | null;
  readonly address: string | undefined;
}

export function authenticateDependencies(
  services: Services,
  { address }: Pick<Sender, 'address'>,
): AuthenticateDependencies {
  const { tokens, clock, tokenCache, directory, failures } = services;
  return {
    tokens,
    clock,
    cache: tokenCache,
    async tokenStatus(principal) {
      const found = await failures.find({ key: principal.tokenId, address }, async () => {
        const status = await tokenStatusOf(directory.database, clock, principal);
        return status === 'dead' ? undefined : status;
      });
      return orThrow(found) ?? 'dead';
    },
  };
}

const peopleSessions = part(() => import('../domain/people/session/session.ts'));

interface SessionSender {
  readonly facts: Pick<Sender, 'address'>;
  /** Keeps the runtime alive for work after the response. */
  readonly later: (work: Promise<unknown>) => void;
}

/** What the check of a session needs: the directory, and the site whose requests may use the cookie. */
export function sessionDependencies(
  services: Services,
  { facts: { address }, later }: SessionSender,
  suspended: 'refused' | 'admitted' = 'refused',
): SessionCheck {
  return {
    async findSession(key) {
      const { findSession } = await peopleSessions();
      const find = () => findSession({ ...services, later }, key, suspended);
      return orThrow(await services.failures.find({ key, address }, find));
    },
    ownOrigin: new URL(services.config.baseUrl).origin,
  };
}

const driverSessions = part(() => import('../domain/drivers/session.ts'));

/** The driver of an Authorization header, and the driver's shard. Throws a `Problem` if the token is not valid. */
export async function driverOf(
  services: Services & { readonly enterShard: (shard: string, sentFrom?: string) => void },
  { authorization, address, actingAs }: Sender & { readonly actingAs: string | null },
) {
  const { shards, failures } = services;
  const find = async (shard: string, key: string) => {
    // No database is asked, so this is not counted.
    if (!shards.has(shard)) return undefined;
    const { findDriver, knownDriver } = await driverSessions();
    const known = await knownDriver(services, shard, key);
    if (known !== undefined) return known;
    return orThrow(await failures.find({ key, address }, () => findDriver(services, shard, key)));
  };
  const driver = await authenticateDriver(find, authorization, actingAs);
  return { driver, store: orThrow(shardOf(services, driver.shard)) };
}
