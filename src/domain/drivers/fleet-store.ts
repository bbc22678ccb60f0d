import { and, desc, eq, sql } from 'drizzle-orm';
import { driverPhones } from '../../../db/directory/schema/drivers.ts';
import { drivers, serviceLevels } from '../../../db/shard/schema/dispatch.ts';
import { columnsOf, placeholder, placesOf, queries, read, setOf, write } from '../../../db/statement.ts';
import type { DriverStatus } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DriverRow, ServiceLevelRow } from '../offers/store.ts';
import type { Position } from '../page.ts';

/*
 * The SQL of the fleet as operators manage it. The fleet belongs to the shard and its phones to the directory, not to a
 * company.
 */

/** A column that a statement sets to the placeholder of the same name. */
const given = (name: string) => sql`${placeholder(name)}`;

export type DriverPhoneRow = typeof driverPhones.$inferSelect;

const selectServiceLevel = read(columnsOf(serviceLevels), (columns) =>
  queries
    .select(columns)
    .from(serviceLevels)
    .where(eq(serviceLevels.code, placeholder('code'))),
);
export function serviceLevelByCode(code: string) {
  return selectServiceLevel({ code });
}

const selectActiveLevel = read({ code: serviceLevels.code }, (columns) =>
  queries.select(columns).from(serviceLevels).where(eq(serviceLevels.status, 'ACTIVE')).limit(1),
);
const selectActiveDriver = read({ id: drivers.id }, (columns) =>
  queries.select(columns).from(drivers).where(eq(drivers.status, 'ACTIVE')).limit(1),
);
/** Two reads of a shard: a row if it has an active service level, and a row if it has an active driver. */
export function activeFleet() {
  return [selectActiveLevel({}), selectActiveDriver({})] as const;
}

const insertServiceLevel = write(queries.insert(serviceLevels).values(placesOf(serviceLevels)));
/** Refuses the unit if the code exists. */
export function serviceLevelInsert(row: ServiceLevelRow) {
  return insertServiceLevel({ ...row });
}

const updateServiceLevel = write(
  queries
    .update(serviceLevels)
    .set(setOf(serviceLevels, ['code', 'createdAt']))
    .where(and(eq(serviceLevels.code, placeholder('code')), eq(serviceLevels.version, placeholder('seenVersion')))),
  { mustChange: true },
);
/** Refuses the unit unless the row still has the expected version. */
export function serviceLevelUpdate(row: ServiceLevelRow) {
  return updateServiceLevel({ ...row, seenVersion: row.version - 1 });
}

const selectPhone = read(columnsOf(driverPhones), (columns) =>
  queries
    .select(columns)
    .from(driverPhones)
    .where(eq(driverPhones.phone, placeholder('phone'))),
);
/** The driver with this phone, and the shard. In the directory. */
export function driverPhoneByPhone(phone: string) {
  return selectPhone({ phone });
}

const insertPhone = write(queries.insert(driverPhones).values(placesOf(driverPhones)));
/** Registers a phone in the directory. Refuses the unit if the phone is already registered. */
export function driverPhoneInsert(row: DriverPhoneRow) {
  return insertPhone({ ...row });
}

const deletePhone = write(
  queries
    .delete(driverPhones)
    .where(and(eq(driverPhones.phone, placeholder('phone')), eq(driverPhones.driverId, placeholder('driverId')))),
);
/** Removes a phone of a driver from the directory. */
export function driverPhoneDelete(phone: string, driverId: Uuid) {
  return deletePhone({ phone, driverId });
}

const selectDriver = read(columnsOf(drivers), (columns) =>
  queries
    .select(columns)
    .from(drivers)
    .where(eq(drivers.id, placeholder('id'))),
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
        sql`(${placeholder('cityCode')} is null or ${drivers.cityCode} = ${placeholder('cityCode')})`,
        sql`(${placeholder('status')} is null or ${drivers.status} = ${placeholder('status')})`,
        sql`(${placeholder('createdAt')} is null or (${drivers.createdAt}, ${drivers.id}) < (${placeholder('createdAt')}, ${placeholder('id')}))`,
      ),
    )
    .orderBy(desc(drivers.createdAt), desc(drivers.id))
    .limit(placeholder('limit')),
);
/** Drivers of the shard, newest first. There are some thousands and reads are rare, so no index serves this. */
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
/** Inserts a driver. Refuses the unit if the id or the phone exists. */
export function driverInsert(row: DriverRow) {
  return insertDriver({ ...row });
}

const isSeen = and(eq(drivers.id, placeholder('id')), eq(drivers.version, placeholder('seenVersion')));
/** Columns that never change, or that dispatch, the driver's app and a change of the phone write. */
const WRITTEN_BY_OTHERS = [
  ...(['id', 'companyId', 'createdAt', 'phone', 'activeCount', 'idleSince'] as const),
  ...(['latitude', 'longitude', 'positionAt'] as const),
  ...(['missedOffers', 'seenAt'] as const),
] as const;
/** A limit is lowered at most to the number of active shipments. A follow-up may have exceeded it. */
const hasRoom = sql`${placeholder('activeMax')} >= min(${drivers.activeMax}, ${drivers.activeCount})`;
const updateDriver = write(queries.update(drivers).set(setOf(drivers, WRITTEN_BY_OTHERS)).where(and(isSeen, hasRoom)), {
  mustChange: true,
});
/**
 * Writes the columns that operators set. Refuses the unit unless the row has the expected version, or if it lowers `activeMax` below the number of active shipments.
 */
export function driverUpdate(row: DriverRow) {
  return updateDriver({ ...row, seenVersion: row.version - 1 });
}

const updatePhone = write(
  queries
    .update(drivers)
    .set({ phone: given('phone'), onDuty: given('onDuty'), updatedAt: given('updatedAt'), version: given('version') })
    .where(isSeen),
  { mustChange: true },
);
/** Writes the phone and the duty. Refuses the unit unless the row has the expected version, or if another driver of the shard has the phone. */
export function driverPhoneUpdate({ id, phone, onDuty, updatedAt, version }: DriverRow) {
  return updatePhone({ id, phone, onDuty, updatedAt, version, seenVersion: version - 1 });
}

const markIdle = write(
  queries
    .update(drivers)
    .set({ idleSince: given('now'), seenAt: given('now'), missedOffers: sql`0` })
    .where(eq(drivers.id, placeholder('id'))),
);
/** Restarts the times of a driver who goes on duty, so that time off duty counts neither as idle nor as silent. */
export function idleMark(id: Uuid, now: Instant) {
  return markIdle({ id, now });
}
