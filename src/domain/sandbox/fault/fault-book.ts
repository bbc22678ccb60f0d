/**
 * How long a process takes for granted that a company has no faults. Faults that another process was told of begin
 * within this time here; those that this one was told of begin at once.
 */
const KEPT_SECONDS = 5;
/** Some 100 bytes each. */
const COMPANIES_MAX = 10_000;

/** Companies without faults, as this process last heard: their calls ask the database for none. */
export class FaultBook {
  readonly #cleanSinceMs = new Map<string, number>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  isClean(companyId: string): boolean {
    const since = this.#cleanSinceMs.get(companyId);
    return since !== undefined && this.#monotonicMs() - since < KEPT_SECONDS * 1000;
  }

  noteClean(companyId: string): void {
    if (this.#cleanSinceMs.size >= COMPANIES_MAX) this.#cleanSinceMs.clear();
    this.#cleanSinceMs.set(companyId, this.#monotonicMs());
  }

  forget(companyId: string): void {
    this.#cleanSinceMs.delete(companyId);
  }
}
