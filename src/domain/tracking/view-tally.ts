import type { Writer } from '../../../db/writer.ts';
import { Gathering } from '../../core/gathering.ts';
import type { Instant } from '../../core/instant.ts';
import { type Views, viewsAddition } from './store.ts';

/** Counts views of tracking links. The writer of the shard adds them up in memory and stores them a few seconds later. */
export interface ViewCounter {
  /** Never rejects. */
  add(shard: string, tokenHash: string, viewedAt: Instant): Promise<void>;
}

/** Views wait at most this long in the memory of a writer. */
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
  readonly #views = new Map<string, Views>();

  add(views: readonly Views[]): void {
    for (const view of views) this.#merge(view);
  }

  /** All views. They are not counted here any more. */
  take(): Views[] {
    const views = [...this.#views.values()];
    this.#views.clear();
    return views;
  }

  /**
   * Stores all views. At the first part that the database does not take, the rest waits for the next call, because each
   * failure may take as long as a commit may. Returns false if views wait.
   */
  async flush(writer: Writer): Promise<boolean> {
    const views = this.take();
    for (let start = 0; start < views.length; start += LINKS_AT_ONCE) {
      const end = start + LINKS_AT_ONCE;
      const outcome = await writer.commit({ statements: [viewsAddition(views.slice(start, end))] });
      if (outcome.status === 'invalid') throw new Error(`The SQL of views is wrong: ${outcome.message}`);
      if (outcome.status === 'committed') continue;
      // If the outcome is unknown, the views are dropped: too few is better than too many.
      const rest = views.slice(outcome.status === 'unavailable' ? start : end);
      this.add(rest);
      return rest.length === 0;
    }
    return true;
  }

  #merge({ tokenHash, count, lastViewedAt }: Views): void {
    const known = this.#views.get(tokenHash);
    if (known === undefined && this.#views.size >= LINKS_MAX) return;
    const isLater = known === undefined || lastViewedAt > known.lastViewedAt;
    this.#views.set(tokenHash, {
      tokenHash,
      count: count + (known?.count ?? 0),
      lastViewedAt: isLater ? lastViewedAt : known.lastViewedAt,
    });
  }
}

/** A view waits this long for others, so that many views are one call of the writer. */
const GATHERED_MS = 250;

/** Gathers the views of a process whose writers are elsewhere. `report` passes those of a shard to its writer. */
export function gatherViews(
  report: (shard: string, views: readonly Views[]) => Promise<void>,
  monotonicMs: () => number,
): ViewCounter {
  const gathering = new Gathering({
    make: () => new ViewTally(),
    report: (shard, tally) => report(shard, tally.take()),
    waitMs: GATHERED_MS,
    monotonicMs,
  });
  return {
    async add(shard, tokenHash, viewedAt) {
      const { tally, passing } = gathering.of(shard);
      tally.add([{ tokenHash, count: 1, lastViewedAt: viewedAt }]);
      await passing;
    },
  };
}
