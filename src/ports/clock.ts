import type { Instant } from '../core/instant.ts';

/**
 * The time. Each call is later than the call before, so that what was made later sorts later. The one exception is a wall
 * clock that is set back by more than a second: the clock follows it.
 */
export interface Clock {
  now(): Instant;
}
