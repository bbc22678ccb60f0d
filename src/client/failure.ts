import type { inferRouterError } from '@trpc/server';
import type { TRPCErrorResponse } from '@trpc/server/rpc';
import type { AppRouter } from '../../routers/index.ts';
import { isProblem, isRecord, type MirsalErrorCode, type Problem } from './problem.ts';

/** An error in tRPC's format. */
type ErrorEnvelope = TRPCErrorResponse<inferRouterError<AppRouter>>;

/** The request that failed: the token request or the call itself. */
export type CallStage = 'token' | 'call';

/** The facts about one failed attempt. */
export interface FailureFacts {
  readonly stage: CallStage;
  readonly code: MirsalErrorCode;
  readonly message: string;
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  /** @internal */
  readonly envelope?: ErrorEnvelope | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Carries the facts through code that only passes errors. It never leaves the client. */
export class Failure extends Error {
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'Failure';
    this.facts = facts;
  }
}

/** A response with a JSON body. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The failure that a response describes. `now` is in milliseconds since 1970. */
export function failureOfAnswer(stage: CallStage, { status, headers, body }: JsonAnswer, now: number): Failure {
  const envelope = isErrorEnvelope(body) ? body : undefined;
  const inEnvelope = envelope?.error.data.problem;
  const problem = [body, inEnvelope].find(isProblem);
  const unexpected = `The response with status ${status} is not from the service, so the outcome is unknown`;
  return new Failure({
    stage,
    code: problem?.code ?? 'UNEXPECTED_RESPONSE',
    message: problem?.detail ?? problem?.title ?? unexpected,
    status,
    problem,
    envelope,
    requestId: problem?.requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers.get('retry-after'), now),
  });
}

function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  return isRecord(body) && isRecord(body['error']) && isRecord(body['error']['data']);
}

/** Whole seconds, or the HTTP date that a proxy may send instead (RFC 9110 section 10.2.3). */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - now) / 1000));
}
