import type { LogFacts } from '../routers/context.ts';
import { PROBLEMS } from './core/catalogue.ts';
import { Problem } from './core/problem.ts';
import { refuse } from './core/result.ts';
import { admit, holdRefusal, permitOf } from './http/admission.ts';
import { OVERLOADED } from './http/admission-limiter.ts';
import { factsOf } from './http/facts.ts';
import { guardBrowsers } from './http/guard-browsers.ts';
import { healthRoutes } from './http/health.ts';
import { localRoutes } from './http/local.ts';
import { METRICS_PATH, mayReadMetrics, metricsRoutes } from './http/metrics.ts';
import { oauthRoutes } from './http/oauth/metadata.ts';
import { problemResponse } from './http/problem-response.ts';
import { restRoutes } from './http/rest/serve.ts';
import { type Exchange, type Route, RouteTable } from './http/route-table.ts';
import { trpcRoutes } from './http/trpc.ts';
import { webRoutes } from './http/web/site/routes.ts';
import { logInfo } from './ports/log.ts';
import { monotonicMs } from './providers/system.ts';
import type { Services } from './service/services.ts';

/** Every face of the service in one table: unknown paths, other methods, HEAD and OPTIONS are alike in all of them. */
const everywhere = [...restRoutes, ...oauthRoutes, ...healthRoutes, ...localRoutes, ...trpcRoutes, ...webRoutes];
const routes = new RouteTable(everywhere);
/** For who may read the metrics; to everybody else their path is as unknown as any. */
const routesWithMetrics = new RouteTable([...everywhere, ...metricsRoutes]);

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What only the runtime can say of a request, or do for it. */
export interface Arrival {
  /** Where it came from. */
  readonly address: string | undefined;
  /** Keeps the runtime from ending work that goes on when the answer is out. */
  readonly later: (work: Promise<unknown>) => void;
}

/** What a request is for that does not say where it goes. */
const UNKNOWN = { kind: 'unknown' } as const;

/** Answers one request. Never rejects: a bug is a 500 that tells nothing, and a line in the log that tells all. */
export async function handle(request: Request, services: Services, arrival: Arrival): Promise<Response> {
  const startedAtMs = monotonicMs();
  const readable = urlOf(request);
  const url = readable ?? new URL('/', services.config.baseUrl);
  const log: LogFacts = {};
  const table = url.pathname === METRICS_PATH && mayReadMetrics(request, services) ? routesWithMetrics : routes;
  const { deployment } = services.config;
  const match = readable === undefined ? UNKNOWN : table.match(request.method, url.pathname, deployment);
  const { address, later } = arrival;
  const facts = factsOf(request, { path: toldPathOf(url, match), random: services.random, address });
  const parameters = match.kind === 'found' ? match.parameters : {};
  const enterShard: Exchange['enterShard'] = (shard, sentFrom) => permitOf(request)?.enterShard(shard, sentFrom);
  const outside: Exchange['outside'] = async (work) => {
    const permit = permitOf(request);
    permit?.suspend();
    return work().finally(() => permit?.resume());
  };
  const known = { services, facts, later, enterShard, outside, log, url, parameters };
  const exchange: Exchange = { ...known, reply: { headers: {} }, face: 'rest' };
  const response = readable === undefined ? unreadable(exchange) : await answer(request, exchange, match);
  const route = match.kind === 'found' ? match.route.path : undefined;
  const { method } = request;
  const { status } = response;
  const ms = monotonicMs() - startedAtMs;
  logRequest(exchange, { method, route, status, ms });
  // No path and no method of a caller's own: either could be anything.
  const countedAs = METHODS.has(method) ? method : 'other';
  services.metrics.measure('http_request', [ms / 1000], [countedAs, route ?? 'none', String(status)]);
  return finish(request, response, exchange);
}

/** A host and a port, and nothing that would end them (RFC 9110 section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Where a request goes. Runtimes write its host before its path, whatever it is: one with a slash or a question mark
 * would choose another path than the one that everybody in between has seen.
 */
function urlOf(request: Request): URL | undefined {
  const host = request.headers.get('host') ?? '';
  return host === '' || HOST.test(host) ? (URL.parse(request.url) ?? undefined) : undefined;
}

function unreadable(exchange: Exchange): Response {
  const violation = { field: 'Host', code: 'PATTERN_MISMATCH', limit: 'a host and a port' } as const;
  return problemResponse(new Problem(refuse('INVALID_HEADER', { violations: [violation] })), exchange);
}

/** A path that ends in a secret is told without it: what answers and logs say of a request may be read by others. */
function toldPathOf({ pathname }: URL, match: ReturnType<RouteTable['match']>): string {
  const isSecret = match.kind === 'found' && match.route.endsInSecret === true;
  return asUriPath(isSecret ? pathname.slice(0, pathname.lastIndexOf('/')) : pathname);
}

/** The path as a URI may have it (RFC 3986 section 3.3): URLs let through some characters, and `%` before anything. */
function asUriPath(pathname: string): string {
  return pathname.replaceAll(
    /%(?![0-9A-Fa-f]{2})|[[\]|^]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function answer(request: Request, exchange: Exchange, match: ReturnType<RouteTable['match']>): Promise<Response> {
  if (match.kind === 'unknown') return problemResponse(new Problem(refuse('ROUTE_NOT_FOUND')), exchange);
  if (match.kind === 'other_method') {
    const { allow } = match;
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
    return problemResponse(new Problem(refuse('METHOD_NOT_ALLOWED'), { allow }), exchange);
  }
  try {
    return await answerWith(match.route, request, exchange);
  } catch (error) {
    return problemResponse(error, exchange);
  }
}

async function answerWith(route: Route, request: Request, exchange: Exchange): Promise<Response> {
  if (route.needsNoPermit === true) return await admitted(route, request, exchange);
  const permit = admit(request, exchange);
  if (permit === undefined) {
    await holdRefusal(exchange.services);
    return await (route.answerError ?? problemResponse)(OVERLOADED, exchange);
  }
  const response = await admitted(route, request, exchange).finally(() => permit.release());
  // One refusal among the calls of a batch is no refusal of the batch.
  if (permit.isRefused && response.status === PROBLEMS.SERVICE_UNAVAILABLE.status) await holdRefusal(exchange.services);
  return response;
}

async function admitted(route: Route, request: Request, exchange: Exchange): Promise<Response> {
  try {
    return await route.handle(request, exchange);
  } catch (error) {
    return await (route.answerError ?? problemResponse)(error, exchange);
  }
}

/** Headers of every response, set on the one that a face made: a copy would cost its body a second way through. */
async function finish(request: Request, response: Response, { facts, services }: Exchange): Promise<Response> {
  const { headers } = response;
  headers.set('x-request-id', facts.requestId);
  headers.set('x-correlation-id', facts.correlationId);
  // A page may be in the language of its address instead.
  if (!headers.has('content-language')) headers.set('content-language', facts.locale);
  headers.append('vary', 'Accept-Language');
  guardBrowsers(response, services.config.baseUrl);
  // A proxy that compresses would weaken the entity tag, and a weak one never matches If-Match.
  if (!headers.has('cache-control'))
    headers.set('cache-control', headers.has('etag') ? 'no-store, no-transform' : 'no-store');
  return request.method === 'HEAD' && response.body !== null ? withoutBody(response) : response;
}

/** HEAD: the headers of GET, its length among them (RFC 9110 section 9.3.2). */
async function withoutBody(response: Response): Promise<Response> {
  const { byteLength } = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set('content-length', String(byteLength));
  return new Response(null, { status: response.status, headers });
}

function logRequest(
  { facts, log }: Exchange,
  line: { method: string; route: string | undefined; status: number; ms: number },
): void {
  const { method, route, status, ms } = line;
  logInfo({ requestId: facts.requestId, method, route, status, ms: Math.round(ms), company: log.companyId });
}
