import { DurableObject } from 'cloudflare:workers';
import type { CommitOutcome, CommitRequest } from '../../../db/writer.ts';
import type { Instant } from '../../core/instant.ts';
import type { DriverAt } from '../../domain/drivers/positions.ts';
import type { Views } from '../../domain/tracking/store.ts';
import { logError } from '../../ports/log.ts';
import { monotonicMs, reportDatabase } from '../../providers/system.ts';
import { databaseWork, type WorkLimits } from '../../service/database-work.ts';
import { DatabaseWriterCore } from '../../service/database-writer-core.ts';
import { servicesOf, type WorkerEnvironment, type WriterMethods } from './environment.ts';
import { isReplaced } from './placement.ts';
import { storedAlarm } from './stored-alarm.ts';

/** Where the object stores its database's id. */
const NAME_KEY = 'databaseId';

/**
 * Cloudflare lets one object wait for at most six answers at a time. This object also commits for every company of its shard, so
 * three stay free: with 16 items at once and a slow routing engine, another company's cancellation waited for nearly a second.
 */
const LIMITS: WorkLimits = { itemsAtOnce: 3 };

/** The writer of one database, one object each. Its storage holds only the database's id and the alarm. */
export class DatabaseWriter extends DurableObject<WorkerEnvironment> implements WriterMethods {
  #core: DatabaseWriterCore | undefined;

  commit(databaseId: string, request: CommitRequest): Promise<CommitOutcome> {
    return this.#coreOf(databaseId).commit(request);
  }

  addViews(databaseId: string, views: readonly Views[]): Promise<void> {
    return this.#coreOf(databaseId).addViews(views);
  }

  addPositions(databaseId: string, positions: readonly DriverAt[]): Promise<void> {
    // Dispatch runs in this object, and reports come from other isolates.
    const { positionBook } = servicesOf(this.env);
    for (const [driverId, position] of positions) positionBook.note(driverId, position);
    return this.#coreOf(databaseId).addPositions(positions);
  }

  sweep(databaseId: string): Promise<void> {
    return this.#coreOf(databaseId).sweep();
  }

  async lastSweptAt(databaseId: string): Promise<Instant | null> {
    return this.#coreOf(databaseId).sweptAt;
  }

  isWritable(databaseId: string): Promise<boolean> {
    return this.#coreOf(databaseId).isWritable();
  }

  /** Never throws: Cloudflare gives up an alarm after six failures. */
  async alarm(): Promise<void> {
    try {
      const databaseId = await this.ctx.storage.get<string>(NAME_KEY);
      if (databaseId === undefined) return;
      const { place } = servicesOf(this.env).config;
      // Another object does this work now. Without its storage this one ends.
      if (isReplaced(this.env.DATABASE_WRITER, place, { name: databaseId, id: this.ctx.id }))
        await this.ctx.storage.deleteAll();
      else await this.#coreOf(databaseId).runDue();
    } catch (error) {
      // The storage is unavailable. The next commit or sweep sets the alarm.
      logError({ error: String(error) });
    }
  }

  #coreOf(databaseId: string): DatabaseWriterCore {
    if (this.#core !== undefined) return this.#core;
    const { config, clock, metrics } = servicesOf(this.env);
    const address = [config.directory, ...config.shards].find(({ id }) => id === databaseId);
    if (address === undefined) throw new Error(`There is no database ${databaseId}`);
    const core = new DatabaseWriterCore({
      address,
      requireDurable: config.durability === 'strong',
      fetch: (url, init) => fetch(url, init),
      clock,
      monotonicMs,
      report: reportDatabase,
      metrics,
      alarm: storedAlarm(this.ctx.storage, clock, [NAME_KEY, databaseId]),
      work: databaseWork(
        databaseId,
        () => servicesOf(this.env),
        () => core,
        LIMITS,
      ),
    });
    this.#core = core;
    return core;
  }
}
