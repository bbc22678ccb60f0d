import type { Deployment } from './deployment.ts';
/** Times and limits of deliveries. They can be configured; the contract gives the defaults. */
export interface WebhookTerms {
  /** Seconds to wait before each attempt. The number of entries is the number of attempts. */
  readonly delaysSeconds: readonly number[];
  /** The largest random change of a delay, as a fraction, so that deliveries that failed together do not retry together. */
  readonly jitter: number;
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number;
  /** An endpoint is disabled after this time without success and this number of failures. */
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
/**
 * The first pause of an endpoint whose receiver is too busy and does not say for how long, and the longest: each is twice as
 * long as the one before. Real seconds on every deployment, because the load of a receiver is real.
 */
export const PAUSE_SECONDS_FIRST = 5;
export const PAUSE_SECONDS_MAX = 300;
/** The longest pause that a receiver can ask for. */
export const RETRY_AFTER_SECONDS_MAX = 3600;
/** In a sandbox and on a developer's machine, an hour of the schedule takes a minute, and so do the five days to disabling. */
export const TRIAL_DIVISOR = 60;

/** The terms of a deployment: the contract's, with the overrides of the configuration. */
export function deliveryTerms(
  deployment: Deployment,
  changes: { readonly [Name in keyof WebhookTerms]?: WebhookTerms[Name] | undefined },
): WebhookTerms {
  const divisor = deployment === 'production' ? 1 : TRIAL_DIVISOR;
  return {
    delaysSeconds: changes.delaysSeconds ?? DELAYS_SECONDS.map((delay) => delay / divisor),
    jitter: changes.jitter ?? 0.1,
    timeoutMs: changes.timeoutMs ?? 15_000,
    disableAfterSeconds: changes.disableAfterSeconds ?? (5 * 24 * 3600) / divisor,
    disableAfterFailures: changes.disableAfterFailures ?? 20,
  };
}

/** A process on Deno, and on Workers the place of its objects: an endpoint has one queue in each. It has no space. */
export type LeaseHolder = string;

/** The lease with which a delivery begins, so that the queue which is woken after the commit sends it without another write. */
export interface FirstLease {
  readonly holder: LeaseHolder;
  /** How long it lasts, in real time. */
  readonly ms: number;
}

/** How much longer than an attempt a first lease lasts: long enough that a queue with some others to send comes to it. */
const FIRST_LEASE_MARGIN_MS = 30_000;

export function firstLeaseOf(holder: LeaseHolder, { timeoutMs }: WebhookTerms): FirstLease {
  return { holder, ms: timeoutMs + FIRST_LEASE_MARGIN_MS };
}
