interface Entry<Value> {
  readonly value: Value;
  readonly keptAtMs: number;
}

interface KeptOptions {
  /** How long a value counts as fresh. Without it, values never go stale. */
  readonly keptMs?: number;
  /** The number of values that fit. Omit it only if the number of keys is naturally small, such as databases. */
  readonly entriesMax?: number;
  /** The clock that measures ages. Needed only together with `keptMs`. */
  readonly nowMs?: () => number;
}

/**
 * A cache in the memory of a process. It has two generations of entries. When the new generation is full, the old one is
 * dropped as a whole. So each call has the same cost at any size, and at least the newest half stays.
 */
export class Kept<Key, Value> {
  #young = new Map<Key, Entry<Value>>();
  #old = new Map<Key, Entry<Value>>();
  readonly #keptMs: number;
  readonly #generationMax: number;
  readonly #nowMs: () => number;

  constructor({ keptMs = Number.POSITIVE_INFINITY, entriesMax = Number.POSITIVE_INFINITY, nowMs }: KeptOptions = {}) {
    this.#keptMs = keptMs;
    this.#generationMax = entriesMax / 2;
    this.#nowMs = nowMs ?? (() => 0);
  }

  /** The value if it is fresh. A stale value is deleted. */
  get(key: Key): Value | undefined {
    const entry = this.peek(key);
    if (entry === undefined || entry.isFresh) return entry?.value;
    this.forget(key);
    return undefined;
  }

  /** The value even if it is stale. */
  peek(key: Key): { readonly value: Value; readonly isFresh: boolean } | undefined {
    const entry = this.#young.get(key) ?? this.#old.get(key);
    if (entry === undefined) return undefined;
    return { value: entry.value, isFresh: this.#nowMs() - entry.keptAtMs < this.#keptMs };
  }

  /** `asOfMs` is the time at which the value was true: for a read, the time at which it was sent. */
  set(key: Key, value: Value, asOfMs: number = this.#nowMs()): void {
    if (this.#young.size >= this.#generationMax && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, { value, keptAtMs: asOfMs });
  }

  /** The fresh value, otherwise the result of `read`, as of the start of the call. `undefined` is not cached. */
  async getOrRead(key: Key, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.peek(key);
    if (kept?.isFresh === true) return kept.value;
    const askedAtMs = this.#nowMs();
    const value = await read();
    if (value !== undefined) this.set(key, value, askedAtMs);
    return value;
  }

  /** The fresh value, otherwise the result of `make`. */
  getOrMake(key: Key, make: () => Value): Value {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const value = make();
    this.set(key, value);
    return value;
  }

  forget(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Deletes every value for which the test is true. This reads all entries. */
  forgetWhere(test: (value: Value) => boolean): void {
    for (const generation of [this.#young, this.#old])
      for (const [key, { value }] of generation) if (test(value)) generation.delete(key);
  }
}
