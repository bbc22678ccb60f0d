import { DurableObject } from 'cloudflare:workers';
import type { CompanyScope } from '../../access/require.ts';
import { type Result, refuse } from '../../core/result.ts';
import type { CommandOrder } from '../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import { monotonicMs } from '../../providers/system.ts';
import { LaneQueue } from '../../service/lane-queue.ts';
import { type LaneMethods, servicesOf, type WorkerEnvironment } from './environment.ts';

/** The lane of one shipment, one object each: see `LaneQueue`. It stores nothing. */
export class ShipmentLane extends DurableObject<WorkerEnvironment> implements LaneMethods {
  readonly #queue = new LaneQueue(monotonicMs);

  async execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>> {
    const services = servicesOf(this.env);
    const store = services.shards.get(scope.shard);
    if (store === undefined) return refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 });
    return this.#queue.execute({ ...services, ...store }, scope, order);
  }
}
