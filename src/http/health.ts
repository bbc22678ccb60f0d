import { type DatabaseReadiness, readinessOf } from '../../db/readiness.ts';
import type { Services } from '../runtime/services.ts';
import type { Exchange, Route } from './route-table.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** For operators' machines: `/health` says that the process answers, `/ready` that it can do its work. */
export const healthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    needsNoPermit: true,
    handle: () => new Response('{"status":"ok"}', { headers: HEADERS }),
  },
  { method: 'GET', path: '/ready', needsNoPermit: true, handle: reportReadiness },
];

/** How long what the databases have answered holds. Many who ask are to take no places among the reads. */
const KEPT_MS = 250;
/** The same for whoever asks while they are being asked again. */
const KEPT_MEANWHILE_MS = 2000;

interface Kept {
  readonly databases: readonly DatabaseReadiness[];
  readonly atMs: number;
}

const kept = new WeakMap<Services, Kept>();
const askedAtMs = new WeakMap<Services, number>();

async function readinesses(services: Services): Promise<readonly DatabaseReadiness[]> {
  const nowMs = services.monotonicMs();
  const last = kept.get(services);
  const isBeingAsked = nowMs - (askedAtMs.get(services) ?? Number.NEGATIVE_INFINITY) < KEPT_MS;
  if (last !== undefined && nowMs - last.atMs < (isBeingAsked ? KEPT_MEANWHILE_MS : KEPT_MS)) return last.databases;
  askedAtMs.set(services, nowMs);
  const requireDurable = services.config.durability === 'strong';
  const databases = await Promise.all([
    readinessOf(services.directory.database, 'directory', requireDurable),
    ...[...services.shards.values()].map((store) => readinessOf(store.database, 'shard', requireDurable)),
  ]);
  kept.set(services, { databases, atMs: services.monotonicMs() });
  return databases;
}

async function reportReadiness(_request: Request, { services }: Exchange): Promise<Response> {
  const databases = await readinesses(services);
  const isReady = databases.every((one) => one.answers && one.migrationsCurrent && one.durabilityStrong);
  const { config, routing, messages, documents } = services;
  const body = {
    status: isReady ? 'ready' : 'not_ready',
    deployment: config.deployment,
    databases,
    // Without them reads go on, so that they are told and do not take the service away.
    routing: { engine: routing.engine },
    messages: { provider: messages.provider },
    documents: { provider: documents.provider },
  };
  const headers = isReady ? HEADERS : { ...HEADERS, 'retry-after': '1' };
  return new Response(JSON.stringify(body), { status: isReady ? 200 : 503, headers });
}
