import { part } from '../core/part.ts';
import { pause } from '../core/timer.ts';
import { logInfo } from '../ports/log.ts';
import type { Readiness } from '../service/readiness.ts';
import type { Services } from '../service/services.ts';
import type { Exchange, Route } from './route-table.ts';

const readinessPart = part(() => import('../service/readiness.ts'));

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** For monitoring: `/health` says that the process answers, `/ready` that it can do its work. */
export const healthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/health',
    needsNoPermit: true,
    handle: (_request, { services }) =>
      new Response(JSON.stringify({ status: 'ok', version: services.config.version }), { headers: HEADERS }),
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
  #last: { readonly readiness: Readiness; readonly atMs: number } | undefined;

  async ask(services: Services): Promise<Readiness> {
    for (;;) {
      const nowMs = services.monotonicMs();
      if (this.#last !== undefined && nowMs - this.#last.atMs < KEPT_MS) return this.#last.readiness;
      if (nowMs - this.#checkingSinceMs >= CHECK_MS) return await this.#check(services);
      await pause(LOOK_MS);
    }
  }

  async #check(services: Services): Promise<Readiness> {
    this.#checkingSinceMs = services.monotonicMs();
    try {
      const { checkReadiness } = await readinessPart();
      const readiness = await checkReadiness(services);
      this.#last = { readiness, atMs: services.monotonicMs() };
      return readiness;
    } finally {
      this.#checkingSinceMs = Number.NEGATIVE_INFINITY;
    }
  }
}

const desks = new WeakMap<Services, ReadinessDesk>();

/** Logs in one line, at the start of a process, whether shipments are possible. */
export async function logShipments(services: Services): Promise<void> {
  const { shipments } = await deskOf(services).ask(services);
  logInfo({ shipments: shipments.possible ? 'possible' : 'not possible', missing: shipments.missing.join(', ') });
}

function deskOf(services: Services): ReadinessDesk {
  const desk = desks.get(services) ?? new ReadinessDesk();
  desks.set(services, desk);
  return desk;
}

async function reportReadiness(request: Request, { services }: Exchange): Promise<Response> {
  const { isReady, databases, keysRefused, shipments } = await deskOf(services).ask(services);
  const { config, routing, addresses, messages, documents, providerReports } = services;
  const body = {
    status: isReady ? 'ready' : 'not_ready',
    deployment: config.deployment,
    databases,
    ...(keysRefused.length === 0 ? {} : { keysRefused }),
    // Does not change the status, so that operators can reach the deployment that they set up.
    shipments,
    // Providers are reported but do not change the status, because reads work without them.
    routing: { engine: routing.engine },
    addresses: { registry: addresses.registry, geocoder: addresses.geocoder },
    messages: { provider: messages.provider },
    documents: { provider: documents.provider },
    lastCalls: providerReports.lastCalls(),
    requestLog: { kept: services.requestLog !== undefined },
    // `npm run doctor` compares it with PROXIES.
    forwardedEntries: request.headers.get('x-forwarded-for')?.split(',').length ?? 0,
  };
  const headers = isReady ? HEADERS : { ...HEADERS, 'retry-after': '1' };
  return new Response(JSON.stringify(body), { status: isReady ? 200 : 503, headers });
}
