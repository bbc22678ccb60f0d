/** Runs tasks one after the other, at most `waitingMax` waiting. */
export class SerialQueue {
  readonly #waitingMax: number;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** The task's result, or undefined when the queue is full and the task will never run. */
  async run<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#waiting >= this.#waitingMax) return undefined;
    this.#waiting += 1;
    const previous = this.#tail;
    const result = (async () => {
      // Whether the task before failed is its caller's affair.
      await previous.catch(() => undefined);
      return task();
    })();
    this.#tail = result;
    try {
      return await result;
    } finally {
      this.#waiting -= 1;
    }
  }
}
