import { TRPCError } from '@trpc/server';
import type { Context } from '../../routers/context.ts';
import { buildProblem } from '../../routers/problem.ts';
import { describe, refusalOfError } from '../../routers/procedure.ts';
import { Problem } from '../core/problem.ts';
import { PROBLEM_STATUSES } from '../core/problem-code.ts';
import { wholeSeconds } from '../core/result.ts';
import { logError } from '../ports/log.ts';
import type { Draft } from './route-table.ts';

/** The response for a thrown value: its problem (RFC 9457), or for a bug a problem that reveals nothing. */
export async function problemResponse(error: unknown, context: Context): Promise<Draft> {
  const refusal = refusalOfError(error);
  if (refusal.code === 'INTERNAL_ERROR') {
    const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
    logError({ requestId: context.facts.requestId, error: describe(cause) });
  }
  const body = await buildProblem(refusal, context);
  return {
    status: PROBLEM_STATUSES[refusal.code],
    headers: { 'content-type': 'application/problem+json', ...problemHeaders(error) },
    body: JSON.stringify(body),
  };
}

/** The headers of a refusal, including Retry-After. */
export function problemHeaders(error: unknown): Record<string, string> {
  const problem = error instanceof TRPCError ? error.cause : error;
  if (!(problem instanceof Problem)) return {};
  const { retryAfterSeconds } = problem.refusal;
  return {
    ...problem.headers,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(wholeSeconds(retryAfterSeconds)) }),
  };
}
