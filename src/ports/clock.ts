import type { Instant } from '../core/instant.ts';
import type { Uuid } from '../core/uuid.ts';

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
  /** The row that this clock was made from; undefined for the real time. */
  readonly stored?: StoredClock | undefined;
}

/** The clock of a sandbox as it was read. */
export interface StoredClock {
  readonly companyId: Uuid;
  /** How far it is ahead of the real time, in microseconds. */
  readonly offset: number;
  /** The instant at which it is stopped during an advance; null while it runs. */
  readonly standsAt: Instant | null;
}
