import type { Instant } from '../core/instant.ts';

/**
 * Starts scheduled work. An alarm may be lost: due times are stored in the database, and the sweep finds missed work.
 */
export interface Alarm {
  /**
   * Rings once at this time, in ms since 1970. Replaces a later time; an earlier one may be kept. While the work of the last ring is in
   * progress, the alarm can be set but does not ring.
   */
  set(atMs: number): void | Promise<void>;
}

/**
 * An alarm that is later than this has to be set again. After a machine was asleep its clock steps forward, but a timer that stood
 * before still waits for the rest of its time.
 */
export const ALARM_LATE_MS_MAX = 1000;

/** The due time of the next work: an instant, none (null), or unknown because the database did not answer. */
export type NextDue = Instant | null | undefined;
