import type { AttemptError, DeliveryStatus } from '../../contract/event-type.ts';
import { addMillis, type Instant, toMillis } from '../../core/instant.ts';
import { PAUSE_SECONDS_FIRST, RETRY_AFTER_SECONDS_MAX, type WebhookTerms } from '../../core/webhook-terms.ts';
import type { WebhookAnswer } from '../../ports/webhook.ts';

/** The result of an attempt: a status, or why there is none. `retryAfter` is the header of the answer. */
export interface AttemptResult {
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  readonly retryAfter: string | null;
}

/** The result of an answer: only 2xx is a success. A redirect is not followed, so it is a failure. A pure function. */
export function attemptResultOf(answer: WebhookAnswer): AttemptResult {
  if (!answer.ok) return failure(answer.error);
  const { status, headers } = answer;
  const retryAfter = PAUSING.includes(status) ? headers.get('retry-after') : null;
  if (status >= 200 && status < 300) return { responseStatus: status, error: null, retryAfter };
  const error = status >= 300 && status < 400 ? 'REDIRECT' : 'NON_2XX';
  return { responseStatus: status, error, retryAfter };
}

export function failure(error: AttemptError): AttemptResult {
  return { responseStatus: null, error, retryAfter: null };
}

/** The receiver says that it is permanently gone. */
export function isGone({ responseStatus }: AttemptResult): boolean {
  return responseStatus === 410;
}

/** Statuses of a receiver, or of the proxy in front of it, that is too busy or away for a moment. */
const PAUSING: readonly number[] = [429, 502, 503, 504];

/** The receiver asks for a pause. That concerns every delivery of its endpoint. */
export function isPausing({ responseStatus }: Pick<AttemptResult, 'responseStatus'>): boolean {
  return responseStatus !== null && PAUSING.includes(responseStatus);
}

/** How long the receiver asks to wait, in real seconds; undefined if it does not say, or nothing that helps. */
export function askedPauseMs({ retryAfter }: AttemptResult, realNow: Instant): number | undefined {
  const askedMs = retryAfterMs(retryAfter, realNow);
  return askedMs >= 1000 ? askedMs : undefined;
}

/** After this many answers that pause the endpoint a delivery lets others go first, because it may be the cause itself. */
const PLACE_KEPT = 3;

/** When a delivery may be sent again after its answer paused the endpoint for the `count`th time. Null: as soon as any. */
export function deferredUntil(count: number, now: Instant): Instant | null {
  if (count < PLACE_KEPT) return null;
  return addMillis(now, Math.min(PAUSE_SECONDS_FIRST * 2 ** count, RETRY_AFTER_SECONDS_MAX) * 1000);
}

/** The state of a delivery after an attempt. */
export interface NextAttempt {
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Instant | null;
}

export interface AttemptTimes {
  readonly attempts: number;
  /** On the clock of the company. */
  readonly now: Instant;
  /** A receiver that names a date means the real time. */
  readonly realNow?: Instant;
  readonly chance: number;
}

/**
 * The next state of a delivery after its attempt number `attempts`, at `now`. `chance` (0 to 1) selects the jitter. A
 * Retry-After of the receiver is honoured in real seconds, even if the schedule is shorter. A pure function.
 */
export function nextAttemptAfter(
  ending: AttemptResult,
  { attempts, now, realNow = now, chance }: AttemptTimes,
  { delaysSeconds, jitter }: Pick<WebhookTerms, 'delaysSeconds' | 'jitter'>,
): NextAttempt {
  if (ending.error === null) return { status: 'SUCCEEDED', nextAttemptAt: null };
  const delay = delaysSeconds[attempts];
  if (delay === undefined || isGone(ending)) return { status: 'EXHAUSTED', nextAttemptAt: null };
  const delayMs = delay * 1000 * (1 + jitter * (2 * chance - 1));
  const askedMs = retryAfterMs(ending.retryAfter, realNow);
  return { status: 'RETRYING', nextAttemptAt: addMillis(now, Math.ceil(Math.max(delayMs, askedMs))) };
}

/**
 * `Retry-After` (RFC 9110 section 10.2.3) in milliseconds from now: seconds, which some receivers give with a fraction, or a
 * date. 0 for any other text.
 */
function retryAfterMs(header: string | null, now: Instant): number {
  if (header === null) return 0;
  const text = header.trim();
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - toMillis(now);
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), RETRY_AFTER_SECONDS_MAX * 1000);
}

/** When an endpoint has failed too long, if it has failed often enough. Pure. */
export function disableDueAt(
  {
    consecutiveFailures,
    failingSince,
  }: { readonly consecutiveFailures: number; readonly failingSince: Instant | null },
  { disableAfterFailures, disableAfterSeconds }: WebhookTerms,
): Instant | undefined {
  const isOften = failingSince !== null && consecutiveFailures >= disableAfterFailures;
  return isOften ? addMillis(failingSince, disableAfterSeconds * 1000) : undefined;
}

/** Whether an endpoint that fails again at `now` has failed too often for too long. Pure. */
export function isFailingTooLong(
  endpoint: { readonly consecutiveFailures: number; readonly failingSince: Instant | null },
  now: Instant,
  { disableAfterFailures, disableAfterSeconds }: WebhookTerms,
): boolean {
  const { consecutiveFailures, failingSince } = endpoint;
  if (failingSince === null || consecutiveFailures + 1 < disableAfterFailures) return false;
  return addMillis(failingSince, disableAfterSeconds * 1000) <= now;
}
