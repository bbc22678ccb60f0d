import { pause } from './timer.ts';

/** If a request was ended while what it gathered waited, a later request takes it along. */
const LOST_MS = 2000;

export interface GatheringOptions<Tally> {
  readonly make: () => Tally;
  /** Passes the tally of a shard on. Never rejects. */
  readonly report: (shard: string, tally: Tally) => Promise<void>;
  readonly waitMs: number;
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
}

/** Gathers small reports of a process whose writers are elsewhere, so that many of them are one call of a writer. */
export class Gathering<Tally> {
  readonly #options: GatheringOptions<Tally>;
  readonly #waiting = new Map<string, { readonly tally: Tally; readonly sinceMs: number }>();

  constructor(options: GatheringOptions<Tally>) {
    this.#options = options;
  }

  /** The tally of the shard to add to, and the work that passes it on, if it begins with this call. */
  of(shard: string): { readonly tally: Tally; readonly passing: Promise<void> | undefined } {
    const { make, waitMs, monotonicMs } = this.#options;
    const gathered = this.#waiting.get(shard);
    const tally = gathered?.tally ?? make();
    if (gathered !== undefined && monotonicMs() - gathered.sinceMs < waitMs + LOST_MS)
      return { tally, passing: undefined };
    this.#waiting.set(shard, { tally, sinceMs: monotonicMs() });
    return { tally, passing: this.#passOn(shard, tally) };
  }

  async #passOn(shard: string, tally: Tally): Promise<void> {
    await pause(this.#options.waitMs);
    this.#waiting.delete(shard);
    await this.#options.report(shard, tally);
  }
}
