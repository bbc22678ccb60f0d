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
  /** Whether the service may have acted in this attempt. */
  readonly mayHaveActed: boolean;
  /** Whether another attempt would fail for the same reason. */
  readonly isLasting?: boolean | undefined;
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

const CAUSES_MAX = 10;

/** An error and its causes, the innermost last. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause);
  return causes;
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
  const unexpected = `The response with status ${status} is not from the service`;
  const code = problem?.code ?? 'UNEXPECTED_RESPONSE';
  return new Failure({
    stage,
    code,
    message: problem?.detail ?? problem?.title ?? unexpected,
    mayHaveActed: stage === 'call' && mayHaveActed(code, status, problem !== undefined),
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

/** Answers of the service that mean that it did nothing, besides all below 500. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'ROUTING_PROVIDER_UNAVAILABLE',
  'ADDRESS_PROVIDER_UNAVAILABLE',
  'STORAGE_PROVIDER_UNAVAILABLE',
]);

function mayHaveActed(code: string, status: number, isOfService: boolean): boolean {
  // An earlier request with the same key still runs.
  if (code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS') return true;
  // A rate limit, also a proxy's, counts requests before they do anything. So does a refused token.
  if (status === 429 || status === 401) return false;
  return isOfService ? status >= 500 && !WITHOUT_EFFECT.has(code) : true;
}

const SECONDS = /^(\d{1,9})(?:\.(\d+))?$/;
/**
 * The seconds of Retry-After, rounded up (RFC 9110 section 10.2.3). Of values that a proxy has joined, the longest. Anything
 * else is undefined: `Date.parse` would read `10.5` as a day in 2001.
 */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const at = new Date(text);
  // The only form of a date that a sender may make (RFC 9110 section 5.6.7).
  if (at.toString() !== 'Invalid Date' && at.toUTCString() === text)
    return Math.max(0, Math.ceil((at.getTime() - now) / 1000));
  const values = text.split(',').map((part) => (SECONDS.test(part.trim()) ? Math.ceil(Number(part)) : Number.NaN));
  const longest = Math.max(...values);
  return Number.isNaN(longest) ? undefined : longest;
}
