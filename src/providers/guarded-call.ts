import type { Metrics } from '../ports/metrics.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** How a provider is called over HTTP. */
export interface ProviderPlatform {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
}

export type GuardPlatform = Pick<ProviderPlatform, 'monotonicMs' | 'metrics'>;

export interface CallLimits {
  /** For one whole call, whatever it takes. */
  readonly timeoutMs: number;
  /** Calls in a row without a usable answer, after which nobody waits for the provider any more. */
  readonly failuresMax: number;
  readonly openMs: number;
}

/** Answers what `work` answers, or undefined: when that is undefined, when it fails, and when it is late. */
export type GuardedCall = <Answer>(
  work: (signal: AbortSignal) => Promise<Answer | undefined>,
) => Promise<Answer | undefined>;

/** A probe that has not told its end by then never will: the answer had its deadline long ago. */
const PROBE_SLACK_MS = 1000;

/**
 * A way to call one provider: each call within its deadline, and none while the provider is away. Never rejects. Each
 * has its own breaker, so each process or isolate finds out by itself that a provider is away.
 */
export function guardCalls(
  provider: 'routing' | 'sms' | 'email' | 'documents',
  limits: CallLimits,
  { monotonicMs, metrics }: GuardPlatform,
): GuardedCall {
  const { failuresMax, openMs, timeoutMs } = limits;
  const breaker = new CircuitBreaker({ failuresMax, openMs, probeMs: timeoutMs + PROBE_SLACK_MS }, monotonicMs);
  return async (work) => {
    const settle = breaker.enter();
    if (settle === undefined) {
      metrics.measure('provider_call', [0], [provider, 'not_tried']);
      return undefined;
    }
    const startedMs = monotonicMs();
    const { answer, isLate } = await withinDeadline(timeoutMs, work);
    settle(answer !== undefined);
    const failed = isLate ? 'timed_out' : 'failed';
    const outcome = answer === undefined ? failed : 'answered';
    metrics.measure('provider_call', [(monotonicMs() - startedMs) / 1000], [provider, outcome]);
    return answer;
  };
}

/** What `work` makes of it; no answer when it fails or is late, and then `signal` is aborted. Never rejects. */
async function withinDeadline<Answer>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Answer | undefined>,
): Promise<{ readonly answer: Answer | undefined; readonly isLate: boolean }> {
  const controller = new AbortController();
  const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    // Not left to the abort alone: how soon it ends a read that is under way is the runtime's affair.
    giveUp(undefined);
    controller.abort();
  }, timeoutMs);
  try {
    const answer = await Promise.race([work(controller.signal), timedOut]);
    return { answer, isLate: controller.signal.aborted };
  } catch {
    return { answer: undefined, isLate: controller.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fetches, and tries once more when no response came at all: the usual cause is a kept connection that the provider
 * closed just then. A status is an answer, and a provider that was slow once is not asked to be slow twice. Only for
 * what may safely happen twice.
 */
export async function fetchOrRepeat(
  fetch: ProviderPlatform['fetch'],
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal.aborted) throw error;
    return await fetch(url, init);
  }
}
