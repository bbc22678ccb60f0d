import { v7 } from 'uuid';
import { addMicros, type Instant, instantFromMillis } from '../core/instant.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';
import type { Clock } from '../ports/clock.ts';
import { logError } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';

/**
 * The system's clock. It counts milliseconds (and stands still while a Worker computes), so within one of them each
 * call is a microsecond later than the one before.
 */
export class SystemClock implements Clock {
  #last: Instant | undefined;

  now(): Instant {
    const wall = instantFromMillis(Date.now());
    const next = this.#last === undefined || wall > this.#last ? wall : addMicros(this.#last, 1);
    this.#last = next;
    return next;
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

/** One line of the log for a database that did not answer. */
export function reportDatabase(databaseId: string, failure: string): void {
  logError({ database: databaseId, failure });
}

/** One line of the log for a file of ours that could not be read. */
export function reportAsset(path: string, failure: string): void {
  logError({ asset: path, failure });
}

/** One line of the log for measurements that are not taken. */
export function reportMetrics(failure: string): void {
  logError({ error: `A measurement was not taken: ${failure}` });
}

/** Milliseconds for measuring waits. */
export function monotonicMs(): number {
  return performance.now();
}
