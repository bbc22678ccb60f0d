import { TRPCClientError } from '@trpc/client';
import type { FailureFacts, MirsalErrorCode } from './failure.ts';
import type { Problem, ProblemViolation } from './problem.ts';
import type { MirsalRouter } from './router.ts';

/** The call that an error ends. */
export interface FailedCall {
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
}

/** What every call of the client rejects with. Its message is for logs; programs go by `code`. */
export class MirsalError extends TRPCClientError<MirsalRouter> {
  readonly code: MirsalErrorCode;
  /** HTTP status; undefined when nothing answered. */
  readonly status: number | undefined;
  /** What the service said; undefined when it was not the service that failed the call. */
  readonly problem: Problem | undefined;
  /** The broken rules, all at once; empty for every code but those of validation. */
  readonly violations: readonly ProblemViolation[];
  /** To quote when asking for help. */
  readonly requestId: string | undefined;
  /** How long the service asks to be left alone. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * How many times the call was tried. With more than one, a PRECONDITION_FAILED may be the echo of the call's own
   * first attempt, whose answer was lost: read the shipment before deciding.
   */
  readonly attempts: number;
  /** The key that the call carried. To repeat a call whose end is unknown, give it the same one. */
  readonly idempotencyKey: string | undefined;

  constructor(facts: FailureFacts, { attempts, idempotencyKey }: FailedCall) {
    super(`${facts.code}: ${facts.message}`, {
      ...(facts.cause === undefined ? {} : { cause: asError(facts.cause) }),
      ...(facts.envelope === undefined ? {} : { result: facts.envelope }),
    });
    // The class above makes every instance one of its own.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'MirsalError';
    this.code = facts.code;
    this.status = facts.status;
    this.problem = facts.problem;
    this.violations = facts.problem?.violations ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.attempts = attempts;
    this.idempotencyKey = idempotencyKey;
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause), { cause });
}
