import { sql } from 'drizzle-orm';
import { lateReports } from '../../../db/shard/schema/late-reports.ts';
import { queries, read, write } from '../../../db/statement.ts';
import type { LateAction } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of what former drivers report. */

const place = sql.placeholder;

/** An operator took the shipment from the driver: the offer ended with that event. Withdrawn open offers ended with others. */
const isTakenOver = sql`exists (select 1 from offers join shipment_events taken on taken.shipment_id = offers.shipment_id
  and taken.occurred_at = offers.ended_at and taken.actor = 'OPERATOR' and taken.type in ('shipment.driver_changed', 'shipment.driver_released')
  where offers.shipment_id = ${place('shipmentId')} and offers.driver_id = ${place('driverId')} and offers.state = 'WITHDRAWN')`;
const selectTaken = read({ companyId: lateReports.companyId }, () =>
  queries
    .select({ companyId: sql`company_id` })
    .from(sql`shipments`)
    .where(sql`id = ${place('shipmentId')} and ${isTakenOver}`),
);
/** A row with the company if an operator has taken this shipment from this driver. */
export function takenFrom(driverId: Uuid, shipmentId: Uuid) {
  return selectTaken({ driverId, shipmentId });
}

const insertReport = write(
  queries.insert(lateReports).select(
    sql`select id, ${place('action')}, company_id, ${place('driverId')}, version + 1, state, ${place('reasonCode')}, ${place('reportedAt')}
      from shipments where id = ${place('shipmentId')} on conflict do nothing`,
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
