import { createHash } from 'node:crypto';

const KEPT = 60;
const WIDTH = 400;

/** Everything that happens, as one hash, and its last lines. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #last: string[] = [];
  #next = 0;

  add(line: string): void {
    this.#hash.update(line);
    this.#last[this.#next % KEPT] = line;
    this.#next += 1;
  }

  /** Equal for two runs that did the same. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  last(): string[] {
    const from = this.#next < KEPT ? 0 : this.#next % KEPT;
    return [...this.#last.slice(from), ...this.#last.slice(0, from)].map((line) => line.slice(0, WIDTH));
  }
}
