import { pause } from '../src/core/timer.ts';

/** sqld answers 429 past 128 connections: these, those that are kept open (`streams.ts`), the writer and other processes. */
export const READS_AT_ONCE_MAX = 64;
/** Past six rounds of them one is refused at once: waiting longer answers nobody sooner. */
export const READS_WAITING_MAX = 384;
/** How often the first in line looks; those behind look less often, for each in front of them takes his time too. */
const LOOK_MS = 5;
const LOOK_MS_FOR_EACH_BEFORE = 0.5;

interface Waiter {
  readonly deadline: number;
}

/**
 * Lets a bounded number of reads through at once, and a bounded number wait in line. Each that waits looks by itself: a
 * Worker must not wake one request from another. One that the runtime ended in mid-request never runs its `finally`, so
 * a place is free again, and a waiter out of the line, when its time is over.
 */
export class ReadGate {
  readonly #monotonicMs: () => number;
  readonly #timeoutMs: number;
  /** Until when each place is taken. */
  readonly #places = new Map<number, number>();
  /** Those who wait, the longest first. */
  readonly #line = new Set<Waiter>();
  #nextPlace = 0;

  /** `timeoutMs`: how long one may wait for a place, and how long one may keep it. */
  constructor(monotonicMs: () => number, timeoutMs: number) {
    this.#monotonicMs = monotonicMs;
    this.#timeoutMs = timeoutMs;
  }

  /** A function that gives the place back, or undefined when too many wait or none came free in time. */
  async enter(): Promise<(() => void) | undefined> {
    this.#forgetGone();
    // Nobody goes past those who wait: under load they would never get in.
    if (this.#line.size < this.#freePlaces()) return this.#take();
    if (this.#line.size >= READS_WAITING_MAX) return undefined;
    const waiter = { deadline: this.#monotonicMs() + this.#timeoutMs };
    this.#line.add(waiter);
    let before = this.#line.size;
    while (this.#monotonicMs() < waiter.deadline) {
      const lookMs = Math.max(LOOK_MS, before * LOOK_MS_FOR_EACH_BEFORE);
      await pause(lookMs);
      before = this.#countBefore(waiter);
      if (before >= this.#freePlaces()) continue;
      this.#line.delete(waiter);
      return this.#take();
    }
    this.#line.delete(waiter);
    return undefined;
  }

  #take(): () => void {
    const place = this.#nextPlace;
    this.#nextPlace += 1;
    this.#places.set(place, this.#monotonicMs() + this.#timeoutMs);
    return () => void this.#places.delete(place);
  }

  #countBefore(waiter: Waiter): number {
    let before = 0;
    for (const other of this.#line) {
      if (other === waiter) return before;
      before += 1;
    }
    return before;
  }

  /** Those at the head of the line whose request was ended. */
  #forgetGone(): void {
    const now = this.#monotonicMs();
    for (const waiter of this.#line) {
      if (waiter.deadline > now) return;
      this.#line.delete(waiter);
    }
  }

  #freePlaces(): number {
    if (this.#places.size >= READS_AT_ONCE_MAX) {
      const now = this.#monotonicMs();
      for (const [place, expiry] of this.#places) {
        if (expiry > now) break;
        this.#places.delete(place);
      }
    }
    return READS_AT_ONCE_MAX - this.#places.size;
  }
}
