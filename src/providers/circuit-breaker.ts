/**
 * Keeps callers from waiting for a peer that does not answer. After `failuresMax` failures in a row it is open: nobody
 * is let through for `openMs`. Then one caller at a time is let through as a probe; its success closes the breaker, its
 * failure opens it anew.
 *
 * A Worker that the runtime ended in mid-request never tells how its call went, so a probe holds its place for
 * `probeMs` only: then the next caller is the probe. Holds numbers, no promise and no connection: those may not outlive
 * the request of a Worker that made them.
 */
export class CircuitBreaker {
  readonly #limits: CircuitBreakerLimits;
  readonly #monotonicMs: () => number;
  #failuresInARow = 0;
  /** Before this time nobody is let through; undefined while closed. */
  #closedToCallersUntilMs: number | undefined;
  /** Raised whenever the breaker opens, closes or hands out a probe: what began before that says nothing about now. */
  #era = 0;

  constructor(limits: CircuitBreakerLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  /** A function that tells how the call went, or undefined when there shall be no call. */
  enter(): ((hasSucceeded: boolean) => void) | undefined {
    if (this.#closedToCallersUntilMs !== undefined) {
      const nowMs = this.#monotonicMs();
      if (nowMs < this.#closedToCallersUntilMs) return undefined;
      this.#closedToCallersUntilMs = nowMs + this.#limits.probeMs;
      this.#era += 1;
    }
    const era = this.#era;
    return (hasSucceeded) => {
      if (era === this.#era) this.#settle(hasSucceeded);
    };
  }

  #settle(hasSucceeded: boolean): void {
    if (hasSucceeded) {
      if (this.#closedToCallersUntilMs !== undefined) this.#era += 1;
      this.#closedToCallersUntilMs = undefined;
      this.#failuresInARow = 0;
      return;
    }
    // The count stands where it opened the breaker, so that a probe's failure opens it again.
    this.#failuresInARow += 1;
    if (this.#failuresInARow < this.#limits.failuresMax) return;
    this.#closedToCallersUntilMs = this.#monotonicMs() + this.#limits.openMs;
    this.#era += 1;
  }
}

export interface CircuitBreakerLimits {
  /** Failures in a row that open the breaker. */
  readonly failuresMax: number;
  readonly openMs: number;
  /** How long a probe holds its place: longer than a call can take, or two of them could run at once. */
  readonly probeMs: number;
}
