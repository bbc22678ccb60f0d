import { v7 } from 'uuid';
import { addMicros, addMillis, type Instant, instantFromMillis } from '../core/instant.ts';
import { MinuteWindows } from '../core/minute-windows.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';
import type { Clock } from '../ports/clock.ts';
import { logError } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';

/** How far the clock may run ahead of the wall clock before it follows a step back. */
const AHEAD_MS_MAX = 1000;

/**
 * The system's clock, in microseconds. The wall clock counts milliseconds and stops while a Worker computes, so within a
 * millisecond each call is one microsecond later than the call before.
 *
 * When the wall clock steps back by at most a second, the clock continues from its last value. A larger step back is a
 * correction, and the clock follows it: otherwise a host whose clock was once an hour ahead would treat every new token
 * as expired until it restarts.
 */
export class SystemClock implements Clock {
  readonly #wallMs: () => number;
  #last: Instant | undefined;

  constructor(wallMs: () => number = Date.now) {
    this.#wallMs = wallMs;
  }

  now(): Instant {
    const wall = instantFromMillis(this.#wallMs());
    const last = this.#last;
    const isBehind = last !== undefined && wall <= last && last <= addMillis(wall, AHEAD_MS_MAX);
    const now = isBehind ? addMicros(last, 1) : wall;
    this.#last = now;
    return now;
  }
}

export const systemRandom: Random = {
  uuid(): Uuid {
    const made = parseUuid(v7());
    if (made === undefined) throw new Error('The UUID generator is broken');
    return made;
  },
  bytes(length) {
    return crypto.getRandomValues(new Uint8Array(length));
  },
};

/** How much of a failure distinguishes it from another one, and how many are known at once. The rest share their lines. */
const FAILURE_LENGTH = 100;
const FAILURES_MAX = 256;
const databaseLines = new MinuteWindows(monotonicMs, FAILURES_MAX);

/** Logs that a database did not answer: one line a minute for each failure of each database. */
export function reportDatabase(databaseId: string, failure: string): void {
  if (databaseLines.count(`${databaseId} ${failure.slice(0, FAILURE_LENGTH)}`).used > 1) return;
  logError({ database: databaseId, failure });
}

/** Logs that a built file could not be read. */
export function reportAsset(path: string, failure: string): void {
  logError({ asset: path, failure });
}

/** Logs that a metric could not be written. */
export function reportMetrics(failure: string): void {
  logError({ error: `A metric was not written: ${failure}` });
}

/** Milliseconds for measuring waits. */
export function monotonicMs(): number {
  return performance.now();
}
