import { failureOf } from '../../ui/browser/service/failure.ts';

/* The patience of calls that an upload makes by the hundred. */

/** More tries than a full minute of a used up allowance takes. */
const TRIES_MAX = 20;
const BUSY_MS = 3_000;

/** Failures that pass: a rate limit, other batches of the company, a lost connection, an overload. */
const PASSING: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'BATCH_TOO_MANY_RUNNING',
  'NETWORK',
  'SERVICE_UNAVAILABLE',
]);

/**
 * Repeats a call that failed only for now, after the time that the service names. A call whose answer was lost may have acted, so
 * one that creates something needs an idempotency key. Rejects when `signal` is aborted during a pause.
 */
export async function patiently<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const { code, problem } = failureOf(error);
      if (!PASSING.has(code) || tries >= TRIES_MAX) throw error;
      await pause((problem?.retryAfterSeconds ?? 0) * 1000 || BUSY_MS, signal);
    }
  }
}

/** Rejects when the page is left. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('left'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
