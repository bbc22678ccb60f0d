export interface SemaphoreLimits {
  /** Places that can be held at once. */
  readonly places: number;
  /** Callers that can wait for a place. Further ones are refused at once. */
  readonly waitingMax: number;
  /** How many of them one owner may have. With it, the next place goes to the owner who got one the longest ago. */
  readonly waitingOfOwnerMax?: number;
  readonly waitMs: number;
  /**
   * A place that was held for this long counts as free again. A runtime can end a request without running its
   * `finally`, so a place may never be released.
   */
  readonly holdMs: number;
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
}

/** Releases a place. Only the first call has an effect. */
export type Release = () => void;

interface Waiter {
  readonly owner: string;
  readonly deadlineMs: number;
  readonly grant: (release: Release | undefined) => void;
}

/** Limits concurrent work. Callers without a free place wait in a queue with a limited length and waiting time. */
export class Semaphore {
  readonly #limits: SemaphoreLimits;
  /** When each place was taken; the first is held the longest. */
  readonly #held = new Map<Release, number>();
  /** Waiting callers in the order of their arrival. */
  readonly #line = new Set<Waiter>();
  /** Owners who wait or have waited lately, in the order in which they got a place. */
  readonly #served = new Set<string>();

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** A place, or undefined when too many callers wait or none became free in time. */
  async acquire(owner = ''): Promise<Release | undefined> {
    const { places, waitingMax, waitingOfOwnerMax, waitMs, monotonicMs } = this.#limits;
    this.#update();
    if (this.#held.size < places) return this.#take(owner);
    if (this.#line.size >= waitingMax) return undefined;
    if (waitingOfOwnerMax !== undefined && this.#waitingOf(owner) >= waitingOfOwnerMax) return undefined;
    const { promise, resolve } = Promise.withResolvers<Release | undefined>();
    const waiter = { owner, deadlineMs: monotonicMs() + waitMs, grant: resolve };
    this.#line.add(waiter);
    const timer = setTimeout(() => {
      this.#line.delete(waiter);
      resolve(undefined);
    }, waitMs);
    const release = await promise;
    // Not cleared when the place is granted: in a Worker another request does that, and it cannot clear this timer.
    clearTimeout(timer);
    return release;
  }

  #waitingOf(owner: string): number {
    return [...this.#line].filter((waiter) => waiter.owner === owner).length;
  }

  #take(owner: string): Release {
    // While nobody waits, nobody's turn matters.
    if (this.#line.size === 0) this.#served.clear();
    this.#served.delete(owner);
    this.#served.add(owner);
    const release = () => {
      if (this.#held.delete(release)) this.#update();
    };
    this.#held.set(release, this.#limits.monotonicMs());
    return release;
  }

  /** Takes back expired places, drops waiters whose request was ended, and grants free places. */
  #update(): void {
    const { places, holdMs, monotonicMs } = this.#limits;
    const nowMs = monotonicMs();
    for (const [release, sinceMs] of this.#held) {
      if (nowMs - sinceMs < holdMs) break;
      this.#held.delete(release);
    }
    for (const waiter of this.#line) {
      // Who came first is late first.
      if (waiter.deadlineMs > nowMs) break;
      this.#line.delete(waiter);
      waiter.grant(undefined);
    }
    while (this.#held.size < places) {
      const next = this.#nextInLine();
      if (next === undefined) return;
      this.#line.delete(next);
      next.grant(this.#take(next.owner));
    }
  }

  #nextInLine(): Waiter | undefined {
    if (this.#limits.waitingOfOwnerMax === undefined) return this.#line.values().next().value;
    const turns = [...this.#served];
    let best: { readonly waiter: Waiter; readonly turn: number } | undefined;
    for (const waiter of this.#line) {
      const turn = turns.indexOf(waiter.owner);
      if (best === undefined || turn < best.turn) best = { waiter, turn };
    }
    return best?.waiter;
  }
}
