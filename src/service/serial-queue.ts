export interface SerialQueueLimits {
  readonly waitingMax: number;
  /** A task that waits longer than this is not run. */
  readonly waitMs: number;
  readonly monotonicMs: () => number;
}

/** Runs tasks one after the other. Limits the number of waiting tasks and their waiting time. */
export class SerialQueue {
  readonly #limits: SerialQueueLimits;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(limits: SerialQueueLimits) {
    this.#limits = limits;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** The task's result; undefined if the task did not run, because the queue was full or the wait too long. */
  async run<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    const { waitingMax, waitMs, monotonicMs } = this.#limits;
    if (this.#waiting >= waitingMax) return undefined;
    const deadline = monotonicMs() + waitMs;
    this.#waiting += 1;
    const previous = this.#tail;
    const result = (async () => {
      // The caller of the previous task handles its error.
      await previous.catch(() => undefined);
      return monotonicMs() > deadline ? undefined : task();
    })();
    this.#tail = result;
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}
