import type { WriteStatement } from '../../../db/statement.ts';
import type { AmendmentInEvent } from '../../contract/amendment-event.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { recordEvent } from '../events/record.ts';
import type { ShipmentRow } from './store.ts';
import { presentShipment } from './view.ts';
import type { EventDependencies } from './window-agreed.ts';

interface Decided {
  readonly amendment: Omit<AmendmentInEvent, 'by' | 'decideBy' | 'state'>;
  readonly state: 'APPLIED' | 'REJECTED';
  readonly occurredAt: Instant;
  readonly correlationId: Uuid;
}

/** The event of a decision of the company, in the unit of the decision. `row` is the shipment after it. */
export function decisionEvent(
  { config, clock, random }: EventDependencies,
  row: ShipmentRow,
  { amendment, state, occurredAt, correlationId }: Decided,
): WriteStatement[] {
  return recordEvent(config, {
    id: random.uuid(),
    type: 'shipment.amendment_decided',
    companyId: row.companyId,
    shipmentId: row.id,
    occurredAt,
    previousState: null,
    correlationId,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment: presentShipment(row), amendment: { ...amendment, by: 'RECIPIENT', state } },
  });
}
