export interface SerialQueueLimits {
  readonly waitingMax: number;
  /** A task whose turn comes later than this never runs. */
  readonly waitMs: number;
  readonly monotonicMs: () => number;
}

/** Runs tasks one after the other, bounded in number and in waiting time. */
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

  /** The task's result, or undefined when the queue is full or its turn came too late: then it has not run. */
  async run<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    const { waitingMax, waitMs, monotonicMs } = this.#limits;
    if (this.#waiting >= waitingMax) return undefined;
    const deadline = monotonicMs() + waitMs;
    this.#waiting += 1;
    const previous = this.#tail;
    const result = (async () => {
      // Whether the task before failed is its caller's affair.
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
