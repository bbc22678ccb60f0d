import { and, eq, sql } from 'drizzle-orm';
import { dispatches } from '../../../db/shard/schema/dispatch.ts';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import { offersMade, stateChangedAt } from '../shipments/store.ts';
import { refusesDrivers } from './store.ts';

/* The SQL behind "why is there no driver". */

/** Each computed value uses the type of a column. */
const standingColumns = {
  state: shipments.state,
  searchFrom: shipments.searchFrom,
  requirements: shipments.requirements,
  destination: shipments.destination,
  totalWeightKilograms: shipments.totalWeightKilograms,
  serviceLevelCode: dispatches.serviceLevelCode,
  lengthCentimetres: dispatches.lengthCentimetres,
  cityCode: dispatches.cityCode,
  held: dispatches.held,
  readySince: dispatches.readySince,
  searchSince: dispatches.searchSince,
  lastRefusedDriverId: dispatches.lastRefusedDriverId,
  changedAt: shipmentEvents.occurredAt,
  reasonCode: shipmentEvents.reasonCode,
  offersMade: dispatches.searchOffers,
  declines: dispatches.searchOffers,
  refusesDrivers: dispatches.held,
};
const selectStanding = read(standingColumns, (columns) =>
  queries
    .select({
      ...columns,
      changedAt: stateChangedAt(sql`${shipments.id}`).as('changed_at'),
      reasonCode:
        sql`(select reason_code from shipment_events where shipment_id = ${shipments.id} order by sequence desc limit 1)`.as(
          'reason_code',
        ),
      offersMade: offersMade(sql`${shipments.id}`).as('offers_made'),
      declines: sql`(select count(*) from offers where shipment_id = ${shipments.id} and state = 'DECLINED')`.as(
        'declines',
      ),
      refusesDrivers: refusesDrivers(sql`${shipments.id}`).as('refuses_drivers'),
    })
    .from(shipments)
    .innerJoin(dispatches, eq(dispatches.shipmentId, shipments.id))
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
export type StandingRow = ReturnType<ReturnType<typeof selectStanding>['decode']>;
/** The search for a driver for a shipment of the company. */
export function standingOfCompany(scope: CompanyScope, shipmentId: Uuid) {
  return selectStanding({ companyId: scope.companyId, shipmentId });
}
