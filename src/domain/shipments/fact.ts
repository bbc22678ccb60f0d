import type { WriteStatement } from '../../../db/statement.ts';
import type { Event } from '../../contract/event.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type EventConfig, recordEvent } from '../events/record.ts';
import type { ShipmentRow } from './store.ts';
import { presentShipment } from './view.ts';

export interface FactDependencies {
  readonly config: EventConfig;
  readonly clock: Pick<CompanyClock, 'offsetSeconds'>;
  readonly random: Pick<Random, 'uuid'>;
}

interface Fact {
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly correlationId: Uuid;
  /** What the event has besides the shipment. */
  readonly data: Omit<Event['data'], 'shipment'>;
  /** If the unit needs the id itself. */
  readonly id?: Uuid;
}

/** The event of something that happened to a shipment and changed no state, for its unit. The row is the shipment after it. */
export function factEvent(
  { config, clock, random }: FactDependencies,
  row: ShipmentRow,
  { data, id = random.uuid(), ...fact }: Fact,
): WriteStatement[] {
  return recordEvent(config, {
    ...fact,
    id,
    companyId: row.companyId,
    shipmentId: row.id,
    previousState: null,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment: presentShipment(row), ...data },
  });
}
