import { DurableObject } from 'cloudflare:workers';
import { part } from '../../core/part.ts';
import type { Uuid } from '../../core/uuid.ts';
import { webhookFaults } from '../../domain/sandbox/fault/fault.ts';
import { logError } from '../../ports/log.ts';
import type { EndpointChange } from '../../ports/webhook.ts';
import type { EndpointQueueCore } from '../../service/endpoint-queue-core.ts';
import { type QueueMethods, queueObjectOf, servicesOf, type WorkerEnvironment } from './environment.ts';
import { isReplaced } from './placement.ts';
import { storedAlarm } from './stored-alarm.ts';

const queues = part(() => import('../../service/endpoint-queue-core.ts'));

/**
 * An invocation may have six connections that wait for response headers; the runtime delays further ones while their
 * timeouts run. Two are for the database. It may also make 1,000 requests in all, and a delivery needs up to six.
 */
const LIMITS = { sendsAtOnce: 4, sendsMax: 150 };
/** Where the object stores its endpoint. */
const NAME_KEY = 'name';

interface Name {
  readonly shard: string;
  readonly endpointId: Uuid;
}

/** The queue of one webhook endpoint, one object each. Its storage holds only the endpoint's id and the alarm. */
export class EndpointQueue extends DurableObject<WorkerEnvironment> implements QueueMethods {
  #core: EndpointQueueCore | undefined;

  async wake(shard: string, endpointId: Uuid): Promise<void> {
    await (await this.#coreOf({ shard, endpointId })).wake();
  }

  async withdraw(shard: string, endpointId: Uuid, change: EndpointChange): Promise<number> {
    return (await this.#coreOf({ shard, endpointId })).withdraw(change);
  }

  /** Never throws: Cloudflare gives up an alarm after six failures. */
  async alarm(): Promise<void> {
    try {
      const name = await this.ctx.storage.get<Name>(NAME_KEY);
      if (name === undefined) return;
      const { place } = servicesOf(this.env).config;
      const object = { name: queueObjectOf(name.shard, name.endpointId), id: this.ctx.id };
      // Another object does this work now. Without its storage this one ends.
      if (isReplaced(this.env.ENDPOINT_QUEUE, place, object)) await this.ctx.storage.deleteAll();
      else await (await this.#coreOf(name)).runDue();
    } catch (error) {
      // The storage is unavailable. The next event or the sweep wakes the queue.
      logError({ error: String(error) });
    }
  }

  async #coreOf(name: Name): Promise<EndpointQueueCore> {
    const { shard, endpointId } = name;
    const { EndpointQueueCore } = await queues();
    const { clock } = servicesOf(this.env);
    this.#core ??= new EndpointQueueCore({
      endpointId,
      limits: LIMITS,
      clock,
      alarm: storedAlarm(this.ctx.storage, clock, [NAME_KEY, name]),
      dependencies: () => {
        const services = servicesOf(this.env);
        const store = services.shards.get(shard);
        if (store === undefined) return undefined;
        return { ...services, ...store, isDown: webhookFaults(services, store, shard) };
      },
    });
    return this.#core;
  }
}
