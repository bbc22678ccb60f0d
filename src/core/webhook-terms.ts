import type { Deployment } from './deployment.ts';

/** How deliveries are made. Configuration, with the contract's numbers for defaults. */
export interface WebhookTerms {
  /** Seconds before each attempt, after the one before it; as many attempts as there are numbers. */
  readonly delaysSeconds: readonly number[];
  /** The largest part by which a delay is made shorter or longer, so that what failed together does not come back together. */
  readonly jitter: number;
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number;
  /** An endpoint is disabled after as long without success, and as many failures. */
  readonly disableAfterSeconds: number;
  readonly disableAfterFailures: number;
}

/** Attempts in production: the last is made three days after the first. */
const DELAYS_SECONDS: readonly number[] = [
  0,
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];
/** In a sandbox and on a developer’s machine an hour of the schedule is a minute. */
export const TRIAL_DIVISOR = 60;

/** The contract's terms for a deployment, with those that its configuration changes. */
export function deliveryTerms(
  deployment: Deployment,
  changes: { readonly [Name in keyof WebhookTerms]?: WebhookTerms[Name] | undefined },
): WebhookTerms {
  const divisor = deployment === 'production' ? 1 : TRIAL_DIVISOR;
  return {
    delaysSeconds: changes.delaysSeconds ?? DELAYS_SECONDS.map((delay) => delay / divisor),
    jitter: changes.jitter ?? 0.1,
    timeoutMs: changes.timeoutMs ?? 15_000,
    disableAfterSeconds: changes.disableAfterSeconds ?? 5 * 24 * 3600,
    disableAfterFailures: changes.disableAfterFailures ?? 20,
  };
}
