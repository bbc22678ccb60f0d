import type { Instant } from '../core/instant.ts';

/**
 * The real time. Each call returns a later instant than the call before, so that newer rows sort after older ones. The one
 * exception: if the wall clock is set back by more than a second, the clock follows it.
 */
export interface Clock {
  now(): Instant;
}

/**
 * The business time of one company. It is the real time, but for a sandbox that has advanced its clock. Sessions, tokens,
 * codes, keys, leases, signatures and the audit use `wall`.
 */
export interface CompanyClock extends Clock {
  readonly wall: Clock;
  /** How far it is ahead of the real time, in whole seconds. */
  offsetSeconds(): number;
  /** The real time at which this clock reaches the instant. While the clock stands: when to look again. */
  wallAt(instant: Instant): Instant;
}
