import type { NotedCall } from '../../routers/context.ts';
import { authenticate } from '../access/authenticate.ts';
import { NO_OPERATION, REQUEST_METHODS } from '../contract/request-log-state.ts';
import { PROBLEM_STATUSES } from '../core/problem-code.ts';
import { refuse } from '../core/result.ts';
import { requestLogIn } from '../domain/request-log/recorder.ts';
import { authenticateDependencies } from '../service/services.ts';
import type { Answer, Exchange, Match, Route } from './route-table.ts';

/** Whether a request is answered over tRPC, where a batch has several calls with statuses of their own. */
const isTrpc = ({ path }: Route) => path.startsWith('/trpc/');

/**
 * Notes the calls of a request in the request log, once its answer is complete. A request without a company, such as one with
 * an unknown token, is in no log. The first call has the id of the request, the others of a batch have their own.
 */
export function noteCalls(exchange: Exchange, route: Route | undefined, answer: Answer): void {
  const { facts, log, services, url, parameters, reply, later } = exchange;
  const { calls, companyId } = log;
  if (services.requestLog === undefined || calls === undefined || companyId === undefined || route === undefined)
    return;
  const requestLog = requestLogIn(services.requestLog, services);
  for (const [index, call] of calls.entries()) {
    const status = isTrpc(route) ? statusOf(call) : answer.status;
    const { operation, input, refusal, isRead, durationMs } = call;
    requestLog.note(
      {
        requestId: index === 0 ? facts.requestId : services.random.uuid(),
        correlationId: facts.correlationId,
        companyId,
        source: log.clientId === undefined ? 'CONSOLE' : 'API',
        clientId: log.clientId ?? null,
        operation,
        input,
        output: status === 304 ? undefined : call.output,
        refusal,
        // The path of a call over tRPC has only the names of the procedures.
        parameters: isTrpc(route) ? {} : parameters,
        isHead: facts.method === 'HEAD',
        isRead,
        status,
        durationMs,
        replayed: reply.headers['idempotency-replayed'] === 'true',
        bytes: answer instanceof Response ? null : (answer.body?.length ?? 0),
        form: () => route.formOf?.(operation),
      },
      // The calls of a batch have one address.
      `${facts.method} ${index} ${url.pathname}${url.search}`,
      later,
    );
  }
}

/**
 * Notes a request with a method that its REST path does not have, if its token is that of a company's program. It is answered
 * before anyone asks who sent it, so the token is checked here. Never rejects.
 */
export async function noteOtherMethod(
  { facts, services, url, later }: Exchange,
  { route, parameters }: Extract<Match, { kind: 'other_method' }>,
  answer: Answer,
): Promise<void> {
  const { method } = facts;
  const form = isTrpc(route) ? undefined : route.formOf?.(NO_OPERATION);
  if (services.requestLog === undefined || form === undefined || !METHODS.has(method)) return;
  const client = await authenticate(authenticateDependencies(services, facts), facts.authorization).catch(() => null);
  if (client?.kind !== 'company') return;
  requestLogIn(services.requestLog, services).note(
    {
      requestId: facts.requestId,
      correlationId: facts.correlationId,
      companyId: client.companyId,
      source: 'API',
      clientId: client.clientId,
      operation: NO_OPERATION,
      input: undefined,
      output: undefined,
      refusal: refuse('METHOD_NOT_ALLOWED'),
      parameters,
      isHead: false,
      isRead: false,
      status: answer.status,
      durationMs: 0,
      replayed: false,
      bytes: answer instanceof Response ? null : (answer.body?.length ?? 0),
      form: () => ({ ...form, method }),
    },
    `${method} ${url.pathname}`,
    later,
  );
}

const METHODS: ReadonlySet<string> = new Set(REQUEST_METHODS);

function statusOf({ refusal }: NotedCall): number {
  return refusal === undefined ? 200 : PROBLEM_STATUSES[refusal.code];
}
