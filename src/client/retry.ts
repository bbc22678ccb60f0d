import { type Operation, type OperationResultEnvelope, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { Failure, type FailureFacts } from './failure.ts';
import type { Host } from './host.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type FailedCall, MirsalError } from './mirsal-error.ts';
import { isRecord } from './problem.ts';
import type { MirsalRouter } from './router.ts';

/**
 * The client retries a call after a temporary failure if it is safe to run the call twice:
 *
 * - It retries any call if the service did nothing: the token request failed; 429, which the service answers before it
 *   reads the input; ROUTING_PROVIDER_UNAVAILABLE, after which nothing is stored; STORAGE_PROVIDER_UNAVAILABLE, after
 *   which nothing is READY; an earlier creation with the same key that has not finished.
 * - After any other 503, a gateway's 502 or 504, or no response, it retries only a query, a mutation with an idempotency
 *   key, and a mutation whose If-Match has exactly one version. The service may have acted before such a failure,
 *   because its 503 can also mean a commit with an unknown outcome. `If-Match: *`, or a list that may contain the next
 *   version, would let the second attempt act again.
 */
export interface RetryRules {
  /** The maximum number of attempts after the first. */
  readonly retries: number;
  readonly host: Host;
}

/** Rate limits are per minute. The caller must plan for a longer Retry-After, because an earlier retry would fail. */
const RETRY_AFTER_SECONDS_MAX = 60;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;

const PASSING_STATUSES: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'ROUTING_PROVIDER_UNAVAILABLE',
  'STORAGE_PROVIDER_UNAVAILABLE',
  'IDEMPOTENCY_REQUEST_IN_PROGRESS',
]);
const ONE_VERSION = /^"\d+"$/;

interface Attempt {
  readonly facts: FailureFacts;
  /** The number of attempts so far, including this one. */
  readonly attempts: number;
}

type Envelope = OperationResultEnvelope<unknown, TRPCClientError<MirsalRouter>>;

/** Retries each call as its failures allow. The call ends with its result or a `MirsalError`. */
export function retryLink(rules: RetryRules): TRPCLink<MirsalRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = () =>
          new Promise<Envelope>((resolve, reject) => {
            next(op).subscribe({ next: resolve, error: reject });
          });
        const finish = (end: Envelope | MirsalError) => {
          if (end instanceof MirsalError) return observer.error(end);
          observer.next(end);
          observer.complete();
        };
        // Only an error in the host functions reaches this line. The call must still end.
        const fail = (error: unknown) => finish(new MirsalError(factsOf(error), endOf(op, 0)));
        void sendUntilDone(rules, op, send).then(finish, fail);
      });
}

async function sendUntilDone(
  rules: RetryRules,
  op: Operation,
  send: () => Promise<Envelope>,
): Promise<Envelope | MirsalError> {
  const signal = op.signal ?? undefined;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await send();
    } catch (error) {
      const facts = factsOf(error);
      const waitMs = attempts > rules.retries ? undefined : waitBeforeRetry(rules.host, op, { facts, attempts });
      if (waitMs !== undefined) await rules.host.sleep(waitMs, signal);
      if (signal?.aborted === true) return new MirsalError(abortedAfter(facts, signal), endOf(op, attempts));
      if (waitMs === undefined) return new MirsalError(facts, endOf(op, attempts));
    }
  }
}

/** The delay before the next attempt in milliseconds, or undefined if there must be none. */
function waitBeforeRetry(host: Host, op: Operation, { facts, attempts }: Attempt): number | undefined {
  if (!isPassing(facts) || !(hadNoEffect(facts) || isRepeatable(op))) return undefined;
  const { retryAfterSeconds } = facts;
  if (retryAfterSeconds !== undefined) {
    if (retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) return undefined;
    // Jitter, so that calls with the same Retry-After do not all retry in the same millisecond.
    return retryAfterSeconds * 1000 + host.random() * BACKOFF_FIRST_MS;
  }
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempts - 1));
  return backoffMs / 2 + host.random() * (backoffMs / 2);
}

function isPassing({ code, status }: FailureFacts): boolean {
  return code === 'NETWORK_FAILURE' || code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS' || PASSING_STATUSES.has(status);
}

function hadNoEffect({ stage, code, status }: FailureFacts): boolean {
  return stage === 'token' || status === 429 || WITHOUT_EFFECT.has(code);
}

function isRepeatable({ type, input }: Operation): boolean {
  if (type === 'query') return true;
  if (idempotencyKeyOf(input) !== undefined) return true;
  const ifMatch = isRecord(input) ? input['ifMatch'] : undefined;
  return typeof ifMatch === 'string' && ONE_VERSION.test(ifMatch);
}

function endOf({ input }: Operation, attempts: number): FailedCall {
  return { attempts, idempotencyKey: idempotencyKeyOf(input) };
}

function factsOf(error: unknown): FailureFacts {
  const cause = error instanceof TRPCClientError ? error.cause : error;
  if (cause instanceof Failure) return cause.facts;
  const message = error instanceof Error ? error.message : 'The call could not be sent';
  return { stage: 'call', code: 'CLIENT_FAILURE', message, cause: cause ?? error };
}

function abortedAfter({ stage }: FailureFacts, { reason }: AbortSignal): FailureFacts {
  return { stage, code: 'ABORTED', message: 'The call was aborted', cause: reason };
}
