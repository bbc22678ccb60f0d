import type { FailureFacts } from './failure.ts';
import { eitherSignal } from './host.ts';
import { type RetryRules, waitBeforeRetry } from './retry-rules.ts';

/** What a failed call did: `none`, nothing; `done`, all of it, perhaps earlier; `unknown`, perhaps something. */
export type Outcome = 'none' | 'unknown' | 'done';

/** What decides whether a call may be repeated. */
export interface Repeatability {
  readonly isRead: boolean;
  /** The service acts once for a key, and answers its repeats with what it did. */
  readonly isKeyed: boolean;
  /** Whether If-Match has exactly one version. */
  readonly isOfOneVersion: boolean;
}

/** The end of a call without an answer. */
export interface FailedEnd {
  readonly facts: FailureFacts;
  readonly attempts: number;
  readonly outcome: Outcome;
  /** Aborts when the time of the call is over, or the caller aborts it. */
  readonly signal: AbortSignal;
}

interface Sending<Answer> {
  readonly call: Repeatability;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly send: (signal: AbortSignal) => Promise<Answer>;
  readonly factsOf: (error: unknown) => FailureFacts;
}

/** Sends a call until it is answered, or its attempts or its time are used up. Never rejects. */
export async function sendUntilDone<Answer>(
  rules: RetryRules,
  { call, signal, send, factsOf }: Sending<Answer>,
): Promise<{ readonly answer: Answer } | FailedEnd> {
  const { host, totalTimeoutMs } = rules;
  const deadline = host.deadline(totalTimeoutMs);
  const startedMs = host.now();
  const both = signal === undefined ? deadline : eitherSignal(signal, deadline);
  const isRepeatable = call.isRead || call.isKeyed || call.isOfOneVersion;
  let mayHaveActed = false;
  let wasTokenRefused = false;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { answer: await send(both) };
    } catch (error) {
      const facts = signal?.aborted === true ? abortedAfter(factsOf(error), signal) : factsOf(error);
      const outcome = outcomeAfter(facts, call, mayHaveActed);
      mayHaveActed ||= facts.mayHaveActed;
      const waitMs = waitBeforeRetry(rules, { facts, attempts, isRepeatable, wasTokenRefused });
      wasTokenRefused ||= facts.status === 401;
      const isTimeLeft = !deadline.aborted && host.now() - startedMs + (waitMs ?? 0) < totalTimeoutMs;
      const end = { facts, attempts, outcome, signal: both };
      if (waitMs === undefined || !isTimeLeft) return end;
      if (waitMs > 0) await host.sleep(waitMs, both);
      if (signal?.aborted === true) return { ...end, facts: abortedAfter(facts, signal) };
      if (deadline.aborted) return end;
    }
  }
}

/**
 * A refusal says that this attempt did nothing. Of an earlier attempt without an answer it says nothing, unless the call has a
 * key: 409 and 422 come after the service has looked for the key, and would have found what that attempt did.
 */
function outcomeAfter(facts: FailureFacts, { isRead, isKeyed }: Repeatability, hadActed: boolean): Outcome {
  if (isRead) return 'none';
  const { stage, status, problem, mayHaveActed } = facts;
  if (mayHaveActed) return 'unknown';
  const isAnswerOfKey = isKeyed && stage === 'call' && problem !== undefined && (status === 409 || status === 422);
  return hadActed && !isAnswerOfKey ? 'unknown' : 'none';
}

function abortedAfter({ stage, mayHaveActed }: FailureFacts, { reason }: AbortSignal): FailureFacts {
  return { stage, code: 'ABORTED', message: 'The call was aborted', mayHaveActed, cause: reason };
}
