import { sql } from 'drizzle-orm';
import { lateReports } from '../../../db/shard/schema/late-reports.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { LateAction } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of what former drivers report. */

/** An operator took the shipment from the driver: the offer ended with that event. Withdrawn open offers ended with others. */
const isTakenOver = sql`exists (select 1 from offers join shipment_events taken on taken.shipment_id = offers.shipment_id
  and taken.occurred_at = offers.ended_at and taken.actor = 'OPERATOR' and taken.type in ('shipment.driver_changed', 'shipment.driver_released')
  where offers.shipment_id = ${placeholder('shipmentId')} and offers.driver_id = ${placeholder('driverId')} and offers.state = 'WITHDRAWN')`;
const selectTaken = read({ companyId: lateReports.companyId }, () =>
  queries
    .select({ companyId: sql`company_id` })
    .from(sql`shipments`)
    .where(sql`id = ${placeholder('shipmentId')} and ${isTakenOver}`),
);
/** A row with the company if an operator has taken this shipment from this driver. */
export function takenFrom(driverId: Uuid, shipmentId: Uuid) {
  return selectTaken({ driverId, shipmentId });
}

const insertReport = write(
  queries.insert(lateReports).select(
    sql`select id, ${placeholder('action')}, company_id, ${placeholder('driverId')}, version + 1, state, ${placeholder('reasonCode')}, ${placeholder('reportedAt')}
      from shipments where id = ${placeholder('shipmentId')} on conflict do nothing`,
  ),
);
export interface LateReport {
  readonly shipmentId: Uuid;
  readonly driverId: Uuid;
  readonly action: LateAction;
  readonly reasonCode: string | null;
  readonly reportedAt: Instant;
}
/** Writes the report, unless the same action was reported before. */
export function lateReportInsert(report: LateReport) {
  return insertReport({ ...report });
}
