import { DurableObject } from 'cloudflare:workers';
import { CommitMeter } from '../../../db/commit-meter.ts';
import { restoreDurability } from '../../../db/durability.ts';
import { GroupCommitter, newsOf } from '../../../db/group-committer.ts';
import type { CommitOutcome, CommitRequest } from '../../../db/writer.ts';
import { addMillis, type Instant, toMillis } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { sweepMedia } from '../../domain/media/sweep/sweep.ts';
import { VIEWS_KEPT_MS, ViewTally } from '../../domain/tracking/view-tally.ts';
import { logError } from '../../ports/log.ts';
import { monotonicMs, reportDatabase } from '../../providers/system.ts';
import { failureTold } from '../../service/assemble.ts';
import type { DatabaseAddress } from '../../service/config.ts';
import { DeliveryBell, type WakeEndpoint } from '../../service/delivery-bell.ts';
import { measureSweep, runShard, sweepDirectory, sweepShard } from '../../service/sweep.ts';
import { servicesOf, type WorkerEnvironment, type WriterMethods } from './environment.ts';

/** How soon an alarm that could not do its work rings again. */
const RETRY_ALARM_MS = 1000;

/**
 * The one writer of one libSQL database: see `GroupCommitter`. Its alarm does what falls due in that database. It keeps
 * nothing but the database's name; what is due stands in the database, and a sweep each minute finds what no alarm did.
 */
export class DatabaseWriter extends DurableObject<WorkerEnvironment> implements WriterMethods {
  #committer: GroupCommitter | undefined;
  #bell: DeliveryBell | undefined;
  #alarmAtMs: number | undefined;
  #hasStoredName = false;
  readonly #views = new ViewTally();

  commit(databaseId: string, request: CommitRequest): Promise<CommitOutcome> {
    return this.#committerOf(databaseId).commit(request);
  }

  async addView(databaseId: string, linkId: Uuid, viewedAt: Instant): Promise<void> {
    this.#views.add(linkId, viewedAt);
    await this.#wakeAt(databaseId, toMillis(addMillis(servicesOf(this.env).clock.now(), VIEWS_KEPT_MS)));
  }

  sweep(databaseId: string): Promise<void> {
    return measureSweep(servicesOf(this.env), databaseId, () => this.#sweepNow(databaseId));
  }

  async #sweepNow(databaseId: string): Promise<void> {
    const services = servicesOf(this.env);
    const writer = this.#committerOf(databaseId);
    await this.#views.flush(writer);
    const store = services.shards.get(databaseId);
    if (store === undefined) {
      const { database } = services.directory;
      return sweepDirectory({ ...services, directory: { database, writer } });
    }
    const wakeEndpoint = this.#wakeEndpointOf(databaseId);
    const next = await sweepShard({ ...services, database: store.database, writer, wakeEndpoint });
    await this.#setNextAlarm(databaseId, next);
    // Last: an object store takes its time, and nobody waits for it.
    await sweepMedia({ ...services, database: store.database, writer });
  }

  /** Never throws: Cloudflare gives up an alarm after six failures, so this one sets its own next. */
  async alarm(): Promise<void> {
    this.#alarmAtMs = undefined;
    try {
      const databaseId = await this.ctx.storage.get<string>('databaseId');
      if (databaseId !== undefined) await this.#runDueSafely(databaseId);
    } catch (error) {
      // Storage is away: the next commit, or the sweep, sets the alarm anew.
      logError({ error: String(error) });
    }
  }

  /**
   * A sweep beside it may find the same things due: their commits are conditional, so that one of the two works for nothing.
   * A mark against that could be left behind by a run that the runtime ended.
   */
  async #runDueSafely(databaseId: string): Promise<void> {
    let next: Instant | null | undefined;
    try {
      const services = servicesOf(this.env);
      const store = services.shards.get(databaseId);
      if (store === undefined) return;
      const writer = this.#committerOf(databaseId);
      const hasWritten = await this.#views.flush(writer);
      const due = await runShard({ ...services, database: store.database, writer });
      if (hasWritten) next = due;
    } catch (error) {
      logError({ database: databaseId, error: String(error) });
    }
    await this.#setNextAlarm(databaseId, next);
  }

  #committerOf(databaseId: string): GroupCommitter {
    this.#committer ??= new GroupCommitter({
      connection: connectionOf(this.env, databaseId),
      restoreDurability: () => restoreDurability(addressOf(this.env, databaseId).adminUrl, fetchPlain),
      onCommitted: (committed) => {
        const { dueAt, notices } = newsOf(committed);
        if (dueAt !== undefined) this.ctx.waitUntil(this.#wakeAt(databaseId, toMillis(dueAt)));
        if (notices.length > 0) this.ctx.waitUntil(this.#bellOf(databaseId).ring(notices));
      },
      monotonicMs,
      meter: new CommitMeter(servicesOf(this.env).metrics, databaseId),
    });
    return this.#committer;
  }

  #bellOf(databaseId: string): DeliveryBell {
    const store = servicesOf(this.env).shards.get(databaseId);
    if (store === undefined) throw new Error(`Events are written in ${databaseId}, which is no shard`);
    this.#bell ??= new DeliveryBell(store.database, this.#wakeEndpointOf(databaseId));
    return this.#bell;
  }

  #wakeEndpointOf(databaseId: string): WakeEndpoint {
    return (endpointId) => servicesOf(this.env).endpointWaker.wake(databaseId, endpointId);
  }

  async #setNextAlarm(databaseId: string, next: Instant | null | undefined): Promise<void> {
    if (next === null) return;
    const { clock } = servicesOf(this.env);
    await this.#wakeAt(databaseId, toMillis(next ?? addMillis(clock.now(), RETRY_ALARM_MS)));
  }

  async #wakeAt(databaseId: string, atMs: number): Promise<void> {
    if (this.#alarmAtMs !== undefined && this.#alarmAtMs <= atMs) return;
    if (!this.#hasStoredName) await this.ctx.storage.put('databaseId', databaseId, { allowUnconfirmed: true });
    this.#hasStoredName = true;
    this.#alarmAtMs = atMs;
    try {
      await this.ctx.storage.setAlarm(atMs, { allowUnconfirmed: true });
    } catch (error) {
      this.#alarmAtMs = undefined;
      throw error;
    }
  }
}

function addressOf(environment: WorkerEnvironment, databaseId: string): DatabaseAddress {
  const { config } = servicesOf(environment);
  const address = [config.directory, ...config.shards].find(({ id }) => id === databaseId);
  if (address === undefined) throw new Error(`There is no database ${databaseId}`);
  return address;
}

function connectionOf(environment: WorkerEnvironment, databaseId: string) {
  const { url, authToken } = addressOf(environment, databaseId);
  const { config, metrics } = servicesOf(environment);
  return {
    url,
    authToken,
    requireDurable: config.durability === 'strong',
    fetch: fetchPlain,
    report: failureTold({ report: reportDatabase, metrics }, databaseId),
  };
}

function fetchPlain(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init);
}
