/** The part that scheduled a task: a process of the service, or the world itself. */
export interface Owner {
  readonly name: string;
  /** Its tasks never run again. */
  isDead: boolean;
  /** Its tasks run no earlier than this: the process is stopped and does not know it. */
  standsStillUntilMs: number;
}

export interface Task {
  readonly name: string;
  readonly owner: Owner;
  readonly run: () => void;
  atMs: number;
  order: number;
  isCancelled: boolean;
}

/** Tasks in virtual time. Of two tasks at the same time, the one that was added first runs first. */
export class Schedule {
  readonly #heap: Task[] = [];
  #nowMs = 0;
  #order = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  add(name: string, delayMs: number, owner: Owner, run: () => void): Task {
    if (Number.isNaN(delayMs)) throw new Error(`${owner.name} scheduled ${name} at no time`);
    const atMs = this.#nowMs + Math.max(0, delayMs);
    this.#order += 1;
    const task = { name, owner, run, atMs, order: this.#order, isCancelled: false };
    this.#push(task);
    return task;
  }

  /** Moves the time to the next task. Undefined when no task is left. */
  next(): Task | undefined {
    for (;;) {
      const task = this.#pop();
      if (task === undefined) return undefined;
      if (task.isCancelled || task.owner.isDead) continue;
      if (task.owner.standsStillUntilMs > task.atMs) {
        task.atMs = task.owner.standsStillUntilMs;
        this.#push(task);
        continue;
      }
      this.#nowMs = task.atMs;
      return task;
    }
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let index = heap.push(task) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(task, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = task;
  }

  #pop(): Task | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const isLeft = other === undefined || isBefore(one, other);
      const child = isLeft ? one : other;
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = isLeft ? left : left + 1;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(first: Task, second: Task): boolean {
  return first.atMs < second.atMs || (first.atMs === second.atMs && first.order < second.order);
}
