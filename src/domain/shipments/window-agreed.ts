import type { WriteStatement } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type EventConfig, recordEvent } from '../events/record.ts';
import { presentWindow } from './delivery-windows.ts';
import type { ShipmentRow } from './store.ts';
import { presentShipment } from './view.ts';

export interface EventDependencies {
  readonly config: EventConfig;
  readonly clock: CompanyClock;
  readonly random: Random;
}

interface Agreement extends EventDependencies {
  readonly occurredAt: Instant;
  readonly correlationId: Uuid;
}

/** The event of a driver who agrees to the delivery window of the shipment, in the unit that makes it AGREED. */
export function windowAgreedEvent(
  row: ShipmentRow,
  { config, clock, random, occurredAt, correlationId }: Agreement,
): WriteStatement[] {
  return recordEvent(config, {
    id: random.uuid(),
    type: 'delivery_window.agreed',
    companyId: row.companyId,
    shipmentId: row.id,
    occurredAt,
    previousState: null,
    correlationId,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment: presentShipment(row), deliveryWindow: presentWindow({ ...row, windowStatus: 'AGREED' }) },
  });
}
