import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { dispatches, drivers } from '../../../db/shard/schema/dispatch.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { shipmentEvents, shipments } from '../../../db/shard/schema/shipments.ts';
import { queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import { offersMade, stateChangedAt } from '../shipments/store.ts';
import { refusesDrivers } from './store.ts';

/* The SQL behind "why is there no driver". */

const place = sql.placeholder;

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
    .where(and(eq(shipments.id, place('shipmentId')), eq(shipments.companyId, place('companyId')))),
);
export type StandingRow = ReturnType<ReturnType<typeof selectStanding>['decode']>;
/** The search for a driver for a shipment of the company. */
export function standingOfCompany(scope: CompanyScope, shipmentId: Uuid) {
  return selectStanding({ companyId: scope.companyId, shipmentId });
}

/** More drivers of one city are not counted. */
const COUNTED_DRIVERS_MAX = 500;
const driverColumns = {
  id: drivers.id,
  companyId: drivers.companyId,
  capabilities: drivers.capabilities,
  weightKilogramsMax: drivers.weightKilogramsMax,
  lengthCentimetresMax: drivers.lengthCentimetresMax,
  onDuty: drivers.onDuty,
  status: drivers.status,
  activeCount: drivers.activeCount,
  activeMax: drivers.activeMax,
};
const selectDriversAround = read(driverColumns, (columns) =>
  queries
    .select(columns)
    .from(drivers)
    .where(
      or(
        and(
          isNull(drivers.companyId),
          eq(drivers.onDuty, 1),
          sql`${drivers.cityCode} = (select ${dispatches.cityCode} from ${dispatches} where ${dispatches.shipmentId} = ${place('shipmentId')} and ${dispatches.companyId} = ${place('companyId')})`,
        ),
        sql`${drivers.id} in (select ${sandboxes.driverId} from ${sandboxes} where ${sandboxes.companyId} = ${place('companyId')})`,
      ),
    )
    .orderBy(asc(drivers.activeCount))
    .limit(COUNTED_DRIVERS_MAX),
);
export type DriverAround = ReturnType<ReturnType<typeof selectDriversAround>['decode']>;
/** The drivers on duty in the city where the shipment is picked up, and the own driver of the company's sandbox. */
export function driversAround(scope: CompanyScope, shipmentId: Uuid) {
  return selectDriversAround({ companyId: scope.companyId, shipmentId });
}
