import type { Database } from '../../db/database.ts';
import type { EventNotice } from '../../db/writer.ts';
import type { Uuid } from '../core/uuid.ts';
import { enabledEndpoints } from '../domain/webhooks/upkeep-store.ts';

/** Wakes the queue of an endpoint. Never rejects. */
export type WakeEndpoint = (endpointId: Uuid) => Promise<void>;

/**
 * Wakes the endpoints that committed events are for. Asks the database which they are, once for all events of a time: it
 * is the writer's, and a busy writer commits many groups while one question is under way. What is missed here, because a
 * process ended or the database was away, the sweep finds.
 */
export class DeliveryBell {
  readonly #database: Database;
  readonly #wake: WakeEndpoint;
  /** Kinds of event by company. */
  #told = new Map<Uuid, Set<string>>();
  #asking: Promise<void> | undefined;

  constructor(database: Database, wake: WakeEndpoint) {
    this.#database = database;
    this.#wake = wake;
  }

  /** Resolves when everybody who was to be woken is. Rejects only for a bug. */
  ring(notices: readonly EventNotice[]): Promise<void> {
    for (const { companyId, type } of notices) {
      const types = this.#told.get(companyId) ?? new Set();
      this.#told.set(companyId, types.add(type));
    }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    // Lets the other units of the same commit join.
    await Promise.resolve();
    while (this.#told.size > 0) {
      const told = this.#told;
      this.#told = new Map();
      const answer = await this.#database.read(enabledEndpoints([...told.keys()]));
      if (!answer.ok) return;
      const wanting = answer.rows.filter((row) =>
        isWanted(JSON.parse(row.eventTypes) as string[], told.get(row.companyId)),
      );
      await Promise.all(wanting.map(({ id }) => this.#wake(id)));
    }
  }
}

function isWanted(subscribed: readonly string[], told: ReadonlySet<string> | undefined): boolean {
  return told !== undefined && subscribed.some((type) => type === '*' || told.has(type));
}
