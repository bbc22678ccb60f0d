import { DurableObject } from 'cloudflare:workers';
import { addMillis, toMillis } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { webhookFaults } from '../../domain/sandbox/fault/fault.ts';
import { logError } from '../../ports/log.ts';
import { EndpointQueue as Queue } from '../../service/endpoint-queue.ts';
import { type QueueMethods, servicesOf, type WorkerEnvironment } from './environment.ts';

/**
 * An invocation may have six connections that wait for an answer; past them the runtime makes the next one wait while its
 * time runs. Two are for the database. It may also make a thousand requests in all, and a delivery needs up to six.
 */
const LIMITS = { sendsAtOnce: 4, sendsMax: 150 };
/** How soon an alarm that could not do its work rings again. */
const RETRY_ALARM_MS = 1000;

interface Name {
  readonly shard: string;
  readonly endpointId: Uuid;
}

/** The queue of one webhook endpoint, one object each: see the class of the same name beside. Its alarm sends what is due. */
export class EndpointQueue extends DurableObject<WorkerEnvironment> implements QueueMethods {
  #queue: Queue | undefined;
  #hasStoredName = false;
  /** Woken since the alarm rang, when no run was there to be told: then the alarm is set for now already. */
  #isWoken = false;

  async wake(shard: string, endpointId: Uuid): Promise<void> {
    if (this.#queue?.ring() === true) return;
    this.#isWoken = true;
    if (!this.#hasStoredName) await this.ctx.storage.put('name', { shard, endpointId }, { allowUnconfirmed: true });
    this.#hasStoredName = true;
    await this.ctx.storage.setAlarm(toMillis(servicesOf(this.env).clock.now()), { allowUnconfirmed: true });
  }

  /** Never throws: Cloudflare gives up an alarm after six failures, so this one sets its own next. */
  async alarm(): Promise<void> {
    this.#isWoken = false;
    const { clock } = servicesOf(this.env);
    let wake: Awaited<ReturnType<Queue['run']>>;
    try {
      wake = await this.#run();
    } catch (error) {
      logError({ error: `A queue of webhooks broke off: ${String(error)}` });
    }
    if (wake === null || this.#isWoken) return;
    try {
      await this.ctx.storage.setAlarm(toMillis(wake ?? addMillis(clock.now(), RETRY_ALARM_MS)));
    } catch (error) {
      // Storage is away: the next event, or the sweep, wakes it.
      logError({ error: String(error) });
    }
  }

  async #run() {
    const name = await this.ctx.storage.get<Name>('name');
    const services = servicesOf(this.env);
    const store = name === undefined ? undefined : services.shards.get(name.shard);
    if (name === undefined || store === undefined) return null;
    this.#queue ??= new Queue(name.endpointId, LIMITS);
    return this.#queue.run({ ...services, ...store, isDown: webhookFaults(services, store, name.shard) });
  }
}
