import type { Instant } from '../core/instant.ts';

/**
 * The time. Each call returns a later instant than the call before, so that newer rows sort after older ones. The one
 * exception: if the wall clock is set back by more than a second, the clock follows it.
 */
export interface Clock {
  now(): Instant;
}
