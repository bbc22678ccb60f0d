import { PROBLEMS } from './core/catalogue.ts';
import { invalidHeaders, Problem } from './core/problem.ts';
import { refuse } from './core/result.ts';
import { admissionOf, knownShard, OVERLOADED, Permit } from './http/admission.ts';
import { factsOf, publicPathOf, urlOf } from './http/facts.ts';
import { finish } from './http/finish.ts';
import { healthRoutes } from './http/health.ts';
import { isLoopbackHost, LOCAL_PREFIX, localRoutes } from './http/local.ts';
import { METRICS_PATH, mayReadMetrics, metricsRoutes } from './http/metrics.ts';
import { oauthRoutes } from './http/oauth/routes.ts';
import { problemResponse } from './http/problem-response.ts';
import { restRoutes } from './http/rest/serve.ts';
import { type Answer, type Exchange, type Match, type Route, RouteTable } from './http/route-table.ts';
import { trpcRoutes } from './http/trpc/serve.ts';
import { showNotFound, webRoutes } from './http/web/site/routes.ts';
import { logInfo } from './ports/log.ts';
import { monotonicMs } from './providers/system.ts';
import type { Services } from './service/services.ts';

/** All routes in one table, so that unknown paths, other methods, HEAD and OPTIONS get the same answers everywhere. */
const everywhere = [...restRoutes, ...oauthRoutes, ...healthRoutes, ...localRoutes, ...trpcRoutes, ...webRoutes];
const routes = new RouteTable(everywhere);
/** For requests that may read the metrics. Other requests get 404 for that path. */
const routesWithMetrics = new RouteTable([...everywhere, ...metricsRoutes]);

/** The paths whose next segment only the caller may know. */
const SECRET_PREFIXES = everywhere.flatMap(({ path, endsInSecret }) =>
  endsInSecret === true ? [path.slice(0, path.lastIndexOf('/'))] : [],
);

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Facts and functions of a request that only the runtime has. */
export interface RuntimeFacts {
  /** The network address of the client. */
  readonly address: string | undefined;
  /** Like `ctx.waitUntil`: keeps the runtime alive for work after the response. */
  readonly later: (work: Promise<unknown>) => void;
}

/**
 * Answers one request: facts, admission, answer, log, headers, in this order. Never rejects: a bug is a 500 without
 * details, and a line in the log with all of them.
 */
export async function handle(request: Request, services: Services, runtime: RuntimeFacts): Promise<Response> {
  const startedAtMs = monotonicMs();
  const { config, random } = services;

  const url = urlOf(request);
  const match = url === undefined ? MALFORMED_HOST : matchOf(request, url, services);
  const route = match.kind === 'found' ? match.route : undefined;
  const parameters = match.kind === 'found' ? match.parameters : {};
  const knownUrl = url ?? new URL('/', config.baseUrl);
  const path = publicPathOf(knownUrl, SECRET_PREFIXES);
  const facts = factsOf(request, { path, random, address: runtime.address });

  const admission = admissionOf(services);
  const needsPermit = route !== undefined && route.needsNoPermit !== true;
  const permit = needsPermit ? admission.enter(knownShard(services, facts, parameters)) : new Permit(admission);

  const exchange: Exchange = {
    services,
    facts,
    url: knownUrl,
    parameters,
    permit,
    enterShard: permit.enterShard,
    outside: permit.outside,
    later: runtime.later,
    reply: { headers: {} },
    face: 'rest',
    log: {},
  };
  const response = await answer(request, exchange, match);
  permit.release();
  // If only one call of a batch was refused, the response is not a refusal and is not delayed.
  if (permit.isRefused && response.status === PROBLEMS.SERVICE_UNAVAILABLE.status) await admission.holdRefusal();

  record(request, exchange, { route: route?.path, status: response.status, ms: monotonicMs() - startedAtMs });
  return finish(request, response, exchange);
}

/** The Host header is malformed, so the request has no route. */
const MALFORMED_HOST = { kind: 'malformed_host' } as const;

function matchOf(request: Request, { pathname }: URL, services: Services): Match {
  if (pathname.startsWith(LOCAL_PREFIX) && !isLoopbackHost(request)) return { kind: 'unknown' };
  const table = pathname === METRICS_PATH && mayReadMetrics(request, services) ? routesWithMetrics : routes;
  return table.match(request.method, pathname, services.config.deployment);
}

/** The response of the route, or the refusal of a request that has none. Never rejects. */
async function answer(request: Request, exchange: Exchange, match: Match | typeof MALFORMED_HOST): Promise<Answer> {
  if (match.kind === 'malformed_host') {
    const problem = invalidHeaders({ field: 'Host', code: 'PATTERN_MISMATCH', limit: 'a host and a port' });
    return problemResponse(problem, exchange);
  }
  if (match.kind === 'other_method') {
    const { allow } = match;
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow }, body: null };
    return problemResponse(new Problem(refuse('METHOD_NOT_ALLOWED'), { allow }), exchange);
  }
  const route: Pick<Route, 'handle' | 'answerError'> =
    match.kind === 'unknown' ? { handle: showNotFound } : match.route;
  const { handle: respond, answerError = problemResponse } = route;
  try {
    if (exchange.permit.isRefused) return await answerError(OVERLOADED, exchange);
    return await respond(request, exchange);
  } catch (error) {
    try {
      return await answerError(error, exchange);
    } catch (bug) {
      return problemResponse(bug, exchange);
    }
  }
}

/** Logs and measures a request. Both use the route's template, so a caller cannot choose their content. */
function record(
  { method }: Request,
  { facts, log, services }: Exchange,
  { route, status, ms }: { readonly route: string | undefined; readonly status: number; readonly ms: number },
): void {
  logInfo({ requestId: facts.requestId, method, route, status, ms: Math.round(ms), company: log.companyId });
  const knownMethod = METHODS.has(method) ? method : 'other';
  services.metrics.measure('http_request', [ms / 1000], [knownMethod, route ?? 'none', String(status)]);
}
