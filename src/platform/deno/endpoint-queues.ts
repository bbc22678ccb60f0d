import type { Uuid } from '../../core/uuid.ts';
import type { QueueDependencies } from '../../domain/webhooks/delivery.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EndpointChange, EndpointWaker } from '../../ports/webhook.ts';
import { EndpointQueueCore } from '../../service/endpoint-queue-core.ts';
import { TimerAlarm } from './timer-alarm.ts';

/** A process has no limit on connections or on requests of one run. */
const LIMITS = { sendsAtOnce: 16, sendsMax: Number.POSITIVE_INFINITY };

interface Entry {
  readonly core: EndpointQueueCore;
  readonly alarm: TimerAlarm;
}

/** The endpoint queues of this process, one for each endpoint that has something to send. */
export class EndpointQueues implements EndpointWaker {
  readonly #dependenciesOf: (shard: string) => QueueDependencies | undefined;
  readonly #clock: Clock;
  /** By shard and endpoint, because both shards of a moving company may have deliveries. */
  readonly #entries = new Map<string, Entry>();
  #isStopped = false;

  constructor(dependenciesOf: (shard: string) => QueueDependencies | undefined, clock: Clock) {
    this.#dependenciesOf = dependenciesOf;
    this.#clock = clock;
  }

  async wake(shard: string, endpointId: Uuid): Promise<void> {
    if (this.#isStopped) return;
    const name = `${shard}/${endpointId}`;
    const entry = this.#entries.get(name) ?? this.#open(name, shard, endpointId);
    await entry.core.wake();
  }

  async withdraw(shard: string, endpointId: Uuid, change: EndpointChange): Promise<number | undefined> {
    const name = `${shard}/${endpointId}`;
    const entry = this.#entries.get(name) ?? (this.#isStopped ? undefined : this.#open(name, shard, endpointId));
    return entry?.core.withdraw(change);
  }

  stop(): void {
    this.#isStopped = true;
    for (const { core, alarm } of this.#entries.values()) {
      alarm.stop();
      core.stop();
    }
  }

  #open(name: string, shard: string, endpointId: Uuid): Entry {
    const alarm = new TimerAlarm(this.#clock, () => core.runDue());
    const core = new EndpointQueueCore({
      endpointId,
      limits: LIMITS,
      clock: this.#clock,
      alarm,
      dependencies: () => this.#dependenciesOf(shard),
      onIdle: () => void this.#entries.delete(name),
    });
    const entry = { core, alarm };
    this.#entries.set(name, entry);
    return entry;
  }
}
