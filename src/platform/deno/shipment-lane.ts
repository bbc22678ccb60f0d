import type { CompanyScope } from '../../access/require.ts';
import { type Result, refuse } from '../../core/result.ts';
import type { CommandOrder, Lane } from '../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import { type LaneDependencies, LaneQueue, laneNameOf } from '../../service/lane-queue.ts';

/** Lanes that are kept for their cached row. Above this, idle lanes are dropped, the least recently used first. */
const LANES_MAX = 1_000;

/** The lanes of this process, by shipment. */
export class LocalShipmentLanes implements Lane {
  readonly #dependenciesOf: (shard: string) => LaneDependencies | undefined;
  readonly #monotonicMs: () => number;
  readonly #lanes = new Map<string, LaneQueue>();

  constructor(dependenciesOf: (shard: string) => LaneDependencies | undefined, monotonicMs: () => number) {
    this.#dependenciesOf = dependenciesOf;
    this.#monotonicMs = monotonicMs;
  }

  async execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>> {
    const dependencies = this.#dependenciesOf(scope.shard);
    if (dependencies === undefined) return refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 });
    const name = laneNameOf(scope, order);
    const lane = this.#lanes.get(name) ?? new LaneQueue(this.#monotonicMs);
    // A map keeps insertion order, so deleting and adding the lane makes it the most recently used.
    this.#lanes.delete(name);
    this.#lanes.set(name, lane);
    this.#dropIdle();
    return lane.execute(dependencies, scope, order);
  }

  #dropIdle(): void {
    for (const [shipmentId, lane] of this.#lanes) {
      if (this.#lanes.size <= LANES_MAX) return;
      if (lane.isIdle) this.#lanes.delete(shipmentId);
    }
  }
}
