import { CommitMeter } from '../../db/commit-meter.ts';
import { restoreDurability } from '../../db/durability.ts';
import { type FindTaken, firstDueOf, GroupCommitter } from '../../db/group-committer.ts';
import type { CommitOutcome, CommitRequest, Writer } from '../../db/writer.ts';
import { addMillis, type Instant, toMillis } from '../core/instant.ts';
import { type DriverAt, PositionTally } from '../domain/drivers/positions.ts';
import type { Views } from '../domain/tracking/store.ts';
import { VIEWS_KEPT_MS, ViewTally } from '../domain/tracking/view-tally.ts';
import { ALARM_LATE_MS_MAX, type Alarm, type NextDue } from '../ports/alarm.ts';
import type { Clock } from '../ports/clock.ts';
import { logError } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { reportFailure } from './assemble.ts';
import type { DatabaseAddress } from './config.ts';

/** The delay before due work is retried after a failure. */
const RETRY_MS = 1000;
/** If a run takes longer, the runtime has ended it without notice, so the next run may start. */
const RUN_MS_MAX = 60_000;

export interface CommitterOptions {
  readonly address: DatabaseAddress;
  readonly requireDurable: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly monotonicMs: () => number;
  readonly report: (databaseId: string, failure: string) => void;
  readonly metrics: Metrics;
}

export interface DatabaseWriterOptions extends CommitterOptions {
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly work: DatabaseWork;
}

/** What the writer of a database does besides commits. */
export interface DatabaseWork {
  /** Runs due work. */
  runDue(): Promise<NextDue>;
  /** Runs the next part of a batch. It may wait for a slow routing engine. */
  runBatches(): Promise<NextDue>;
  /** Deletes expired rows and finds the work that no alarm started. */
  housekeep(): Promise<void>;
  /** Those of these claims that rows of the database have. */
  findTaken: FindTaken;
  /** Wakes the queues of these webhook endpoints, which have committed deliveries. */
  wake(endpointIds: readonly string[]): Promise<void>;
}

/** Commits to one database in groups, and reports its failures to the log and the metrics. */
export function openCommitter(
  options: CommitterOptions,
  {
    onCommitted = () => undefined,
    wake,
    findTaken,
  }: {
    readonly onCommitted?: (committed: readonly CommitRequest[]) => void;
    readonly wake?: (endpointIds: readonly string[]) => void;
    readonly findTaken?: FindTaken;
  } = {},
): GroupCommitter {
  const { address, requireDurable, fetch, monotonicMs, metrics } = options;
  const { id, url, authToken, admin, identity } = address;
  return new GroupCommitter({
    connection: { url, authToken, identity, requireDurable, fetch, report: reportFailure(options, id), wake },
    restoreDurability: () => restoreDurability(admin, fetch, (failure) => options.report(id, failure)),
    findTaken,
    onCommitted,
    monotonicMs,
    meter: new CommitMeter(metrics, id),
  });
}

/**
 * The only writer of one database, on every platform. It commits, counts views, collects positions, sweeps, and runs
 * due work at its alarm. None of its state has to survive a restart.
 */
export class DatabaseWriterCore implements Writer {
  readonly #options: DatabaseWriterOptions;
  readonly #committer: GroupCommitter;
  readonly #views = new ViewTally();
  readonly #positions = new PositionTally();
  /** The time for which this writer has set the alarm. */
  #alarmAtMs = Number.POSITIVE_INFINITY;
  #runStartedMs: number | undefined;
  #batchStartedMs: number | undefined;
  /** Whether a batch may have become due while another part was running. */
  #isBatchWaiting = false;
  #isStopped = false;
  #sweptAt: Instant | null = null;

  constructor(options: DatabaseWriterOptions) {
    this.#options = options;
    const onCommitted = (committed: readonly CommitRequest[]) => {
      const dueAt = firstDueOf(committed);
      if (dueAt !== undefined) void this.#wakeAt(dueAt);
    };
    const wake = (endpointIds: readonly string[]) =>
      void options.work.wake(endpointIds).catch((error: unknown) => this.#logError(error));
    this.#committer = openCommitter(options, { onCommitted, wake, findTaken: options.work.findTaken });
  }

  commit(request: CommitRequest): Promise<CommitOutcome> {
    return this.#committer.commit(request);
  }

  /** Whether the database takes writes. Never rejects. */
  isWritable(): Promise<boolean> {
    return this.#committer.isWritable();
  }

  async addViews(views: readonly Views[]): Promise<void> {
    this.#views.add(views);
    await this.#wakeAt(addMillis(this.#options.clock.now(), VIEWS_KEPT_MS));
  }

  /** Positions are stored some seconds later. Those of further drivers than fit are not taken. */
  async addPositions(positions: readonly DriverAt[]): Promise<void> {
    const now = this.#options.clock.now();
    for (const [driverId, position] of positions) this.#positions.add(driverId, position, now);
    if (this.#positions.dueAt !== undefined) await this.#wakeAt(this.#positions.dueAt);
  }

  /** Runs due work and housekeeping at the same time, so that neither delays the other. Never rejects. */
  async sweep(): Promise<void> {
    await Promise.all([this.runDue(), this.#housekeep()]);
  }

  /** Runs due work, one run at a time: the commits of a second run would all be refused. Never rejects. */
  async runDue(): Promise<void> {
    if (this.#isStopped || this.#isRecent(this.#runStartedMs)) return;
    this.#runStartedMs = this.#options.monotonicMs();
    // This run does everything that is due by now. Times that are reported from here on set the alarm after it.
    this.#alarmAtMs = Number.POSITIVE_INFINITY;
    void this.#runBatches();
    let next: NextDue;
    try {
      // At the same time, because due work must not wait for views that the database is slow to take.
      const [due, hasWritten] = await Promise.all([
        this.#options.work.runDue(),
        this.#views.flush(this),
        this.#positions.flush(this, this.#options.clock.now()),
      ]);
      if (hasWritten) next = due;
    } catch (error) {
      this.#logError(error);
    }
    this.#runStartedMs = undefined;
    if (next !== null) {
      const nextAt = next ?? addMillis(this.#options.clock.now(), RETRY_MS);
      this.#alarmAtMs = Math.min(this.#alarmAtMs, toMillis(nextAt));
    }
    const { dueAt } = this.#positions;
    if (dueAt !== undefined) this.#alarmAtMs = Math.min(this.#alarmAtMs, toMillis(dueAt));
    await this.#setAlarm();
  }

  /** Runs batches beside due work, which must not wait for a routing engine. Never rejects. */
  async #runBatches(): Promise<void> {
    this.#isBatchWaiting = this.#isRecent(this.#batchStartedMs);
    if (this.#isBatchWaiting) return;
    this.#batchStartedMs = this.#options.monotonicMs();
    let next: NextDue;
    try {
      next = await this.#options.work.runBatches();
    } catch (error) {
      this.#logError(error);
    }
    this.#batchStartedMs = undefined;
    const now = this.#options.clock.now();
    if (this.#isBatchWaiting) await this.#wakeAt(now);
    else if (next !== null) await this.#wakeAt(next ?? addMillis(now, RETRY_MS));
  }

  async #housekeep(): Promise<void> {
    const { address, metrics, monotonicMs, work } = this.#options;
    const startedMs = monotonicMs();
    let outcome = 'broke_off';
    try {
      await work.housekeep();
      outcome = 'done';
      this.#sweptAt = this.#options.clock.now();
    } catch (error) {
      this.#logError(error);
    }
    metrics.measure('sweep', [(monotonicMs() - startedMs) / 1000], [address.id, outcome]);
  }

  /** When housekeeping last ended without a failure; null if it has not since the writer started. */
  get sweptAt(): Instant | null {
    return this.#sweptAt;
  }

  /** Starts no more due work. Commits are still possible. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Whether a run that started then is still in progress. */
  #isRecent(startedMs: number | undefined): boolean {
    return startedMs !== undefined && this.#options.monotonicMs() - startedMs < RUN_MS_MAX;
  }

  async #wakeAt(at: Instant): Promise<void> {
    const atMs = toMillis(at);
    const nowMs = toMillis(this.#options.clock.now());
    const isLate = nowMs - this.#alarmAtMs > ALARM_LATE_MS_MAX;
    if (this.#alarmAtMs <= atMs && !isLate) return;
    this.#alarmAtMs = isLate ? nowMs : atMs;
    await this.#setAlarm();
  }

  /** A run in progress sets the alarm when it ends. */
  async #setAlarm(): Promise<void> {
    if (this.#isStopped || this.#isRecent(this.#runStartedMs) || !Number.isFinite(this.#alarmAtMs)) return;
    try {
      await this.#options.alarm.set(this.#alarmAtMs);
    } catch (error) {
      // The next commit or sweep sets the alarm.
      this.#alarmAtMs = Number.POSITIVE_INFINITY;
      this.#logError(error);
    }
  }

  #logError(error: unknown): void {
    logError({ database: this.#options.address.id, error: String(error) });
  }
}
