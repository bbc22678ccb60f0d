import type { Database } from '../../db/database.ts';
import type { EventNotice } from '../../db/writer.ts';
import { parseStored } from '../core/json.ts';
import type { Uuid } from '../core/uuid.ts';
import { enabledEndpoints } from '../domain/events/record-store.ts';

/** Wakes the queue of an endpoint. Never rejects. */
export type WakeEndpoint = (endpointId: Uuid) => Promise<void>;

/**
 * Wakes the endpoints that subscribe to committed events. It reads them from the database. Events that are committed
 * during one read share the next, because a busy writer commits many groups meanwhile. If the process ends or the
 * database is unavailable, the sweep finds the deliveries.
 */
export class DeliveryBell {
  readonly #database: Database;
  readonly #wake: WakeEndpoint;
  /** Event types by company that the next read will cover. */
  #waiting = new Map<Uuid, Set<string>>();
  #asking: Promise<void> | undefined;

  constructor(database: Database, wake: WakeEndpoint) {
    this.#database = database;
    this.#wake = wake;
  }

  /** Resolves when all these endpoints are woken. Rejects only for a bug. */
  ring(notices: readonly EventNotice[]): Promise<void> {
    for (const { companyId, type } of notices) {
      const types = this.#waiting.get(companyId) ?? new Set();
      this.#waiting.set(companyId, types.add(type));
    }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    // Waits one turn, so that events of the same commit share the read.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const taken = this.#waiting;
      this.#waiting = new Map();
      const answer = await this.#database.read(enabledEndpoints([...taken.keys()]));
      if (!answer.ok) return;
      const wanting = answer.rows.filter((row) =>
        isWanted(parseStored<string[]>(row.eventTypes), taken.get(row.companyId)),
      );
      await Promise.all(wanting.map(({ id }) => this.#wake(id)));
    }
  }
}

function isWanted(subscribed: readonly string[], types: ReadonlySet<string> | undefined): boolean {
  return types !== undefined && subscribed.some((type) => type === '*' || types.has(type));
}
