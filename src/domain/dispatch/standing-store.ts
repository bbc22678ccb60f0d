import { and, eq, sql } from 'drizzle-orm';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { nationalAddresses } from '../../../db/shard/schema/national-addresses.ts';
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
  serviceLevelCode: shipments.serviceLevelCode,
  lengthCentimetres: shipments.lengthCentimetres,
  cityCode: shipments.pickupCityCode,
  held: shipments.held,
  addressGate: shipments.addressGate,
  dueAt: shipments.dueAt,
  addressStatus: nationalAddresses.status,
  readySince: shipments.readySince,
  searchSince: shipments.searchSince,
  searchOffers: shipments.searchOffers,
  lastRefusedDriverId: shipments.lastRefusedDriverId,
  changedAt: shipmentEvents.occurredAt,
  reasonCode: shipmentEvents.reasonCode,
  offersMade: shipments.searchOffers,
  declines: shipments.searchOffers,
  refusesDrivers: shipments.held,
};
// A query of one table leaves out the names of tables in its list, so this one is written out.
const shipmentId = sql`shipments.id`;
const selectStanding = read(standingColumns, (columns) =>
  queries
    .select({
      ...columns,
      changedAt: stateChangedAt(shipmentId).as('changed_at'),
      reasonCode:
        sql`(select reason_code from shipment_events where shipment_id = ${shipmentId} and type <> 'shipment.amended' order by sequence desc limit 1)`.as(
          'reason_code',
        ),
      offersMade: offersMade(shipmentId).as('offers_made'),
      declines: sql`(select count(*) from offers where shipment_id = ${shipmentId} and state = 'DECLINED')`.as(
        'declines',
      ),
      refusesDrivers: refusesDrivers(shipmentId).as('refuses_drivers'),
      addressStatus: sql`(select status from national_addresses where shipment_id = ${shipmentId})`.as(
        'address_status',
      ),
    })
    .from(shipments)
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
export type StandingRow = ReturnType<ReturnType<typeof selectStanding>['decode']>;
/** The search for a driver for a shipment of the company. */
export function standingOfCompany(scope: CompanyScope, shipmentId: Uuid) {
  return selectStanding({ companyId: scope.companyId, shipmentId });
}
