import type { Metrics } from '../ports/metrics.ts';
import type { Provider } from '../ports/providers.ts';
import type { BadAnswer } from './bad-answer.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { ProviderReports } from './provider-reports.ts';

/** What a call of a provider over HTTP needs. */
export interface ProviderPlatform {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
  readonly providerReports: ProviderReports;
}

export type GuardPlatform = Pick<ProviderPlatform, 'monotonicMs' | 'metrics' | 'providerReports'>;

export interface CallLimits {
  /** For one whole call, including retries. */
  readonly timeoutMs: number;
  /** After this many calls in a row without a usable answer, the provider is not called for `openMs`. */
  readonly failuresMax: number;
  readonly openMs: number;
}

/**
 * Work of one call. It throws, or resolves to undefined, if the provider gave no usable answer. It calls `refuse` if the provider works
 * but refused this request, which the log tells and the circuit breaker does not count.
 */
type Work<Answer> = (signal: AbortSignal, refuse: (answer: BadAnswer) => void) => Promise<Answer | undefined>;
/** Resolves to the result of `work`, or to undefined if `work` fails or exceeds its deadline. */
type Call = <Answer>(work: Work<Answer>) => Promise<Answer | undefined>;
export interface GuardedCall extends Call {
  /** Whether the provider is not called at the moment, because it has failed. */
  isDown(): boolean;
}

/** A probe that has not reported this long after its deadline will never report. */
const PROBE_SLACK_MS = 1000;

/**
 * Calls one provider with a deadline, and makes no calls while the circuit breaker is open. Never rejects. Every process
 * or isolate has its own circuit breaker for each provider.
 */
export function guardCalls(
  provider: Provider,
  limits: CallLimits,
  { monotonicMs, metrics, providerReports }: GuardPlatform,
): GuardedCall {
  const { failuresMax, openMs, timeoutMs } = limits;
  const breaker = new CircuitBreaker({ failuresMax, openMs, probeMs: timeoutMs + PROBE_SLACK_MS }, monotonicMs);
  const call: Call = async (work) => {
    const settle = breaker.enter();
    if (settle === undefined) {
      metrics.measure('provider_call', [0], [provider, 'not_tried']);
      return undefined;
    }
    const startedMs = monotonicMs();
    let refusal: BadAnswer | undefined;
    const refuse = (bad: BadAnswer) => {
      refusal = bad;
    };
    const { answer, isLate, fault } = await withinDeadline(timeoutMs, (signal) => work(signal, refuse));
    settle(answer !== undefined);
    const failed = isLate ? 'timed_out' : 'failed';
    const outcome = answer === undefined ? failed : 'answered';
    metrics.measure('provider_call', [(monotonicMs() - startedMs) / 1000], [provider, outcome]);
    if (answer === undefined)
      await providerReports.noteFault(provider, failed, isLate ? new Error(`no answer in ${timeoutMs} ms`) : fault);
    else if (refusal !== undefined) await providerReports.noteFault(provider, 'refused', refusal);
    else providerReports.noteAnswer(provider);
    return answer;
  };
  return Object.assign(call, { isDown: () => breaker.isOpen });
}

/** Resolves to the result of `work`, or to undefined if it fails or exceeds its deadline. Never rejects. */
async function withinDeadline<Answer>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Answer | undefined>,
): Promise<{ readonly answer: Answer | undefined; readonly isLate: boolean; readonly fault?: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise: timeUp, resolve } = Promise.withResolvers<undefined>();
  // The signal ends a fetch and the reading of its body. A bucket and a file system take no signal.
  signal.addEventListener('abort', () => resolve(undefined));
  try {
    return { answer: await Promise.race([work(signal), timeUp]), isLate: signal.aborted };
  } catch (fault) {
    return { answer: undefined, isLate: signal.aborted, fault };
  }
}

/**
 * Fetches, and tries once more when no response came: usually the provider has just closed a kept connection. Every
 * status is a response, and a timeout is not retried. Only for idempotent requests.
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
