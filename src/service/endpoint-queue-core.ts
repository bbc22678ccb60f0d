import { addMillis, toMillis } from '../core/instant.ts';
import type { Uuid } from '../core/uuid.ts';
import type { QueueDependencies } from '../domain/webhooks/delivery.ts';
import type { Alarm, NextDue } from '../ports/alarm.ts';
import type { Clock } from '../ports/clock.ts';
import { logError } from '../ports/log.ts';
import type { EndpointChange } from '../ports/webhook.ts';
import { DeliveryRun, type SendLimits } from './delivery-run.ts';

/** The delay before a retry after the database did not answer or the run failed. */
const RETRY_MS = 1000;

export interface EndpointQueueOptions {
  readonly endpointId: Uuid;
  readonly limits: SendLimits;
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Undefined if this deployment does not have the endpoint's shard. Then nothing is sent. */
  readonly dependencies: () => QueueDependencies | undefined;
  /** Called when nothing is left to send and no alarm is set. */
  readonly onIdle?: () => void;
}

/** The queue of one webhook endpoint, on every platform. Its alarm starts a run that sends what is due. */
export class EndpointQueueCore {
  readonly #options: EndpointQueueOptions;
  readonly #run: DeliveryRun;
  /** Woken too late for the current run to notice. The alarm is already set. */
  #isWoken = false;

  constructor(options: EndpointQueueOptions) {
    this.#options = options;
    this.#run = new DeliveryRun(options.endpointId, options.limits);
  }

  /** Call it when a new delivery may be due. Rejects if the alarm cannot be set. */
  async wake(): Promise<void> {
    if (this.#run.ring()) return;
    this.#isWoken = true;
    await this.#options.alarm.set(toMillis(this.#options.clock.now()));
  }

  /** The endpoint has changed: sends nothing more of an earlier version, and waits for the requests that have begun. Resolves as the port says. */
  async withdraw({ version, waitMs }: EndpointChange): Promise<number> {
    const ended = this.#run.withdraw(version, waitMs);
    // Deliveries of an endpoint that takes no more are skipped.
    await this.wake();
    return ended;
  }

  /** Sends what is due and sets the next alarm. Only the alarm calls it, so runs do not overlap. Never rejects. */
  async runDue(): Promise<void> {
    this.#isWoken = false;
    const { alarm, clock, onIdle } = this.#options;
    let next: NextDue;
    try {
      const dependencies = this.#options.dependencies();
      next = dependencies === undefined ? null : await this.#run.run(dependencies);
    } catch (error) {
      logError({ error: `A webhook queue failed: ${String(error)}` });
    }
    if (this.#isWoken) return;
    if (next === null) {
      onIdle?.();
      return;
    }
    try {
      await alarm.set(toMillis(next ?? addMillis(clock.now(), RETRY_MS)));
    } catch (error) {
      // The next event or the sweep wakes the queue.
      logError({ error: String(error) });
    }
  }

  /** The run in progress takes no more deliveries and ends when those it has sent are recorded. */
  stop(): void {
    this.#run.stop();
  }
}
