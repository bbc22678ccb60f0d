import type { FailureFacts } from './failure.ts';
import type { Host } from './host.ts';

/**
 * The client retries a call after a temporary failure if it is safe to run the call twice:
 *
 * - It retries any call if the service did nothing: the token request failed; no connection; 429, which the service answers
 *   before it reads the input; REQUEST_TIMEOUT, for input that arrived too slowly; ROUTING_PROVIDER_UNAVAILABLE and
 *   ADDRESS_PROVIDER_UNAVAILABLE, after which nothing is stored; STORAGE_PROVIDER_UNAVAILABLE, after which nothing is READY; an earlier creation with the same key that
 *   has not finished; once a 401, because a token can end early.
 * - After a gateway's 408, 500, 502, any other 503, 504, 520 to 524, no response, or a response that is not from the service, it
 *   retries only a query, a mutation with an idempotency key, and a mutation whose If-Match has exactly one version. The service
 *   may have acted before such a failure, because its 503 can also mean a commit with an unknown outcome. `If-Match: *`, or a
 *   list that may contain the next version, would let the second attempt act again.
 *
 * A name that does not exist and a certificate that is not trusted stay so, and fail without a retry. A failed token request is an
 * attempt.
 */
export interface RetryRules {
  /** The maximum number of attempts after the first. */
  readonly retries: number;
  /** For all attempts of a call with their delays. */
  readonly totalTimeoutMs: number;
  readonly host: Host;
}

/** Rate limits are per minute. The caller must plan for a longer Retry-After, because an earlier retry would fail. */
const RETRY_AFTER_SECONDS_MAX = 60;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;

const PASSING_CODES: ReadonlySet<string> = new Set([
  'NETWORK_FAILURE',
  'UNEXPECTED_RESPONSE',
  'IDEMPOTENCY_REQUEST_IN_PROGRESS',
]);
/** 520 to 524 are Cloudflare's, for a service behind it that did not answer. */
const PASSING_STATUSES: ReadonlySet<number | undefined> = new Set([
  408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
]);

interface Attempt {
  readonly facts: FailureFacts;
  /** The number of attempts so far, including this one. */
  readonly attempts: number;
  /** Whether the service acts once however often it gets the call. */
  readonly isRepeatable: boolean;
  /** Whether an earlier attempt had a token that was refused. */
  readonly wasTokenRefused: boolean;
}

/** The delay before the next attempt in milliseconds, or undefined if there must be none. */
export function waitBeforeRetry(
  { retries, host }: RetryRules,
  { facts, attempts, isRepeatable, wasTokenRefused }: Attempt,
): number | undefined {
  // The service answers 401 before it does anything, and a new token helps, also if no retries are wanted.
  if (facts.stage === 'call' && facts.status === 401)
    return wasTokenRefused || attempts > Math.max(1, retries) ? undefined : 0;
  if (attempts > retries) return undefined;
  const isInProgress = facts.code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS';
  if (!isPassing(facts) || (facts.mayHaveActed && !isRepeatable && !isInProgress)) return undefined;
  const { retryAfterSeconds } = facts;
  if (retryAfterSeconds !== undefined) {
    if (retryAfterSeconds > RETRY_AFTER_SECONDS_MAX) return undefined;
    // Jitter, so that calls with the same Retry-After do not all retry in the same millisecond.
    return retryAfterSeconds * 1000 + host.random() * BACKOFF_FIRST_MS;
  }
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempts - 1));
  return backoffMs / 2 + host.random() * (backoffMs / 2);
}

function isPassing({ code, status, isLasting = false }: FailureFacts): boolean {
  return !isLasting && (PASSING_CODES.has(code) || PASSING_STATUSES.has(status));
}

/** Whether If-Match has exactly one version. */
export function isOneVersion(ifMatch: unknown): boolean {
  return typeof ifMatch === 'string' && /^"\d+"$/.test(ifMatch);
}
