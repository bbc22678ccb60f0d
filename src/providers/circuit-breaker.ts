/**
 * Keeps callers from waiting for a server that does not answer. After `failuresMax` failures in a row it opens and admits
 * no call for `openMs`. Then it admits one call at a time as a probe. A successful probe closes the breaker, a failed one
 * opens it again.
 *
 * If the runtime ends a Worker during a request, the result of its call is never reported. So a probe holds its place for
 * at most `probeMs`, then the next call is the probe. The breaker stores only numbers, because a promise or a connection
 * of a Worker must not outlive its request.
 */
export class CircuitBreaker {
  readonly #limits: CircuitBreakerLimits;
  readonly #monotonicMs: () => number;
  #failuresInARow = 0;
  /** No call is admitted before this time; undefined while the breaker is closed. */
  #closedToCallersUntilMs: number | undefined;
  /** Increased when the breaker opens, closes or admits a probe. Results of calls that started earlier are ignored. */
  #era = 0;

  constructor(limits: CircuitBreakerLimits, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  /** Whether a call would not be made now. */
  get isOpen(): boolean {
    return this.#closedToCallersUntilMs !== undefined && this.#monotonicMs() < this.#closedToCallersUntilMs;
  }

  /** Returns a function that reports the result of the call, or undefined if the call must not be made. */
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
    // The count is not reset when the breaker opens, so that one failed probe opens it again.
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
