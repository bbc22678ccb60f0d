import type { Database } from '../../../db/database.ts';
import type { Uuid } from '../../core/uuid.ts';
import { forwards } from './store.ts';

/** Shards by the companies that have gone there. */
export type Forwards = ReadonlyMap<Uuid, string>;

interface Kept {
  readonly forwards: Forwards;
  /** When it was asked for: what was committed before that is in it. */
  readonly atMs: number;
}

/** Somebody asks again when it is so old; the others go on with what is kept. */
const RENEWED_AFTER_MS = 3000;
/** And so soon when it did not answer: once it is back, nobody is refused for what is too old. */
const RETRIED_AFTER_MS = 250;
/** Nobody relies on what is older, if the shard answers. A move waits longer than this, and a read's time, before its old rows may go. */
const KEPT_MS = 6000;

/**
 * Who has left each shard, as this process last read it: so that requests find whoever moved by a look in memory. One
 * request in `RENEWED_AFTER_MS` waits while it is read anew.
 */
export class MoveBook {
  readonly #kept = new Map<string, Kept>();
  readonly #askedAtMs = new Map<string, number>();
  readonly #silent = new Set<string>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Undefined when it is not known: what a shard that does not answer now said last holds for `KEPT_MS` and no longer.
   */
  async forwardsOf(database: Database): Promise<Forwards | undefined> {
    const kept = this.#kept.get(database.id);
    const nowMs = this.#monotonicMs();
    const askedMsAgo = nowMs - (this.#askedAtMs.get(database.id) ?? Number.NEGATIVE_INFINITY);
    const isFresh = kept !== undefined && nowMs - kept.atMs < KEPT_MS;
    const isSilent = this.#silent.has(database.id);
    const isDue = askedMsAgo >= (isSilent ? RETRIED_AFTER_MS : RENEWED_AFTER_MS);
    if ((isFresh || isSilent) && !isDue) return isFresh ? kept.forwards : undefined;
    this.#askedAtMs.set(database.id, nowMs);
    const answer = await database.read(forwards());
    if (!answer.ok) {
      this.#silent.add(database.id);
      return isFresh ? kept.forwards : undefined;
    }
    this.#silent.delete(database.id);
    const told = answer.rows.flatMap(({ companyId, forwardTo }): [Uuid, string][] =>
      forwardTo === null ? [] : [[companyId, forwardTo]],
    );
    const read = new Map(told);
    this.#kept.set(database.id, { forwards: read, atMs: nowMs });
    return read;
  }
}
