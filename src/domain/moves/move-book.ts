import type { Database } from '../../../db/database.ts';
import { Kept } from '../../core/kept.ts';
import type { Uuid } from '../../core/uuid.ts';
import { forwards } from './store.ts';

/** The shard that each company moved to. */
export type Forwards = ReadonlyMap<Uuid, string>;

/** The age at which one request reads it again while the others use the old value. */
const RENEWED_AFTER_MS = 3000;
/** The pause after a shard did not answer: short, so that its return is noticed at once. */
const RETRIED_AFTER_MS = 250;
/** Nobody relies on what is older, if the shard answers. A move waits longer than this, and a read's time, before its old rows may go. */
const KEPT_MS = 6000;

/**
 * Who has left each shard, as this process last read it: so that requests find whoever moved by a look in memory. One
 * request in `RENEWED_AFTER_MS` waits while it is read anew.
 */
export class MoveBook {
  readonly #forwards: Kept<string, Forwards>;
  readonly #askedAtMs = new Map<string, number>();
  readonly #silent = new Set<string>();
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#forwards = new Kept({ keptMs: KEPT_MS, nowMs: monotonicMs });
  }

  /**
   * Undefined when it is not known: what a shard that does not answer now said last holds for `KEPT_MS` and no longer.
   */
  async forwardsOf(database: Database): Promise<Forwards | undefined> {
    const fresh = this.#forwards.get(database.id);
    const nowMs = this.#monotonicMs();
    const askedMsAgo = nowMs - (this.#askedAtMs.get(database.id) ?? Number.NEGATIVE_INFINITY);
    const isSilent = this.#silent.has(database.id);
    const isDue = askedMsAgo >= (isSilent ? RETRIED_AFTER_MS : RENEWED_AFTER_MS);
    if ((fresh !== undefined || isSilent) && !isDue) return fresh;
    this.#askedAtMs.set(database.id, nowMs);
    const answer = await database.read(forwards());
    if (!answer.ok) {
      this.#silent.add(database.id);
      return fresh;
    }
    this.#silent.delete(database.id);
    const told = answer.rows.flatMap(({ companyId, forwardTo }): [Uuid, string][] =>
      forwardTo === null ? [] : [[companyId, forwardTo]],
    );
    const read = new Map(told);
    this.#forwards.set(database.id, read, nowMs);
    return read;
  }
}
