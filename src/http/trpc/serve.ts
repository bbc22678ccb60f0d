import { getTRPCErrorShape, TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Context } from '../../../routers/context.ts';
import { appRouter } from '../../../routers/index.ts';
import { problemBuilder } from '../../../routers/problem.ts';
import { toTrpcError } from '../../../routers/procedure.ts';
import { TRPC_CALLS_MAX } from '../../core/limits.ts';
import { Problem } from '../../core/problem.ts';
import { PROBLEM_STATUSES } from '../../core/problem-code.ts';
import { refuse } from '../../core/result.ts';
import { JSON_TYPE, readBytes, requireMediaType } from '../body.ts';
import { problemHeaders, problemResponse } from '../problem-response.ts';
import { checkAccept } from '../rest/input.ts';
import { bodyLimitsOfAll, loggedFormOf } from '../rest/routes.ts';
import type { Answer, Exchange, Route } from '../route-table.ts';
import { jsonOf, malformed, queryOf, queryProblem } from '../sent-text.ts';
import { isUpload, serveUpload } from './upload.ts';

const ENDPOINT = '/trpc';
/** A body has the limit of REST for a single call, and twice that for a batch. A program that needs more sends two batches. */
export const BATCH_FACTOR = 2;

/**
 * The media type that `httpBatchStreamLink` of @trpc/client requests. It is refused: headers that depend on all calls, such as
 * the cookie of a sign-in, would be sent before the calls end.
 */
const JSON_LINES = 'application/jsonl';

/** The same procedures for TypeScript programs: `/trpc/shipments.get`, batched or not. */
export const trpcRoutes: readonly Route[] = (['GET', 'POST'] as const).map((method) => ({
  method,
  path: `${ENDPOINT}/{procedures}`,
  handle: serve,
  formOf: loggedFormOf,
  answerError,
}));

async function serve(request: Request, exchange: Exchange): Promise<Response> {
  checkAccept(request);
  const procedures = decodeProcedures(exchange.parameters['procedures'] ?? '');
  exchange.log.procedures = knownOf(procedures);
  if (isUpload(request, procedures)) return await serveUpload(request, exchange, procedures);
  const calls = checkCalls(request, procedures);
  const { bytesMax, valuesMax } = bodyLimitsOfAll(procedures.split(','));
  const limits = { bytesMax: bytesMax * (calls > 1 ? BATCH_FACTOR : 1), valuesMax };
  const inputOf = inputReader(request, exchange, limits);
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: requestWithoutInput(request, exchange),
    router: appRouter,
    createContext: async () => ({ ...(await contextOf(exchange)), inputOf }),
    maxBatchSize: TRPC_CALLS_MAX,
    // A query whose input is too long for an address comes by POST.
    allowMethodOverride: true,
    responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
  });
  // The session of a sign-in, or its end, is set in the browser as over REST.
  const cookie = exchange.reply.headers['set-cookie'];
  if (cookie !== undefined) response.headers.set('set-cookie', cookie);
  return response;
}

/** The names for the log, so without what a caller invents. */
function knownOf(procedures: string): string {
  const names = procedures.split(',', TRPC_CALLS_MAX);
  return names.map((name) => (Object.hasOwn(appRouter._def.procedures, name) ? name : 'unknown')).join(',');
}

async function contextOf(exchange: Exchange): Promise<Context> {
  return { ...exchange, face: 'trpc', problemOf: await problemBuilder(exchange) };
}

function answerError(error: unknown, exchange: Exchange): Promise<Answer> {
  const cause = error instanceof TRPCError ? error.cause : error;
  return cause instanceof Problem ? refusalResponse(cause, exchange) : problemResponse(error, exchange);
}

/** Refuses requests for which tRPC has no problem body, because it has no context yet. Returns the number of calls. */
function checkCalls(request: Request, procedures: string): number {
  const calls = procedures.split(',').length;
  const isStream = request.headers.get('trpc-accept') === JSON_LINES;
  if (calls > TRPC_CALLS_MAX || isStream) throw new Problem(refuse('TRPC_BATCH_NOT_SUPPORTED'));
  if (request.method === 'POST') requireMediaType(request, JSON_TYPE);
  return calls;
}

/** A refusal of the whole request, in the format in which tRPC's clients expect the error of a call. */
async function refusalResponse(problem: Problem, exchange: Exchange): Promise<Response> {
  const error = getTRPCErrorShape({
    config: appRouter._def._config,
    error: toTrpcError(problem),
    type: 'unknown',
    path: undefined,
    input: undefined,
    ctx: await contextOf(exchange),
  });
  return new Response(JSON.stringify({ error }), {
    status: PROBLEM_STATUSES[problem.refusal.code],
    headers: { 'content-type': 'application/json', ...problemHeaders(problem) },
  });
}

function decodeProcedures(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem(refuse('INVALID_PATH_PARAMETER'));
  }
}

/** The request for tRPC. The service reads the input itself: tRPC would replace broken bytes, and take the last of repeated members. */
function requestWithoutInput({ method, headers: sent }: Request, { url }: Exchange): Request {
  const address = new URL(url);
  address.searchParams.delete('connectionParams');
  const headers = new Headers(sent);
  headers.set('trpc-accept', 'application/json');
  // tRPC asks for this media type with every POST, also without a body.
  return new Request(address, { method, headers });
}

interface InputLimits {
  readonly bytesMax: number;
  readonly valuesMax: number;
}

/** Reads the inputs of all calls when the first one needs its own, after its access checks. */
function inputReader(request: Request, exchange: Exchange, limits: InputLimits): (call: number) => Promise<unknown> {
  let inputs: Promise<unknown> | undefined;
  return async (call) => {
    inputs ??= readInputs(request, exchange, limits);
    const read = await inputs;
    if (exchange.url.searchParams.get('batch') !== '1' || read === undefined) return read;
    if (typeof read !== 'object' || read === null) throw malformed(undefined);
    const input: unknown = Object.hasOwn(read, call) ? Reflect.get(read, call) : undefined;
    return input;
  };
}

/** The inputs of a request, each below its number in a batch; undefined if it has none. */
async function readInputs(
  request: Request,
  { url, permit }: Exchange,
  { bytesMax, valuesMax }: InputLimits,
): Promise<unknown> {
  const query = queryOf(url);
  for (const name of query.keys())
    if (query.getAll(name).length > 1) throw queryProblem('INVALID_QUERY_PARAMETER', name);
  const isSentInQuery = request.method !== 'POST';
  const bytes = isSentInQuery
    ? new TextEncoder().encode(query.get('input') ?? '')
    : await readBytes({ request, permit }, bytesMax);
  return bytes.length === 0 ? undefined : jsonOf(bytes, { valuesMax, numbers: 'plain' });
}

/** The headers of the first refusal that has any, because a batch has one set of headers. */
function headersOf(errors: readonly unknown[]): Record<string, string> {
  return errors.map(problemHeaders).find((headers) => Object.keys(headers).length > 0) ?? {};
}
