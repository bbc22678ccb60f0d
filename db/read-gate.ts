/** sqld answers 429 past 128 requests at once. Stay below it, with room for the writer and other processes. */
export const READS_AT_ONCE_MAX = 96;
/** Past four rounds of them one is refused at once: waiting longer answers nobody sooner. */
export const READS_WAITING_MAX = 384;
/** How often one that waits looks by itself, in case that nobody called it. */
const LOOK_MS = 50;

interface Waiter {
  readonly deadline: number;
}

/**
 * Lets a bounded number of reads through at once, and a bounded number wait. Who leaves calls who has waited longest.
 * A Worker that the runtime ended in mid-request never runs its `finally`, nor hears a call: so a place is free again
 * when its time is over, given back or not, and whoever waits also looks by himself.
 */
export class ReadGate {
  readonly #monotonicMs: () => number;
  readonly #timeoutMs: number;
  /** Until when each place is taken. */
  readonly #places = new Map<number, number>();
  /** How to call those who wait, the longest first. */
  readonly #waiting = new Map<Waiter, () => void>();
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
    if (this.#waiting.size === 0 && this.#hasPlace()) return this.#take();
    if (this.#waiting.size >= READS_WAITING_MAX) return undefined;
    const waiter = { deadline: this.#monotonicMs() + this.#timeoutMs };
    let leave: (() => void) | undefined;
    while (leave === undefined && this.#monotonicMs() < waiter.deadline) {
      await this.#callOrLook(waiter);
      if (this.#hasPlace()) leave = this.#take();
    }
    this.#waiting.delete(waiter);
    return leave;
  }

  #take(): () => void {
    const place = this.#nextPlace;
    this.#nextPlace += 1;
    this.#places.set(place, this.#monotonicMs() + this.#timeoutMs);
    return () => {
      this.#places.delete(place);
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [waiter, call] = first;
      this.#waiting.delete(waiter);
      call();
    };
  }

  async #callOrLook(waiter: Waiter): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      // Who only looked keeps his place in the line.
      this.#waiting.set(waiter, resolve);
      timer = setTimeout(resolve, LOOK_MS);
    });
    // Here and not by the caller: a Worker's timer belongs to the request that set it.
    clearTimeout(timer);
  }

  /** Those at the head of the line who never heard that they were out of time. */
  #forgetGone(): void {
    const now = this.#monotonicMs();
    for (const waiter of this.#waiting.keys()) {
      if (waiter.deadline > now) return;
      this.#waiting.delete(waiter);
    }
  }

  #hasPlace(): boolean {
    if (this.#places.size < READS_AT_ONCE_MAX) return true;
    const now = this.#monotonicMs();
    for (const [place, expiry] of this.#places) {
      if (expiry > now) break;
      this.#places.delete(place);
    }
    return this.#places.size < READS_AT_ONCE_MAX;
  }
}
