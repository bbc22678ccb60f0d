import type { EndpointWaker } from '../../../db/writer.ts';
import { type Instant, toMillis } from '../../core/instant.ts';
import { TIMER_MS_MAX } from '../../core/timer.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DeliveryDependencies } from '../../domain/webhooks/delivery.ts';
import type { Clock } from '../../ports/clock.ts';
import { logError } from '../../ports/log.ts';
import { EndpointQueue } from '../../service/endpoint-queue.ts';

/** A process has connections enough, and nobody counts them. */
const LIMITS = { sendsAtOnce: 16, sendsMax: Number.POSITIVE_INFINITY };
const RETRY_MS = 1000;

interface Entry {
  readonly queue: EndpointQueue;
  isRunning: boolean;
  /** Woken when the run had just looked its last. */
  isWoken: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The queues of this process, one for each endpoint that has something to wait for. */
export class LocalEndpointQueues implements EndpointWaker {
  readonly #dependenciesOf: (shard: string) => DeliveryDependencies | undefined;
  readonly #clock: Clock;
  /** By shard and endpoint: while a company moves, both of its shards may have something to send. */
  readonly #entries = new Map<string, Entry>();
  #isStopped = false;

  constructor(dependenciesOf: (shard: string) => DeliveryDependencies | undefined, clock: Clock) {
    this.#dependenciesOf = dependenciesOf;
    this.#clock = clock;
  }

  wake(shard: string, endpointId: Uuid): Promise<void> {
    const dependencies = this.#dependenciesOf(shard);
    if (dependencies !== undefined && !this.#isStopped) this.#start(dependencies, endpointId);
    return Promise.resolve();
  }

  stop(): void {
    this.#isStopped = true;
    for (const { queue, timer } of this.#entries.values()) {
      clearTimeout(timer);
      queue.stop();
    }
  }

  #start(dependencies: DeliveryDependencies, endpointId: Uuid): void {
    const name = nameOf(dependencies, endpointId);
    const entry = this.#entries.get(name) ?? {
      queue: new EndpointQueue(endpointId, LIMITS),
      isRunning: false,
      isWoken: false,
      timer: undefined,
    };
    this.#entries.set(name, entry);
    if (entry.isRunning) {
      entry.isWoken = !entry.queue.ring();
      return;
    }
    clearTimeout(entry.timer);
    entry.isRunning = true;
    entry.isWoken = false;
    void this.#run(dependencies, endpointId, entry);
  }

  async #run(dependencies: DeliveryDependencies, endpointId: Uuid, entry: Entry): Promise<void> {
    let wake: Instant | null | undefined;
    try {
      wake = await entry.queue.run(dependencies);
    } catch (error) {
      logError({ error: `A queue of webhooks broke off: ${String(error)}` });
    }
    entry.isRunning = false;
    if (this.#isStopped) return;
    if (entry.isWoken) {
      this.#start(dependencies, endpointId);
      return;
    }
    if (wake === null) {
      this.#entries.delete(nameOf(dependencies, endpointId));
      return;
    }
    const waitMs = wake === undefined ? RETRY_MS : toMillis(wake) - toMillis(this.#clock.now());
    entry.timer = setTimeout(() => this.#start(dependencies, endpointId), Math.min(Math.max(waitMs, 0), TIMER_MS_MAX));
  }
}

function nameOf({ database }: DeliveryDependencies, endpointId: Uuid): string {
  return `${database.id}/${endpointId}`;
}
