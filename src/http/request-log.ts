import type { NotedCall } from '../../routers/context.ts';
import { PROBLEM_STATUSES } from '../core/problem-code.ts';
import { requestLogIn } from '../domain/request-log/recorder.ts';
import type { Answer, Exchange, Route } from './route-table.ts';

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

function statusOf({ refusal }: NotedCall): number {
  return refusal === undefined ? 200 : PROBLEM_STATUSES[refusal.code];
}
