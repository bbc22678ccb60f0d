import type { Instant } from '../core/instant.ts';

/** The time. Strictly later at each call within a process, so that what was made later sorts later. */
export interface Clock {
  now(): Instant;
}
