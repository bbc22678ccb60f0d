import { CommitMeter } from '../../../db/commit-meter.ts';
import { restoreDurability } from '../../../db/durability.ts';
import { GroupCommitter, newsOf } from '../../../db/group-committer.ts';
import type { CommitOutcome, CommitRequest, EventNotice, Writer } from '../../../db/writer.ts';
import { addMillis, type Instant, toMillis } from '../../core/instant.ts';
import { TIMER_MS_MAX } from '../../core/timer.ts';
import type { Uuid } from '../../core/uuid.ts';
import { VIEWS_KEPT_MS, ViewTally } from '../../domain/tracking/view-tally.ts';
import type { Clock } from '../../ports/clock.ts';
import { logError } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { failureTold } from '../../service/assemble.ts';
import type { DatabaseAddress } from '../../service/config.ts';

const RETRY_MS = 1000;

export interface LocalWriterOptions {
  readonly address: DatabaseAddress;
  readonly requireDurable: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly report: (databaseId: string, failure: string) => void;
  readonly metrics: Metrics;
  /** Does what is due and answers when the next is due; see `sweepShard`. */
  readonly runDue: () => Promise<Instant | null | undefined>;
  /** Told of events that were committed. */
  readonly onEvents?: (notices: readonly EventNotice[]) => void;
}

/** The one writer of one database within this process, and the timer for what falls due in it. */
export class LocalDatabaseWriter implements Writer {
  readonly #options: LocalWriterOptions;
  readonly #committer: GroupCommitter;
  readonly #views = new ViewTally();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakeAtMs = Number.POSITIVE_INFINITY;
  #isSweeping = false;

  constructor(options: LocalWriterOptions) {
    this.#options = options;
    const { url, authToken, adminUrl } = options.address;
    this.#committer = new GroupCommitter({
      connection: {
        url,
        authToken,
        requireDurable: options.requireDurable,
        fetch: options.fetch,
        report: failureTold(options, options.address.id),
      },
      restoreDurability: () => restoreDurability(adminUrl, options.fetch),
      onCommitted: (committed) => {
        const { dueAt, notices } = newsOf(committed);
        if (notices.length > 0) options.onEvents?.(notices);
        if (dueAt !== undefined) this.#wakeAt(toMillis(dueAt));
      },
      monotonicMs: options.monotonicMs,
      meter: new CommitMeter(options.metrics, options.address.id),
    });
  }

  commit(request: CommitRequest): Promise<CommitOutcome> {
    return this.#committer.commit(request);
  }

  addView(linkId: Uuid, viewedAt: Instant): void {
    this.#views.add(linkId, viewedAt);
    this.#wakeAt(toMillis(addMillis(this.#options.clock.now(), VIEWS_KEPT_MS)));
  }

  /** Does what is due now, one run at a time: two would do the same things twice. Never rejects. */
  async sweep(): Promise<void> {
    if (this.#isSweeping || this.#wakeAtMs === Number.NEGATIVE_INFINITY) return;
    this.#isSweeping = true;
    // What was to be done until now this run does. What is asked for from here on begins at its end.
    clearTimeout(this.#timer);
    this.#wakeAtMs = Number.POSITIVE_INFINITY;
    let next: Instant | null | undefined;
    try {
      const hasWritten = await this.#views.flush(this);
      const due = await this.#options.runDue();
      if (hasWritten) next = due;
    } catch (error) {
      logError({ database: this.#options.address.id, error: String(error) });
    } finally {
      this.#isSweeping = false;
    }
    this.#startTimer();
    if (next !== null) this.#wakeAt(toMillis(next ?? addMillis(this.#options.clock.now(), RETRY_MS)));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#wakeAtMs = Number.NEGATIVE_INFINITY;
  }

  #wakeAt(atMs: number): void {
    if (this.#wakeAtMs <= atMs) return;
    this.#wakeAtMs = atMs;
    this.#startTimer();
  }

  /** For what falls due first; a sweep that is running begins it at its end. */
  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isSweeping || !Number.isFinite(this.#wakeAtMs)) return;
    const waitMs = Math.max(0, this.#wakeAtMs - toMillis(this.#options.clock.now()));
    this.#timer = setTimeout(() => void this.sweep(), Math.min(waitMs, TIMER_MS_MAX));
  }
}
