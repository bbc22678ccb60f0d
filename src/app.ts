import { formatInstant } from './core/instant.ts';
import { part } from './core/part.ts';
import { invalidHeaders, Problem } from './core/problem.ts';
import { PROBLEM_STATUSES } from './core/problem-code.ts';
import { refuse } from './core/result.ts';
import { admissionOf, knownShard, OVERLOADED, Permit } from './http/admission.ts';
import { factsOf, publicPathOf, urlOf } from './http/facts.ts';
import { finish } from './http/finish.ts';
import { isLoopbackHost, LOCAL_PREFIX } from './http/loopback.ts';
import { METRICS_PATH, mayReadMetrics } from './http/metrics.ts';
import { problemResponse } from './http/problem-response.ts';
import type { noteCalls } from './http/request-log.ts';
import type { Answer, Draft, Exchange, Match, Route } from './http/route-table.ts';
import { frequentTable, SECRET_PREFIXES } from './http/routes/frequent-routes.ts';
import { logInfo } from './ports/log.ts';
import { monotonicMs } from './providers/system.ts';
import type { Services } from './service/services.ts';

/** The routes that are not frequent, with all other procedures and the pages. */
const allRoutes = part(() => import('./http/routes/all-routes.ts'));

/** The request log. An answer waits for the masks of its own calls, not for the database. */
const requestLog = part(() => import('./http/request-log.ts'));
let noteNow: typeof noteCalls | undefined;

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Facts and functions of a request that only the runtime has. */
export interface RuntimeFacts {
  /** The network address of the client. */
  readonly address: string | undefined;
  /** Like `ctx.waitUntil`: keeps the runtime alive for work after the response. */
  readonly later: (work: Promise<unknown>) => void;
}

/**
 * Answers one request: facts, admission, answer, log, headers, request log, in this order. Never rejects: a bug, or a part that cannot
 * be loaded, is a 500 without details, and a line in the log with all of them.
 */
export async function handle(request: Request, services: Services, runtime: RuntimeFacts): Promise<Response> {
  const startedAtMs = monotonicMs();
  const { config, random } = services;

  const url = urlOf(request);
  const match =
    url === undefined
      ? MALFORMED_HOST
      : (frequentMatch(request, url, services) ?? (await matchOf(request, url, services).catch(notLoaded)));
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
    enterCompany: permit.enterCompany,
    outside: permit.outside,
    later: runtime.later,
    reply: { headers: {} },
    face: 'rest',
    log: services.requestLog === undefined ? {} : { calls: [] },
  };
  const response = await answer(request, exchange, match);
  permit.release();
  // If only one call of a batch was refused, the response is not a refusal and is not delayed.
  if (permit.isRefused && response.status === PROBLEM_STATUSES.SERVICE_UNAVAILABLE) await admission.holdRefusal(permit);

  record(request, exchange, { route: route?.path, status: response.status, ms: monotonicMs() - startedAtMs });
  const finished = await finish(request, response, exchange);
  if (exchange.log.companyId !== undefined && services.requestLog !== undefined) {
    // Most requests only raise a count. `later` would cost them more than that.
    if (noteNow !== undefined) noteNow(exchange, route, response);
    else
      runtime.later(
        requestLog().then((loaded) => {
          noteNow = loaded.noteCalls;
          noteNow(exchange, route, response);
        }),
      );
  }
  if (match.kind === 'other_method' && response.status >= 400 && services.requestLog !== undefined)
    runtime.later(requestLog().then(({ noteOtherMethod }) => noteOtherMethod(exchange, match, response)));
  return finished;
}

/** A request whose route is not known: its Host header is malformed, or the other routes could not be loaded. */
type Routeless = typeof MALFORMED_HOST | ReturnType<typeof notLoaded>;
const MALFORMED_HOST = { kind: 'malformed_host' } as const;
/** The next request loads them again. */
const notLoaded = (error: unknown) => ({ kind: 'not_loaded', error }) as const;

/** The frequent route of a request. */
function frequentMatch({ method }: Request, { pathname }: URL, { config }: Services): Match | undefined {
  const match = frequentTable.match(method, pathname, config.deployment);
  return match.kind === 'found' ? match : undefined;
}

async function matchOf(request: Request, { pathname }: URL, services: Services): Promise<Match> {
  if (pathname.startsWith(LOCAL_PREFIX) && !isLoopbackHost(request)) return { kind: 'unknown' };
  const { allTable, tableWithMetrics } = await allRoutes();
  const table = pathname === METRICS_PATH && mayReadMetrics(request, services) ? tableWithMetrics : allTable;
  return table.match(request.method, pathname, services.config.deployment);
}

/** The response of the route, or the refusal of a request that has none. Never rejects. */
async function answer(request: Request, exchange: Exchange, match: Match | Routeless): Promise<Answer> {
  const { answerError = problemResponse }: Pick<Route, 'answerError'> = match.kind === 'found' ? match.route : {};
  try {
    return await respond(request, exchange, match);
  } catch (error) {
    try {
      return await answerError(error, exchange);
    } catch (bug) {
      return problemResponse(bug, exchange).catch(() => bareProblem(exchange));
    }
  }
}

async function respond(request: Request, exchange: Exchange, match: Match | Routeless): Promise<Answer> {
  if (match.kind === 'malformed_host')
    throw invalidHeaders({ field: 'Host', code: 'PATTERN_MISMATCH', limit: 'a host and a port' });
  if (match.kind === 'not_loaded') throw match.error;
  if (match.kind === 'other_method') {
    const { allow } = match;
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow }, body: null };
    throw new Problem(refuse('METHOD_NOT_ALLOWED'), { allow });
  }
  if (exchange.permit.isRefused) throw OVERLOADED;
  if (exchange.url.search.length > QUERY_LENGTH_MAX) throw new Problem(refuse('INVALID_QUERY_PARAMETER'));
  const { handle: run } = match.kind === 'unknown' ? { handle: (await allRoutes()).showUnknown } : match.route;
  return run(request, exchange);
}

/** 16 KiB, which is the longest address of Cloudflare and nginx. Deno and workerd take several times that. */
const QUERY_LENGTH_MAX = 16 * 1024;

/** A 500 without the texts of problems, which could not be loaded. The error itself is in the log. */
function bareProblem({ facts, services }: Exchange): Draft {
  const problem = {
    type: 'about:blank',
    title: 'Internal error',
    status: 500,
    instance: facts.path,
    code: 'INTERNAL_ERROR',
    timestamp: formatInstant(services.clock.now()),
    correlationId: facts.correlationId,
    requestId: facts.requestId,
  };
  return { status: 500, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(problem) };
}

/** Logs and measures a request. Both use the route's template, so a caller cannot choose their content. */
function record(
  { method }: Request,
  { facts, log, services }: Exchange,
  { route, status, ms }: { readonly route: string | undefined; readonly status: number; readonly ms: number },
): void {
  const { companyId: company, procedures } = log;
  logInfo({ requestId: facts.requestId, method, route, procedures, status, ms: Math.round(ms), company });
  const knownMethod = METHODS.has(method) ? method : 'other';
  services.metrics.measure('http_request', [ms / 1000], [knownMethod, route ?? 'none', String(status)]);
}
