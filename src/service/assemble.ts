import { commitGroup } from '../../db/commit.ts';
import { openDatabase, type ReadConnection } from '../../db/database.ts';
import { DATABASE_FAILURES, type DatabaseFailure } from '../../db/hrana.ts';
import type { Writer } from '../../db/writer.ts';
import { AccessTokens } from '../access/access-token.ts';
import { TokenCache } from '../access/authenticate.ts';
import { DriverSessions } from '../access/driver-token.ts';
import { FailedAuthentications } from '../access/failed-authentications.ts';
import { Sealer } from '../access/sealer.ts';
import { part } from '../core/part.ts';
import { AddressPolicies } from '../domain/addresses/policy.ts';
import type { messagesWithin } from '../domain/challenges/challenge.ts';
import { ClockBook } from '../domain/clocks/company-clock.ts';
import { CompanyNames } from '../domain/companies/company.ts';
import { LookBook, PositionBook, type PositionReports } from '../domain/drivers/positions.ts';
import { MoveBook } from '../domain/moves/move-book.ts';
import { ServiceLevelBook } from '../domain/offers/service-level-book.ts';
import { PickupPoints } from '../domain/places/pickup-point.ts';
import { TariffBook } from '../domain/pricing/tariff-book.ts';
import { newFaultBook } from '../domain/sandbox/fault/fault.ts';
import type { Lane } from '../domain/shipments/command.ts';
import type { ViewCounter } from '../domain/tracking/view-tally.ts';
import { EndpointSecrets } from '../domain/webhooks/secret.ts';
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
import type { Config, DatabaseAddress } from './config.ts';
import type { ReadAsset, ReadShaper, Services, Store, WriterReports } from './services.ts';

/** What differs between the runtimes. */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly limiter: Limiter;
  readonly monotonicMs: () => number;
  readonly fetch: ReadConnection['fetch'];
  /** Logs why a database did not answer. */
  readonly report: ReportDatabase;
  readonly metrics: Metrics;
  /** The metrics as text, on a platform that keeps them in the process. */
  readonly exposition?: () => string;
  readonly writerOf: (database: DatabaseAddress) => Writer;
  readonly lane: Lane;
  readonly changeSockets: ChangeSockets;
  readonly endpointWaker: EndpointWaker;
  readonly resolver: Resolver;
  readonly webhookTransport: WebhookTransport;
  readonly views: ViewCounter;
  /** Sends a position to the writer of its shard. */
  readonly reportPosition: PositionReports['report'];
  readonly writerReports: WriterReports;
  readonly providerReports: ProviderStates;
  readonly routing: Routing;
  readonly streets: Streets;
  readonly addresses: Addresses;
  readonly documents: Documents;
  readonly callNumbers: CallNumbers;
  readonly readAsset: ReadAsset;
  readonly readShaper: ReadShaper;
  readonly messagesOf: (directory: Store) => { readonly messages: Messages; readonly inbox: Inbox | undefined };
}

type ReportDatabase = (databaseId: string, failure: string) => void;

/** Returns a function that logs and counts why a database did not answer. */
export function reportFailure(
  { report, metrics }: { readonly report: ReportDatabase; readonly metrics: Metrics },
  databaseId: string,
): (failure: string, kind: DatabaseFailure) => void {
  for (const kind of DATABASE_FAILURES) metrics.count('database_failures', [databaseId, kind], 0);
  return (failure, kind) => {
    report(databaseId, failure);
    metrics.count('database_failures', [databaseId, kind]);
  };
}

/** Builds the services from the configuration and a platform. The first request opens the connections. */
export function assembleServices(config: Config, platform: Platform): Services {
  const {
    clock,
    random,
    lane,
    changeSockets,
    views,
    writerReports,
    providerReports,
    routing,
    streets,
    readAsset,
    readShaper,
    endpointWaker,
    resolver,
    webhookTransport,
    monotonicMs,
    metrics,
    exposition,
  } = platform;
  const storeOf = (address: DatabaseAddress): Store => ({
    database: openDatabase({
      ...address,
      fetch: platform.fetch,
      monotonicMs: platform.monotonicMs,
      report: reportFailure(platform, address.id),
    }),
    writer: platform.writerOf(address),
  });
  const positionBook = new PositionBook();
  const directory = storeOf(config.directory);
  const { messages, inbox } = platform.messagesOf(directory);
  metrics.count('starts', []);
  metrics.set('build', [1], [config.version]);
  return {
    config,
    clock,
    clockBook: new ClockBook(clock, monotonicMs, config.deployment !== 'production'),
    random,
    limiter: countedLimiter(platform.limiter, metrics),
    failures: new FailedAuthentications({
      max: config.rateLimits.failures,
      monotonicMs,
      onRefusal: () => metrics.count('rate_limited', ['failures']),
    }),
    lane,
    changeSockets,
    views,
    writerReports,
    providerReports,
    routing,
    addressPolicies: new AddressPolicies(monotonicMs, config.deployment),
    streets,
    addresses: platform.addresses,
    documents: platform.documents,
    readAsset,
    readShaper,
    tariffBook: new TariffBook(monotonicMs),
    serviceLevelBook: new ServiceLevelBook(monotonicMs),
    faultBook: newFaultBook(monotonicMs),
    endpointWaker,
    resolver,
    webhookTransport,
    monotonicMs,
    metrics,
    exposition,
    endpointSecrets: new EndpointSecrets(config.webhookKeys, random),
    companyNames: new CompanyNames(monotonicMs),
    callNumbers: platform.callNumbers,
    moveBook: new MoveBook(monotonicMs),
    waits: config.waits,
    messages: countedMessages(
      messages.provider === 'carriers' ? limitedMessages(messages, { directory, clock, config }) : messages,
      metrics,
    ),
    inbox,
    tokens: new AccessTokens(config.signingKeys, config.baseUrl),
    tokenCache: new TokenCache(clock),
    driverSessions: new DriverSessions(clock),
    positions: notedReports(platform.reportPosition, positionBook),
    positionBook,
    lookBook: new LookBook(),
    cursors: new Sealer(config.cursorKeys, random),
    priceLocks: new Sealer(config.priceLockKeys, random),
    pickupPoints: new PickupPoints(),
    requestLog: config.logs === undefined ? undefined : logStore(config.logs, platform),
    directory,
    shards: new Map(config.shards.map((address) => [address.id, storeOf(address)])),
  };
}

/** The log writes without a group committer: it already gathers what it writes, and may lose it. */
function logStore({ id, url, authToken, identity }: DatabaseAddress, platform: Platform): Store {
  const { monotonicMs, fetch } = platform;
  const connection = {
    id,
    url,
    authToken,
    identity,
    fetch,
    monotonicMs,
    report: reportFailure(platform, id),
    requireDurable: false,
  };
  const writer: Writer = {
    async commit(request) {
      const [outcome] = await commitGroup(connection, [request], LOG_COMMIT_MS);
      return outcome ?? { status: 'unknown' };
    },
  };
  return { database: openDatabase(connection), writer };
}
const LOG_COMMIT_MS = 2000;

/** Also notes the positions in this process, whose reads then see the newest. */
function notedReports(report: PositionReports['report'], book: PositionBook): PositionReports {
  return {
    async report(shard, driverId, position, later) {
      // A jump is no position, and the driver need not know.
      if (!book.isReachable(driverId, position)) return true;
      const isTaken = await report(shard, driverId, position, later);
      if (isTaken) book.note(driverId, position);
      return isTaken;
    },
  };
}

/** Counts the calls that exceed a rate limit. */
function countedLimiter(limiter: Limiter, metrics: Metrics): Limiter {
  return {
    async take(budget, identity) {
      const taken = await limiter.take(budget, identity);
      if (!taken.ok) metrics.count('rate_limited', [budget]);
      return taken;
    },
  };
}

const challenges = part(() => import('../domain/challenges/challenge.ts'));

/** The same messages within the deployment's limit of SMS. */
function limitedMessages(messages: Messages, limit: Parameters<typeof messagesWithin>[1]): Messages {
  return {
    provider: messages.provider,
    isDown: (channel) => messages.isDown(channel),
    async send(message) {
      const { messagesWithin } = await challenges();
      return messagesWithin(messages, limit).send(message);
    },
  };
}

/** Counts messages that a carrier accepted, and messages that it did not. */
function countedMessages(messages: Messages, metrics: Metrics): Messages {
  return {
    provider: messages.provider,
    isDown: (channel) => messages.isDown(channel),
    async send(message) {
      const isSent = await messages.send(message);
      metrics.count('messages', [message.channel, isSent ? 'sent' : 'failed']);
      return isSent;
    },
  };
}
