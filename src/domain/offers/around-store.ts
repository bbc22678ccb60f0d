import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import { pickupLocations } from '../../../db/shard/schema/places.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL that finds the drivers who could take a shipment, to explain why none does. */

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
const selectDriversIn = <Values extends Record<string, string>>(city: SQL) =>
  read<Values, typeof driverColumns>(driverColumns, (columns) =>
    queries
      .select(columns)
      .from(drivers)
      .where(
        or(
          and(isNull(drivers.companyId), eq(drivers.onDuty, 1), sql`${drivers.cityCode} = ${city}`),
          sql`${drivers.id} in (select ${sandboxes.driverId} from ${sandboxes} where ${sandboxes.companyId} = ${placeholder('companyId')})`,
        ),
      )
      .orderBy(asc(drivers.activeCount))
      .limit(COUNTED_DRIVERS_MAX),
  );
const selectAroundShipment = selectDriversIn<{ companyId: Uuid; shipmentId: Uuid }>(
  sql`(select ${shipments.pickupCityCode} from ${shipments} where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')})`,
);
export type DriverAround = ReturnType<ReturnType<typeof selectAroundShipment>['decode']>;
/** The drivers on duty in the city where the shipment is picked up, and the own driver of the company's sandbox. */
export function driversAround(scope: CompanyScope, shipmentId: Uuid) {
  return selectAroundShipment({ companyId: scope.companyId, shipmentId });
}

const selectAroundLocation = selectDriversIn<{ companyId: Uuid; pickupLocationCode: string }>(
  sql`(select ${pickupLocations.cityCode} from ${pickupLocations} where ${pickupLocations.companyId} = ${placeholder('companyId')} and ${pickupLocations.pickupLocationCode} = ${placeholder('pickupLocationCode')})`,
);
/** The same for a shipment that would be picked up at this location. */
export function driversAroundLocation(scope: CompanyScope, pickupLocationCode: string) {
  return selectAroundLocation({ companyId: scope.companyId, pickupLocationCode });
}
