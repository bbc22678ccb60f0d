import type { Database } from '../../../db/database.ts';
import { Kept } from '../../core/kept.ts';
import type { Uuid } from '../../core/uuid.ts';
import { forwards } from './store.ts';

/** The shard that each company moved to. */
export type Forwards = ReadonlyMap<Uuid, string>;

/** The age at which one request reads the value again, while other requests use the old value. */
const RENEWED_AFTER_MS = 3000;
/** The pause after a shard did not answer. It is short, so that the shard's return is noticed soon. */
const RETRIED_AFTER_MS = 250;
/** A value older than this is not used if the shard answers. A move waits longer than this and a read before it deletes old rows. */
const KEPT_MS = 6000;

/**
 * Caches which companies have left each shard, so that requests find a moved company without a read. One request in
 * `RENEWED_AFTER_MS` waits while the value is read again.
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
   * Undefined if it is not known. If a shard does not answer, its last value is used for at most `KEPT_MS`.
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
    const entries = answer.rows.flatMap(({ companyId, forwardTo }): [Uuid, string][] =>
      forwardTo === null ? [] : [[companyId, forwardTo]],
    );
    const read = new Map(entries);
    this.#forwards.set(database.id, read, nowMs);
    return read;
  }
}
