import { type DatabaseReadiness, readinessOf } from '../../db/readiness.ts';
import { pause } from '../core/timer.ts';
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

/** How long a result is cached, also a failure. Each check opens new connections, and anyone may request one. */
const KEPT_MS = 2000;
/**
 * Longer than a check can take. A runtime may end a request without notice; then another request starts a new check.
 */
const CHECK_MS = 5000;
/**
 * How often a request polls for the result of another request's check. workerd cannot await another request's promise.
 */
const LOOK_MS = 20;

/** Runs one check at a time, and keeps its result. */
class ReadinessDesk {
  #checkingSinceMs = Number.NEGATIVE_INFINITY;
  #last: { readonly databases: readonly DatabaseReadiness[]; readonly atMs: number } | undefined;

  async ask(services: Services): Promise<readonly DatabaseReadiness[]> {
    for (;;) {
      const nowMs = services.monotonicMs();
      if (this.#last !== undefined && nowMs - this.#last.atMs < KEPT_MS) return this.#last.databases;
      if (nowMs - this.#checkingSinceMs >= CHECK_MS) return await this.#check(services);
      await pause(LOOK_MS);
    }
  }

  async #check(services: Services): Promise<readonly DatabaseReadiness[]> {
    this.#checkingSinceMs = services.monotonicMs();
    try {
      const databases = await readinesses(services);
      this.#last = { databases, atMs: services.monotonicMs() };
      return databases;
    } finally {
      this.#checkingSinceMs = Number.NEGATIVE_INFINITY;
    }
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
