import { and, desc, eq, sql } from 'drizzle-orm';
import { driverPhones } from '../../../db/directory/schema/drivers.ts';
import { drivers, serviceLevels } from '../../../db/shard/schema/dispatch.ts';
import { columnsOf, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { DriverStatus } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DriverRow, ServiceLevelRow } from '../offers/store.ts';
import type { Position } from '../page.ts';

/* The SQL of the fleet as operators manage it. It belongs to the shard, and its phones to the directory; to no company. */

const place = sql.placeholder;
/** A column that a statement sets to the value under its own name. */
const given = (name: string) => sql`${place(name)}`;

export type DriverPhoneRow = typeof driverPhones.$inferSelect;

const selectServiceLevel = read(columnsOf(serviceLevels), (columns) =>
  queries
    .select(columns)
    .from(serviceLevels)
    .where(eq(serviceLevels.code, place('code'))),
);
export function serviceLevelByCode(code: string) {
  return selectServiceLevel({ code });
}

const insertServiceLevel = write(queries.insert(serviceLevels).values(placesOf(serviceLevels)));
/** A code that is there already refuses the unit. */
export function serviceLevelInsert(row: ServiceLevelRow) {
  return insertServiceLevel({ ...row });
}

const updateServiceLevel = write(
  queries
    .update(serviceLevels)
    .set({
      capabilities: given('capabilities'),
      weightKilogramsMax: given('weightKilogramsMax'),
      lengthCentimetresMax: given('lengthCentimetresMax'),
      cities: given('cities'),
      rank: given('rank'),
      status: given('status'),
      updatedAt: given('updatedAt'),
      version: given('version'),
    })
    .where(and(eq(serviceLevels.code, place('code')), eq(serviceLevels.version, place('seenVersion')))),
  { mustChange: true },
);
/** Refuses the unit unless the row is still of the version before. */
export function serviceLevelUpdate(row: ServiceLevelRow) {
  return updateServiceLevel({ ...row, seenVersion: row.version - 1 });
}

const selectPhone = read(columnsOf(driverPhones), (columns) =>
  queries
    .select(columns)
    .from(driverPhones)
    .where(eq(driverPhones.phone, place('phone'))),
);
/** The driver with this phone, and the shard. In the directory. */
export function driverPhoneByPhone(phone: string) {
  return selectPhone({ phone });
}

const insertPhone = write(queries.insert(driverPhones).values(placesOf(driverPhones)));
/** A phone that is registered already refuses the unit. In the directory. */
export function driverPhoneInsert(row: DriverPhoneRow) {
  return insertPhone({ ...row });
}

const selectDriver = read(columnsOf(drivers), (columns) =>
  queries
    .select(columns)
    .from(drivers)
    .where(eq(drivers.id, place('id'))),
);
export function fleetDriverById(id: Uuid) {
  return selectDriver({ id });
}

export interface DriverFilter {
  readonly cityCode?: string | undefined;
  readonly status?: DriverStatus | undefined;
}
const selectDrivers = read(columnsOf(drivers), (columns) =>
  queries
    .select(columns)
    .from(drivers)
    .where(
      and(
        sql`(${place('cityCode')} is null or ${drivers.cityCode} = ${place('cityCode')})`,
        sql`(${place('status')} is null or ${drivers.status} = ${place('status')})`,
        sql`(${place('createdAt')} is null or (${drivers.createdAt}, ${drivers.id}) < (${place('createdAt')}, ${place('id')}))`,
      ),
    )
    .orderBy(desc(drivers.createdAt), desc(drivers.id))
    .limit(place('limit')),
);
/** Drivers of the shard, newest first. Some thousands, looked through now and then, so no index serves this. */
export function driverPage(filter: DriverFilter, after: Position | undefined, limit: number) {
  return selectDrivers({
    cityCode: filter.cityCode ?? null,
    status: filter.status ?? null,
    createdAt: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const insertDriver = write(queries.insert(drivers).values(placesOf(drivers)));
/** An id or a phone that is there already refuses the unit. */
export function driverInsert(row: DriverRow) {
  return insertDriver({ ...row });
}

const isSeen = and(eq(drivers.id, place('id')), eq(drivers.version, place('seenVersion')));
const updateDriver = write(
  queries
    .update(drivers)
    .set({
      firstName: given('firstName'),
      vehicleType: given('vehicleType'),
      capabilities: given('capabilities'),
      weightKilogramsMax: given('weightKilogramsMax'),
      lengthCentimetresMax: given('lengthCentimetresMax'),
      cityCode: given('cityCode'),
      activeMax: given('activeMax'),
      status: given('status'),
      onDuty: given('onDuty'),
      updatedAt: given('updatedAt'),
      version: given('version'),
    })
    .where(isSeen),
  { mustChange: true },
);
/**
 * Writes what operators decide, and no column that dispatch or the driver’s app writes. Refuses the unit unless the row has
 * the version before, or if the driver has more active shipments than `activeMax`.
 */
export function driverUpdate(row: DriverRow) {
  const { id, firstName, vehicleType, capabilities, weightKilogramsMax, lengthCentimetresMax, cityCode } = row;
  const terms = { firstName, vehicleType, capabilities, weightKilogramsMax, lengthCentimetresMax, cityCode };
  const { activeMax, status, onDuty, updatedAt, version } = row;
  return updateDriver({ id, ...terms, activeMax, status, onDuty, updatedAt, version, seenVersion: version - 1 });
}

const markIdle = write(
  queries
    .update(drivers)
    .set({ idleSince: given('now') })
    .where(eq(drivers.id, place('id'))),
);
/** Starts the idle time anew when a driver comes on duty, so that time off duty does not count as waiting. */
export function idleMark(id: Uuid, now: Instant) {
  return markIdle({ id, now });
}
