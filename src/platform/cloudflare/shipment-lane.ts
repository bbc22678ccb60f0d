import { DurableObject } from 'cloudflare:workers';
import type { CompanyScope } from '../../access/require.ts';
import type { Result } from '../../core/result.ts';
import type { CommandOrder } from '../../domain/shipments/command.ts';
import type { ShipmentRow } from '../../domain/shipments/store.ts';
import { monotonicMs } from '../../providers/system.ts';
import { ShipmentLanes } from '../../service/shipment-lanes.ts';
import { type LaneMethods, servicesOf, type WorkerEnvironment } from './environment.ts';

/** The lanes of a sixteenth of a shard's shipments: see `laneObjectOf`. It stores nothing. */
export class ShipmentLane extends DurableObject<WorkerEnvironment> implements LaneMethods {
  readonly #lanes = new ShipmentLanes((shard) => {
    const services = servicesOf(this.env);
    const store = services.shards.get(shard);
    return store === undefined ? undefined : { ...services, ...store };
  }, monotonicMs);

  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>> {
    return this.#lanes.execute(scope, order);
  }
}
