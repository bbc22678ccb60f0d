import type { CompanyScope } from '../access/require.ts';
import { type Result, refuse } from '../core/result.ts';
import type { CommandOrder, Lane } from '../domain/shipments/command.ts';
import type { ShipmentRow } from '../domain/shipments/store.ts';
import { type LaneDependencies, LaneQueue } from './lane-queue.ts';

/** Lanes that are kept for their cached row. Above this, idle lanes are dropped, the least recently used first. */
const LANES_MAX = 250;

type OnDone = (dependencies: LaneDependencies, scope: CompanyScope, row: ShipmentRow) => Promise<void>;

/** The lanes of many shipments: all of a Deno process, or those of one Durable Object. */
export class ShipmentLanes implements Lane {
  readonly #dependenciesOf: (shard: string) => LaneDependencies | undefined;
  readonly #monotonicMs: () => number;
  readonly #onDone: OnDone;
  readonly #lanes = new Map<string, LaneQueue>();

  /** Calls `onDone` after each command that was not refused, also if it changed nothing. */
  constructor(
    dependenciesOf: (shard: string) => LaneDependencies | undefined,
    monotonicMs: () => number,
    onDone: OnDone = async () => undefined,
  ) {
    this.#dependenciesOf = dependenciesOf;
    this.#monotonicMs = monotonicMs;
    this.#onDone = onDone;
  }

  async execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>> {
    const dependencies = this.#dependenciesOf(scope.shard);
    if (dependencies === undefined) return refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 });
    const name = laneNameOf(scope, order);
    const lane = this.#lanes.get(name) ?? new LaneQueue(this.#monotonicMs);
    // A map keeps insertion order, so deleting and adding the lane makes it the most recently used.
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
    const executed = lane.execute(dependencies, scope, order);
    this.#dropIdle();
    const result = await executed;
    // The answer does not wait for it.
    if (result.ok) void this.#onDone(dependencies, scope, result.value);
    return result;
  }

  #dropIdle(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#lanes.size <= LANES_MAX) return;
      if (lane.isIdle) this.#lanes.delete(name);
    }
  }
}

/** The name has company and shipment, so a company that sends the id of another's shipment cannot block that lane. */
export function laneNameOf(scope: CompanyScope, { shipmentId }: Pick<CommandOrder, 'shipmentId'>): string {
  return `${scope.companyId}/${shipmentId}`;
}

/**
 * The Durable Object with the lane of a shipment: one of sixteen for each shard, by the last digit of the id, which is
 * random. An object for each shipment would cost a database file and its sync at the first command.
 */
export function laneObjectOf({ shard }: CompanyScope, { shipmentId }: Pick<CommandOrder, 'shipmentId'>): string {
  return `${shard}/${shipmentId.slice(-1)}`;
}
