import { and, asc, eq, sql } from 'drizzle-orm';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { lateReports } from '../../../db/shard/schema/late-reports.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of the lifecycle's events: one row for each transition of a shipment. */

export type ShipmentEventRow = typeof shipmentEvents.$inferSelect;

const timelineColumns = {
  sequence: shipmentEvents.sequence,
  type: shipmentEvents.type,
  state: shipmentEvents.state,
  occurredAt: shipmentEvents.occurredAt,
  actor: shipmentEvents.actor,
  reasonCode: shipmentEvents.reasonCode,
  note: shipmentEvents.note,
  /** When a late report came in microseconds, and 0 for an event. A report has the action as reason and the reason as note. */
  reported: shipmentEvents.sequence,
};
export type TimelineRow = ReturnType<ReturnType<typeof selectTimeline>['decode']>;
const selectTimeline = read(timelineColumns, () =>
  queries
    .select({
      sequence: sql`sequence`,
      type: sql`type`,
      state: sql`state`,
      occurredAt: sql`occurred_at`,
      actor: sql`actor`,
      reasonCode: sql`reason_code`,
      note: sql`note`,
      reported: sql`reported`,
    })
    .from(
      sql`(select sequence, type, state, occurred_at, actor, reason_code, note, 0 as reported from ${shipmentEvents}
          where shipment_id = ${placeholder('shipmentId')} and company_id = ${placeholder('companyId')} and sequence >= ${placeholder('sequence')}
        union all
        select sequence, 'late_report', state, reported_at, 'DRIVER', action, reason_code, reported_at from ${lateReports}
          where shipment_id = ${placeholder('shipmentId')} and company_id = ${placeholder('companyId')} and sequence >= ${placeholder('sequence')})`,
    )
    .where(sql`(sequence, reported) > (${placeholder('sequence')}, ${placeholder('reported')})`)
    .orderBy(sql`sequence`, sql`reported`)
    .limit(placeholder('limit')),
);
/** Where a page of a timeline starts: after the entry with this sequence and, for a late report, this time. */
export interface TimelinePosition {
  readonly sequence: number;
  readonly reported: number;
}
/** Events of one shipment of the company with the late reports between them, oldest first. */
export function timelinePage(scope: CompanyScope, shipmentId: Uuid, after: TimelinePosition, limit: number) {
  return selectTimeline({ companyId: scope.companyId, shipmentId, ...after, limit });
}

const selectCorrelated = read({ id: shipmentEvents.id }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, placeholder('shipmentId')),
        eq(shipmentEvents.companyId, placeholder('companyId')),
        eq(shipmentEvents.correlationId, placeholder('correlationId')),
      ),
    )
    .orderBy(asc(shipmentEvents.sequence)),
);
/** The events of the shipment that a request with this correlation id caused, oldest first. */
export function correlatedEvents(scope: CompanyScope, shipmentId: Uuid, correlationId: Uuid) {
  return selectCorrelated({ companyId: scope.companyId, shipmentId, correlationId });
}

const selectEventAt = read({ id: shipmentEvents.id }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, placeholder('shipmentId')),
        eq(shipmentEvents.sequence, placeholder('sequence')),
        eq(shipmentEvents.id, placeholder('id')),
        eq(shipmentEvents.companyId, placeholder('companyId')),
      ),
    ),
);
/** Returns one row if this event has this sequence in the history of the shipment. */
export function eventAt(scope: CompanyScope, event: Pick<ShipmentEventRow, 'shipmentId' | 'sequence' | 'id'>) {
  const { shipmentId, sequence, id } = event;
  return selectEventAt({ companyId: scope.companyId, shipmentId, sequence, id });
}
