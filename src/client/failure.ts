import type { inferRouterError } from '@trpc/server';
import type { TRPCErrorResponse } from '@trpc/server/rpc';
import type { AppRouter } from '../../routers/index.ts';
import type { ProblemCode } from '../core/catalogue.ts';
import { isProblem, isRecord, type Problem } from './problem.ts';

/** What the client itself finds wrong, beside the codes of the service. */
export type ClientCode =
  /** No connection, one that broke off, or no answer within `timeoutMs`. Whether the service acted is unknown. */
  | 'NETWORK_FAILURE'
  /** What answered is not the service: a proxy's page, a redirect, something that is no JSON. */
  | 'UNEXPECTED_RESPONSE'
  /** The caller's signal ended the call. Whether the service acted is unknown. */
  | 'ABORTED'
  /** The call could not be sent at all, for example because its input cannot be written as JSON. */
  | 'CLIENT_FAILURE';

/** A code of the service, of the client, or of a later day. */
export type MirsalErrorCode = ProblemCode | ClientCode | (string & Record<never, never>);

/** An error as tRPC answers it. */
type ErrorEnvelope = TRPCErrorResponse<inferRouterError<AppRouter>>;

/** Which request went wrong: the one for an access token, or the call itself. */
export type Stage = 'token' | 'call';

/** What is known of one attempt that did not succeed. */
export interface FailureFacts {
  readonly stage: Stage;
  readonly code: MirsalErrorCode;
  readonly message: string;
  /** HTTP status, if anything answered. */
  readonly status?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly envelope?: ErrorEnvelope | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Carries the facts through code that only passes errors on. It is never seen outside of the client. */
export class Failure extends Error {
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'Failure';
    this.facts = facts;
  }
}

/** An answer whose body was JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The failure that an answer tells of. `now` is in milliseconds since 1970. */
export function failureOfAnswer(stage: Stage, { status, headers, body }: JsonAnswer, now: number): Failure {
  const envelope = isErrorEnvelope(body) ? body : undefined;
  const inEnvelope = envelope?.error.data.problem;
  const problem = [body, inEnvelope].find(isProblem);
  const unexpected = `What answered with status ${status} is not the service`;
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
