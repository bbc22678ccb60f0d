import { parseUuid, type Uuid } from '../core/uuid.ts';

/** Wakes the queue of an endpoint. Never rejects. */
export type WakeEndpoint = (endpointId: Uuid) => Promise<void>;

/**
 * Wakes endpoints with committed deliveries. A busy writer commits many groups while the calls run, so those of the next groups are
 * called together, each once. If the process ends, the sweep finds the deliveries.
 */
export class DeliveryBell {
  readonly #wake: WakeEndpoint;
  #waiting = new Set<string>();
  #calling: Promise<void> | undefined;

  constructor(wake: WakeEndpoint) {
    this.#wake = wake;
  }

  /** Resolves when all these endpoints are woken. */
  ring(endpointIds: readonly string[]): Promise<void> {
    for (const id of endpointIds) this.#waiting.add(id);
    this.#calling ??= this.#call().finally(() => {
      this.#calling = undefined;
    });
    return this.#calling;
  }

  async #call(): Promise<void> {
    while (this.#waiting.size > 0) {
      const taken = [...this.#waiting].flatMap((id) => parseUuid(id) ?? []);
      this.#waiting = new Set();
      await Promise.all(taken.map((id) => this.#wake(id)));
    }
  }
}
