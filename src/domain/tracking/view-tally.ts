import type { Writer } from '../../../db/writer.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type Views, viewsAddition } from './store.ts';

/** Counts views of tracking links. The writer of the shard adds them up in memory and stores them a few seconds later. */
export interface ViewCounter {
  /** Never rejects. */
  add(shard: string, linkId: Uuid, viewedAt: Instant): Promise<void>;
}

/** Views wait at most this long in memory. */
export const VIEWS_KEPT_MS = 3_000;
/** Links that are counted in that time, some 200 bytes each. Views of further links are not counted. */
const LINKS_MAX = 10_000;
/** Links in one statement, which searches its list of links for each row. */
const LINKS_AT_ONCE = 200;

/**
 * Counts views in the memory of a database's writer, so that a view costs no write. Views that are not stored when the
 * process ends are lost. The count only shows merchants whether a link is used.
 */
export class ViewTally {
  readonly #views = new Map<Uuid, Views>();

  add(linkId: Uuid, viewedAt: Instant): void {
    this.#merge({ linkId, count: 1, lastViewedAt: viewedAt });
  }

  /** Stores all views. Returns false if the database was unavailable: the next call stores them. */
  async flush(writer: Writer): Promise<boolean> {
    const views = [...this.#views.values()];
    this.#views.clear();
    let isWritten = true;
    for (let start = 0; start < views.length; start += LINKS_AT_ONCE) {
      const part = views.slice(start, start + LINKS_AT_ONCE);
      const outcome = await writer.commit({ statements: [viewsAddition(part)] });
      if (outcome.status === 'invalid') throw new Error(`The SQL of views is wrong: ${outcome.message}`);
      // If the outcome is unknown, the views are dropped: too few is better than too many.
      if (outcome.status !== 'unavailable') continue;
      isWritten = false;
      for (const view of part) this.#merge(view);
    }
    return isWritten;
  }

  #merge({ linkId, count, lastViewedAt }: Views): void {
    const known = this.#views.get(linkId);
    if (known === undefined && this.#views.size >= LINKS_MAX) return;
    const isLater = known === undefined || lastViewedAt > known.lastViewedAt;
    this.#views.set(linkId, {
      linkId,
      count: count + (known?.count ?? 0),
      lastViewedAt: isLater ? lastViewedAt : known.lastViewedAt,
    });
  }
}
