import { TRPCClientError } from '@trpc/client';
import type { FailedEnd, Outcome } from './attempts.ts';
import type { FailureFacts } from './failure.ts';
import type { MirsalErrorCode, Problem, ProblemViolation } from './problem.ts';
import type { MirsalRouter } from './router.ts';

/** The call that failed. */
export interface FailedCall extends Omit<FailedEnd, 'signal'> {
  readonly idempotencyKey?: string | undefined;
}

/** Every call of the client rejects with this error. Programs decide by `code`; the message is for logs. */
export class MirsalError extends TRPCClientError<MirsalRouter> {
  readonly code: MirsalErrorCode;
  /** The HTTP status, or undefined if there was no response. */
  readonly status: number | undefined;
  /** The problem that the service answered, or undefined if the failure came from elsewhere. */
  readonly problem: Problem | undefined;
  /** All violations; empty for codes other than those of validation. */
  readonly violations: readonly ProblemViolation[];
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** How long to wait before the next attempt, from Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The number of attempts, those for a token included. */
  readonly attempts: number;
  /**
   * What the call did, over all its attempts. `none`: nothing. `done`: what it asked for is so now. `unknown`: an attempt had no
   * answer, so read the shipment before you decide, or make the call again with the same `idempotencyKey`.
   */
  readonly outcome: Outcome;
  /** The idempotency key of the call. To repeat a call with an unknown outcome, use the same key. */
  readonly idempotencyKey: string | undefined;

  /** @internal */
  constructor({ facts, attempts, outcome, idempotencyKey }: FailedCall) {
    super(messageOf(facts, outcome), {
      ...(facts.cause === undefined ? {} : { cause: asError(facts.cause) }),
      ...(facts.envelope === undefined ? {} : { result: facts.envelope }),
    });
    // The base class sets its own prototype on every instance.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'MirsalError';
    this.code = facts.code;
    this.status = facts.status;
    this.problem = facts.problem;
    this.violations = facts.problem?.violations ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.attempts = attempts;
    this.outcome = outcome;
    this.idempotencyKey = idempotencyKey;
    // What the problem has already is not printed again.
    for (const name of ['violations', 'data', 'shape', 'meta'])
      if (Object.hasOwn(this, name)) Object.defineProperty(this, name, { enumerable: false });
  }
}

/** Violations that the message tells. The rest is in the problem. */
const VIOLATIONS_TOLD = 3;

function messageOf({ code, message, problem }: FailureFacts, outcome: Outcome): string {
  const violations = problem?.violations ?? [];
  const told = violations.slice(0, VIOLATIONS_TOLD).map((one) => `${one.field} ${one.message} (${one.code})`);
  const more = violations.length - told.length;
  const rest = more > 0 ? [`${more} more`] : [];
  const doubt = outcome === 'unknown' ? ['the outcome is unknown'] : [];
  return [`${code}: ${message}`, ...told, ...rest, ...doubt].join('; ');
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause), { cause });
}
