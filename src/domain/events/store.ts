import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { shipmentEvents } from '../../../db/shard/schema/shipments.ts';
import { placesOf, queries, read, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of the lifecycle's events: one row for each transition of a shipment. */

const place = sql.placeholder;
export type ShipmentEventRow = typeof shipmentEvents.$inferSelect;

const timelineColumns = {
  sequence: shipmentEvents.sequence,
  type: shipmentEvents.type,
  state: shipmentEvents.state,
  occurredAt: shipmentEvents.occurredAt,
  actor: shipmentEvents.actor,
  reasonCode: shipmentEvents.reasonCode,
  note: shipmentEvents.note,
};
export type TimelineRow = Pick<ShipmentEventRow, keyof typeof timelineColumns>;
const selectTimeline = read(timelineColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.companyId, place('companyId')),
        gt(shipmentEvents.sequence, place('after')),
      ),
    )
    .orderBy(asc(shipmentEvents.sequence))
    .limit(place('limit')),
);
/** Events of one shipment of the company, oldest first, after `after`. */
export function timelinePage(scope: CompanyScope, shipmentId: Uuid, after: number, limit: number) {
  return selectTimeline({ companyId: scope.companyId, shipmentId, after, limit });
}

const selectCorrelated = read({ id: shipmentEvents.id }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.companyId, place('companyId')),
        eq(shipmentEvents.correlationId, place('correlationId')),
      ),
    )
    .orderBy(asc(shipmentEvents.sequence)),
);
/** The events of the shipment that a request with this correlation id caused, oldest first. */
export function correlatedEvents(scope: CompanyScope, shipmentId: Uuid, correlationId: Uuid) {
  return selectCorrelated({ companyId: scope.companyId, shipmentId, correlationId });
}

const insertEvent = writeRow(queries.insert(shipmentEvents).values(placesOf(shipmentEvents)));
export function eventInsert(row: ShipmentEventRow) {
  return insertEvent({ ...row });
}

const selectAcceptance = read({ occurredAt: shipmentEvents.occurredAt }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.companyId, place('companyId')),
        eq(shipmentEvents.type, 'shipment.accepted'),
      ),
    )
    .orderBy(desc(shipmentEvents.sequence))
    .limit(1),
);
/** When a driver last accepted the shipment. */
export function acceptanceOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectAcceptance({ companyId: scope.companyId, shipmentId });
}

const selectEventAt = read({ id: shipmentEvents.id }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.sequence, place('sequence')),
        eq(shipmentEvents.id, place('id')),
        eq(shipmentEvents.companyId, place('companyId')),
      ),
    ),
);
/** Returns one row if this event has this sequence in the history of the shipment. */
export function eventAt(scope: CompanyScope, event: Pick<ShipmentEventRow, 'shipmentId' | 'sequence' | 'id'>) {
  const { shipmentId, sequence, id } = event;
  return selectEventAt({ companyId: scope.companyId, shipmentId, sequence, id });
}
