import { type DatabaseReadiness, readinessOf } from '../../db/readiness.ts';
import type { Services } from '../service/services.ts';
import type { Exchange, Route } from './route-table.ts';

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** For monitoring: `/health` says that the process answers, `/ready` that it can do its work. */
export const healthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    needsNoPermit: true,
    handle: () => new Response('{"status":"ok"}', { headers: HEADERS }),
  },
  { method: 'GET', path: '/ready', needsNoPermit: true, handle: reportReadiness },
];

/** Above this number of concurrent checks, a request gets the last result, so that checks do not block other reads. */
const ASKING_MAX = 4;
/** The last result is not used if it is older than this. */
const KEPT_MS = 2000;
/** Longer than a check can take. A runtime may end a request without notice, so older checks are not counted. */
const ASKING_MS = 5000;

class ReadinessDesk {
  /** The start of each check in progress. */
  readonly #asking = new Set<{ readonly sinceMs: number }>();
  #last: { readonly databases: readonly DatabaseReadiness[]; readonly atMs: number } | undefined;

  async ask(services: Services): Promise<readonly DatabaseReadiness[]> {
    const nowMs = services.monotonicMs();
    for (const gone of this.#asking) if (nowMs - gone.sinceMs > ASKING_MS) this.#asking.delete(gone);
    const last = this.#last;
    if (last !== undefined && nowMs - last.atMs < KEPT_MS && this.#asking.size >= ASKING_MAX) return last.databases;
    const one = { sinceMs: nowMs };
    this.#asking.add(one);
    const databases = await readinesses(services);
    this.#asking.delete(one);
    this.#last = { databases, atMs: services.monotonicMs() };
    return databases;
  }
}

const desks = new WeakMap<Services, ReadinessDesk>();

async function readinesses({ config, directory, shards }: Services): Promise<DatabaseReadiness[]> {
  const requireDurable = config.durability === 'strong';
  return Promise.all([
    readinessOf(directory.database, 'directory', requireDurable),
    ...[...shards.values()].map((store) => readinessOf(store.database, 'shard', requireDurable)),
  ]);
}

async function reportReadiness(_request: Request, { services }: Exchange): Promise<Response> {
  const desk = desks.get(services) ?? new ReadinessDesk();
  desks.set(services, desk);
  const databases = await desk.ask(services);
  const isReady = databases.every((one) => one.answers && one.migrationsCurrent && one.durabilityStrong);
  const { config, routing, messages, documents } = services;
  const body = {
    status: isReady ? 'ready' : 'not_ready',
    deployment: config.deployment,
    databases,
    // Providers are reported but do not change the status, because reads work without them.
    routing: { engine: routing.engine },
    messages: { provider: messages.provider },
    documents: { provider: documents.provider },
  };
  const headers = isReady ? HEADERS : { ...HEADERS, 'retry-after': '1' };
  return new Response(JSON.stringify(body), { status: isReady ? 200 : 503, headers });
}
