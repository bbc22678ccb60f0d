interface Entry<Value> {
  readonly value: Value;
  readonly keptAtMs: number;
  /** One caller reads the value again. */
  isRenewed: boolean;
}

interface KeptOptions {
  /** How long a value counts as fresh. Without it, values never go stale. */
  readonly keptMs?: number;
  /**
   * The age from which one caller reads the value again, while all others use it until it is stale. Without it, every caller
   * that comes during that read would send one of its own.
   */
  readonly renewedAfterMs?: number;
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
  readonly #renewedAfterMs: number;
  readonly #generationMax: number;
  readonly #nowMs: () => number;

  constructor(options: KeptOptions = {}) {
    const { keptMs = Number.POSITIVE_INFINITY, renewedAfterMs = keptMs, nowMs } = options;
    const { entriesMax = Number.POSITIVE_INFINITY } = options;
    this.#keptMs = keptMs;
    this.#renewedAfterMs = renewedAfterMs;
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
    this.#young.set(key, { value, keptAtMs: asOfMs, isRenewed: false });
  }

  /** True for one caller when a fresh value is due to be read again. That caller calls `set` with what it has read. */
  takeRenewal(key: Key): boolean {
    const entry = this.#young.get(key) ?? this.#old.get(key);
    if (entry === undefined || entry.isRenewed) return false;
    entry.isRenewed = this.#nowMs() - entry.keptAtMs >= this.#renewedAfterMs;
    return entry.isRenewed;
  }

  /** The fresh value, otherwise the result of `read`, as of the start of the call. `undefined` is not cached. */
  async getOrRead(key: Key, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.peek(key);
    const fresh = kept?.isFresh === true ? kept.value : undefined;
    if (fresh !== undefined && !this.takeRenewal(key)) return fresh;
    const askedAtMs = this.#nowMs();
    const value = await read();
    if (value !== undefined) this.set(key, value, askedAtMs);
    return value ?? fresh;
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
