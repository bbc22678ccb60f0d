import type { CommitOutcome, CommitRequest } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import { part } from '../../core/part.ts';
import { type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type DriverAt, gatherPositions } from '../../domain/drivers/positions.ts';
import type { CommandOrder } from '../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import type { Views } from '../../domain/tracking/store.ts';
import { gatherViews } from '../../domain/tracking/view-tally.ts';
import type { Documents } from '../../ports/documents.ts';
import type { Limiter } from '../../ports/limiter.ts';
import { logError } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { EndpointChange } from '../../ports/webhook.ts';
import { noDocuments, noMetrics } from '../../providers/absent.ts';
import { chooseAddresses } from '../../providers/addresses/choose-addresses.ts';
import { callNumbersFor } from '../../providers/call-numbers.ts';
import { dnsOverHttps } from '../../providers/dns-over-https.ts';
import { memoryLimiter } from '../../providers/memory-limiter.ts';
import { chooseMessages } from '../../providers/messages/choose-messages.ts';
import { ProviderReports } from '../../providers/provider-reports.ts';
import { chooseMaps } from '../../providers/routing/maps.ts';
import type { S3Platform } from '../../providers/s3-documents.ts';
import {
  monotonicMs,
  reportAsset,
  reportDatabase,
  reportMetrics,
  SystemClock,
  systemRandom,
} from '../../providers/system.ts';
import { assembleServices } from '../../service/assemble.ts';
import type { SocketLink } from '../../service/change-sockets.ts';
import { type Config, parseConfig } from '../../service/config.ts';
import type { Services } from '../../service/services.ts';
import { laneNameOf, laneObjectOf } from '../../service/shipment-lanes.ts';
import { analyticsEngineMetrics, type DatasetBinding } from './analytics-engine.ts';
import { type AssetsBinding, cloudflareAssets } from './assets.ts';
import { cloudflareLimiter, type RateLimitBinding } from './limiter.ts';
import { objectOf, type RemoteObjects } from './placement.ts';
import type { R2Binding } from './r2-documents.ts';
import type { R2RangeBinding } from './r2-file.ts';
import { callAgainOnce, isOverloaded } from './remote-call.ts';
import { fetchTransport } from './webhook-transport.ts';

export interface WriterMethods {
  commit(databaseId: string, request: CommitRequest): Promise<CommitOutcome>;
  sweep(databaseId: string): Promise<void>;
  addViews(databaseId: string, views: readonly Views[]): Promise<void>;
  addPositions(databaseId: string, positions: readonly DriverAt[]): Promise<void>;
  lastSweptAt(databaseId: string): Promise<Instant | null>;
  isWritable(databaseId: string): Promise<boolean>;
}
export interface LaneMethods {
  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>>;
}
interface RemoteLane extends LaneMethods {
  fetch(address: string, init: RequestInit): Promise<Response>;
}

export interface QueueMethods {
  wake(shard: string, endpointId: Uuid): Promise<void>;
  withdraw(shard: string, endpointId: Uuid, change: EndpointChange): Promise<number>;
}

/** Bindings of wrangler.toml, besides the variables that `parseConfig` reads. */
export interface WorkerEnvironment extends Readonly<Record<string, unknown>> {
  readonly DATABASE_WRITER: RemoteObjects<WriterMethods>;
  readonly SHIPMENT_LANE: RemoteObjects<RemoteLane>;
  /** The output of scripts/build/pages.ts. Absent under a bare workerd. */
  readonly ASSETS?: AssetsBinding;
  readonly ENDPOINT_QUEUE: RemoteObjects<QueueMethods>;
  /** Absent if no rate limits are bound, as under a bare workerd. */
  readonly RATE_LIMIT_READS?: RateLimitBinding;
  readonly RATE_LIMIT_WRITES?: RateLimitBinding;
  readonly RATE_LIMIT_ESTIMATES?: RateLimitBinding;
  readonly RATE_LIMIT_TOKENS?: RateLimitBinding;
  /** Stores uploaded files. */
  readonly DOCUMENT_BUCKET?: R2Binding;
  readonly RATE_LIMIT_TRACKING?: RateLimitBinding;
  /** Has the archive that STREETS_URL names by `r2:`. */
  readonly STREETS_BUCKET?: R2RangeBinding;
  /** Receives metrics. Absent under a bare workerd. */
  readonly METRICS?: DatasetBinding;
}

/** By environment object: the Worker and each of its objects have their own, with the same variables. */
const services = new WeakMap<WorkerEnvironment, Services>();
let built: { readonly key: string; readonly services: Services } | undefined;

/**
 * The services of this isolate, built at its first request, because parsing keys and configuration costs more than a
 * read. The Worker and the Durable Objects in one isolate share them. They hold no connection and no request.
 */
export function servicesOf(environment: WorkerEnvironment): Services {
  const known = services.get(environment);
  if (known !== undefined) return known;
  const key = JSON.stringify(Object.entries(environment).filter(([, value]) => typeof value === 'string'));
  if (built?.key !== key) built = { key, services: assemble(environment) };
  services.set(environment, built.services);
  return built.services;
}

function assemble(environment: WorkerEnvironment): Services {
  const config = parseConfig(environment, 'workers');
  const clock = new SystemClock();
  const metrics = metricsOf(environment, config);
  const providerReports = new ProviderReports(monotonicMs);
  const provider = {
    fetch: (address: string, init: RequestInit) => fetch(address, init),
    monotonicMs,
    metrics,
    providerReports,
  };
  return assembleServices(config, {
    clock,
    random: systemRandom,
    limiter: limiterOf(environment, config),
    monotonicMs,
    metrics,
    providerReports,
    callNumbers: callNumbersFor(config.recipientNumbers),
    documents: documentsOf(environment, config, { ...provider, clock }),
    ...chooseMaps(config, {
      ...provider,
      openFile: async ({ pathname }) => (await r2Files()).r2File(environment.STREETS_BUCKET, pathname),
    }),
    addresses: chooseAddresses(config, provider),
    readAsset: cloudflareAssets(environment.ASSETS, reportAsset),
    readShaper: async () => (await import('harfbuzzjs/dist/harfbuzz.wasm')).default,
    messagesOf: (directory) => chooseMessages(config, directory, { clock, random: systemRandom, ...provider }),
    report: reportDatabase,
    fetch: (address, init) => fetch(address, init),
    writerOf: ({ id }) => ({
      commit: (request) =>
        remembering(() => objectOf(environment.DATABASE_WRITER, config.place, id).commit(id, request)),
    }),
    endpointWaker: {
      wake: (...name) => callQueue(environment, config, name, (queue) => queue.wake(...name)),
      withdraw: (shard, endpointId, change) =>
        callQueue(environment, config, [shard, endpointId], (queue) => queue.withdraw(shard, endpointId, change)),
    },
    resolver: dnsOverHttps(config.dnsUrl, (address, init) => fetch(address, init)),
    webhookTransport: fetchTransport((address, init) => fetch(address, init)),
    views: gatherViews((shard, views) => addViews(environment, config, { shard, views }), monotonicMs),
    reportPosition: gatherPositions(
      (shard, positions) => addPositions(environment, config, { shard, positions }),
      monotonicMs,
    ),
    writerReports: {
      lastSweptAt: (databaseId) =>
        askWriter(environment, config, {
          databaseId,
          ask: (writer) => writer.lastSweptAt(databaseId),
          otherwise: null,
        }),
      isWritable: (databaseId) =>
        askWriter(environment, config, {
          databaseId,
          ask: (writer) => writer.isWritable(databaseId),
          otherwise: false,
        }),
    },
    lane: {
      execute: (scope, order) => throughLane(environment, config, { scope, order }),
    },
    changeSockets: {
      open: (_request, scope, link) => openSocket(environment, config, { scope, link }),
    },
  });
}

/** Cloudflare counts for all isolates of a location. Locally, or without its bindings, each isolate counts alone. */
function limiterOf(environment: WorkerEnvironment, config: Config): Limiter {
  const {
    RATE_LIMIT_READS: reads,
    RATE_LIMIT_WRITES: writes,
    RATE_LIMIT_ESTIMATES: estimates,
    RATE_LIMIT_TOKENS: tokens,
    RATE_LIMIT_TRACKING: tracking,
  } = environment;
  if (config.deployment === 'local' || !reads || !writes || !estimates || !tokens || !tracking) {
    return memoryLimiter(monotonicMs, config.rateLimits);
  }
  return cloudflareLimiter({ reads, writes, estimates, tokens, tracking }, config.rateLimits);
}

function metricsOf({ METRICS: dataset }: WorkerEnvironment, { deployment }: Config): Metrics {
  return dataset === undefined ? noMetrics : analyticsEngineMetrics(dataset, deployment, reportMetrics);
}

/** A bound bucket is used first. Workers have no folders. */
function documentsOf(
  { DOCUMENT_BUCKET: bucket }: WorkerEnvironment,
  { documents }: Config,
  platform: S3Platform,
): Documents {
  if (bucket !== undefined) return openedLater('r2', async () => (await r2Adapter()).r2Documents(bucket, platform));
  if (documents === undefined || 'folder' in documents) return noDocuments;
  return openedLater('s3', async () => (await s3Adapter()).s3Documents(documents, platform));
}

const r2Files = part(() => import('./r2-file.ts'));
const r2Adapter = part(() => import('./r2-documents.ts'));
const s3Adapter = part(() => import('../../providers/s3-documents.ts'));

/** Loads the adapter with the first file: most isolates have none. */
function openedLater(provider: Documents['provider'], open: () => Promise<Documents>): Documents {
  let opened: Documents | undefined;
  const use = async <Answer>(ask: (documents: Documents) => Promise<Answer>): Promise<Answer | 'unavailable'> => {
    try {
      opened ??= await open();
    } catch {
      return 'unavailable';
    }
    return ask(opened);
  };
  return {
    provider,
    put: (...file) => use((documents) => documents.put(...file)),
    read: (key) => use((documents) => documents.read(key)),
    removeAll: (keys) => use((documents) => documents.removeAll(keys)),
  };
}

/** If an object is reset during a call, for example by a deployment, the outcome of the command is unknown. */
async function throughLane(
  { SHIPMENT_LANE: lanes }: WorkerEnvironment,
  config: Config,
  { scope, order }: { scope: CompanyScope; order: CommandOrder },
): Promise<Result<ShipmentRow>> {
  try {
    return await objectOf(lanes, config.place, laneObjectOf(scope, order)).execute(scope, order);
  } catch (error) {
    logError({ error: `A command was interrupted: ${String(error)}` });
    return unavailable();
  }
}

/** The object with the lane of the shipment holds the socket. Undefined if it has no room for it or did not answer. */
async function openSocket(
  { SHIPMENT_LANE: lanes }: WorkerEnvironment,
  config: Config,
  { scope, link }: { scope: CompanyScope; link: SocketLink },
): Promise<Response | undefined> {
  try {
    const lane = objectOf(lanes, config.place, laneObjectOf(scope, link));
    const address = `https://lane.invalid/${laneNameOf(scope, link)}?${new URLSearchParams({ link: link.linkId })}`;
    const answer = await lane.fetch(address, { headers: { upgrade: 'websocket' } });
    return answer.status === 101 ? answer : undefined;
  } catch (error) {
    logError({ error: `A socket was not opened: ${String(error)}` });
    return undefined;
  }
}

/** If the call fails, the sweep wakes the endpoint later, and leases in the database show what may be in flight. */
async function callQueue<Answer>(
  { ENDPOINT_QUEUE: queues }: WorkerEnvironment,
  config: Config,
  [shard, endpointId]: readonly [shard: string, endpointId: Uuid],
  call: (queue: QueueMethods) => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await callAgainOnce(() => call(objectOf(queues, config.place, queueObjectOf(shard, endpointId))));
  } catch (error) {
    logError({ error: `A webhook queue was not woken: ${String(error)}` });
    return undefined;
  }
}

export function queueObjectOf(shard: string, endpointId: Uuid): string {
  return `${shard}/${endpointId}`;
}

/** If the call fails, the views are not counted. */
async function addViews(
  { DATABASE_WRITER: writers }: WorkerEnvironment,
  config: Config,
  { shard, views }: { shard: string; views: readonly Views[] },
): Promise<void> {
  try {
    await objectOf(writers, config.place, shard).addViews(shard, views);
  } catch (error) {
    logError({ error: `Views were not counted: ${String(error)}` });
  }
}

/** If the call fails, the positions are lost. The drivers' next ones take their place. */
async function addPositions(
  { DATABASE_WRITER: writers }: WorkerEnvironment,
  config: Config,
  { shard, positions }: { shard: string; positions: readonly DriverAt[] },
): Promise<void> {
  try {
    await objectOf(writers, config.place, shard).addPositions(shard, positions);
  } catch (error) {
    logError({ error: `Positions were not taken: ${String(error)}` });
  }
}

/** What a writer knows, or `otherwise` if it does not answer. */
async function askWriter<Answer>(
  { DATABASE_WRITER: writers }: WorkerEnvironment,
  config: Config,
  {
    databaseId,
    ask,
    otherwise,
  }: { databaseId: string; ask: (writer: WriterMethods) => Promise<Answer>; otherwise: Answer },
): Promise<Answer> {
  try {
    return await callAgainOnce(() => ask(objectOf(writers, config.place, databaseId)));
  } catch (error) {
    logError({ error: `A writer did not answer: ${String(error)}` });
    return otherwise;
  }
}

/**
 * If a call between two objects is interrupted, the outcome of the commit is unknown. It is not sent again, because a unit
 * that was committed would be refused. An overloaded writer has not taken the unit.
 */
export async function remembering(call: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  try {
    return await call();
  } catch (error) {
    logError({ error: `A commit was interrupted: ${String(error)}` });
    if (isOverloaded(error)) return { status: 'unavailable', reason: 'overloaded' };
    return { status: 'unknown' };
  }
}
