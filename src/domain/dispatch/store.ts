import { and, asc, eq, isNotNull, isNull, lte, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { isInReach, type Reach } from '../../../db/shard/clocks.ts';
import { isAtHome, isStaying } from '../../../db/shard/moving.ts';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import { sandboxes, sandboxScenarios } from '../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { columnsOf, placeholder, queries, read, variants, writeRow } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type ShipmentRow, shipmentColumns } from '../shipments/store.ts';

/* The SQL of due work, for all companies of the shard. For alarm and sweep only. */

/** Whose due work is read, and now on their clock. `companyId` for one company only. */
export interface DueReach {
  readonly reach: Reach;
  readonly companyId: Uuid | null;
  readonly now: Instant;
}

/** A company that is about to move gets no new offers. A company that is moving gets no due work. */
export const mayMoveOn = sql`case ${shipments.state} when 'READY_FOR_DISPATCH' then ${isStaying(shipments.companyId)} else ${isAtHome(shipments.companyId)} end`;

const selectDue = variants((reach: Reach) =>
  read(shipmentColumns, (columns) =>
    queries
      .select(columns)
      .from(shipments)
      .where(
        and(
          isNotNull(shipments.dueAt),
          lte(shipments.dueAt, placeholder('now')),
          isInReach(reach, shipments.companyId),
          mayMoveOn,
        ),
      )
      .orderBy(asc(shipments.dueAt))
      .limit(placeholder('limit')),
  ),
);
/** Due shipments, the longest due first. */
export function shipmentsDue({ reach, companyId, now }: DueReach, limit: number) {
  return selectDue(reach)({ companyId, now, limit });
}

const nextDueColumns = { dueAt: shipments.dueAt };
const selectNextDue = variants((reach: Reach) =>
  read(nextDueColumns, (columns) =>
    queries
      .select(columns)
      .from(shipments)
      .where(and(isNotNull(shipments.dueAt), isInReach(reach, shipments.companyId), mayMoveOn))
      .orderBy(asc(shipments.dueAt))
      .limit(1),
  ),
);
/** When the next shipment is due. */
export function nextDue({ reach, companyId }: DueReach) {
  return selectNextDue(reach)({ companyId });
}

/** Shipments of the shard that wait for a driver now. */
export function isWaiting(now: SQL | Placeholder) {
  return and(
    isNotNull(shipments.readySince),
    sql`${shipments.readySince} <= ${now}`,
    isNull(shipments.driverId),
    isNull(shipments.endedAt),
    eq(shipments.held, 0),
  );
}
const anyColumns = { readySince: shipments.readySince };
const selectAnyWaiting = variants((reach: Reach) =>
  read(anyColumns, (columns) =>
    queries
      .select(columns)
      .from(shipments)
      .where(and(isWaiting(placeholder('now')), isInReach(reach, shipments.companyId)))
      .limit(1),
  ),
);
/** A row if any shipment waits for a driver. */
export function anyWaiting({ reach, companyId, now }: DueReach) {
  return selectAnyWaiting(reach)({ companyId, now });
}

const isFree = sql`${drivers.onDuty} = 1 and ${drivers.status} = 'ACTIVE' and ${drivers.activeCount} < ${drivers.activeMax} and (${drivers.idleSince} > ${placeholder('since')} or ${drivers.updatedAt} > ${placeholder('since')})`;
const selectWoken = variants((reach: Reach) =>
  read({ id: shipments.id }, (columns) =>
    queries
      .select(columns)
      .from(shipments)
      .where(
        and(
          isWaiting(placeholder('now')),
          eq(shipments.state, 'READY_FOR_DISPATCH'),
          isStaying(shipments.companyId),
          isInReach(reach, shipments.companyId),
          or(
            sql`${shipments.pickupCityCode} in (select ${drivers.cityCode} from ${drivers} where ${drivers.companyId} is null and ${isFree})`,
            sql`${shipments.companyId} in (select ${drivers.companyId} from ${drivers} where ${drivers.companyId} is not null and ${isFree})`,
          ),
        ),
      )
      .orderBy(asc(shipments.readySince))
      .limit(placeholder('limit')),
  ),
);
/** Waiting shipments of cities (or sandboxes) where a driver has become free since then, the longest waiting first. */
export function shipmentsWoken({ reach, companyId, now }: DueReach, since: Instant, limit: number) {
  return selectWoken(reach)({ companyId, since, now, limit });
}

const selectReady = read(shipmentColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(
      and(
        sql`${shipments.id} in (select value from json_each(${placeholder('shipmentIds')}))`,
        eq(shipments.state, 'READY_FOR_DISPATCH'),
      ),
    )
    .limit(placeholder('limit')),
);
/** Those of these shipments that still wait for a driver. */
export function shipmentsReady(shipmentIds: readonly Uuid[], limit: number) {
  return selectReady({ shipmentIds: JSON.stringify(shipmentIds), limit });
}

/** Whether a sandbox's scenario NO_DRIVER, which has not ended, lets nobody have the shipment. */
export function refusesDrivers(shipmentId: SQL): SQL {
  return sql`exists (select 1 from ${sandboxScenarios} where ${sandboxScenarios.shipmentId} = ${shipmentId} and ${sandboxScenarios.name} = 'NO_DRIVER' and ${sandboxScenarios.dueAt} is not null)`;
}

const ofTheseShipments = sql`${shipments.id} in (select value from json_each(${placeholder('shipmentIds')}))`;
const waitingColumns = {
  shipmentId: shipments.id,
  companyId: shipments.companyId,
  serviceLevelCode: shipments.serviceLevelCode,
  cityCode: shipments.pickupCityCode,
  lengthCentimetres: shipments.lengthCentimetres,
  dueAt: shipments.dueAt,
  addressGate: shipments.addressGate,
  readySince: shipments.readySince,
  searchSince: shipments.searchSince,
  searchOffers: shipments.searchOffers,
  /** 1 if a sandbox's scenario lets nobody have it. Has the type of a column. */
  refusesDrivers: shipments.held,
  lastRefusedDriverId: shipments.lastRefusedDriverId,
  /** JSON array of the drivers who declined or ignored offers of this search, once for each offer. Has the type of a text. */
  refusals: shipments.pickupCityCode,
  requirements: shipments.requirements,
  totalWeightKilograms: shipments.totalWeightKilograms,
  pickup: shipments.pickup,
};
// A query of one table leaves out the names of tables in its list, so these are written out.
const refusalsOfSearch = sql`(select json_group_array(o.driver_id) from offers as o
  where shipments.search_offers > 0 and o.shipment_id = shipments.id and o.offered_at >= shipments.search_since and o.state in ('DECLINED', 'EXPIRED'))`;
const selectWaiting = read(waitingColumns, (columns) =>
  queries
    .select({
      ...columns,
      refusesDrivers: refusesDrivers(sql`shipments.id`).as('refuses_drivers'),
      refusals: refusalsOfSearch.as('refusals'),
    })
    .from(shipments)
    .where(ofTheseShipments),
);
export type WaitingRow = ReturnType<ReturnType<typeof selectWaiting>['decode']>;
/** The data that dispatch needs about waiting shipments. */
export function waitingByIds(shipmentIds: readonly Uuid[]) {
  return selectWaiting({ shipmentIds: JSON.stringify(shipmentIds) });
}

/** Drivers of one city that one run considers. In a larger city, the least busy ones are enough to choose from. */
const CANDIDATES_OF_CITY_MAX = 500;
/** Numbered in each city, so that a large city does not use up the rows of the others. */
const availableByCity = queries
  .select({
    id: drivers.id,
    place:
      sql`row_number() over (partition by ${drivers.cityCode} order by ${drivers.activeCount}, ${drivers.idleSince})`.as(
        'place',
      ),
  })
  .from(drivers)
  .where(
    and(
      isNull(drivers.companyId),
      eq(drivers.onDuty, 1),
      eq(drivers.status, 'ACTIVE'),
      sql`${drivers.activeCount} < ${drivers.activeMax}`,
      sql`${drivers.cityCode} in (select ${shipments.pickupCityCode} from ${shipments} where ${ofTheseShipments})`,
    ),
  );
const selectAvailable = read(columnsOf(drivers), (columns) =>
  queries
    .select(columns)
    .from(drivers)
    .where(
      or(
        sql`${drivers.id} in (select id from (${availableByCity}) where place <= ${placeholder('limit')})`,
        // Available or not: a sandbox's shipments go to its own driver only, so the plan must know that the driver exists.
        sql`${drivers.id} in (select ${sandboxes.driverId} from ${sandboxes} where ${sandboxes.companyId} in (select ${shipments.companyId} from ${shipments} where ${ofTheseShipments}))`,
      ),
    ),
);
/** Drivers of these shipments' cities with free capacity, and the own drivers of their companies' sandboxes. */
export function availableDrivers(shipmentIds: readonly Uuid[]) {
  return selectAvailable({ shipmentIds: JSON.stringify(shipmentIds), limit: CANDIDATES_OF_CITY_MAX });
}

// Shipments that find no driver are postponed repeatedly, so many are written in one statement.
const postpone = writeRow(
  queries
    .update(shipments)
    .set({ dueAt: sql`later.column3` })
    .from(
      sql`(values (${placeholder('shipmentId')}, ${placeholder('version')}, ${placeholder('dueAt')}, ${placeholder('readDueAt')})) as later`,
    )
    .where(
      sql`${shipments.id} = later.column1 and ${shipments.version} = later.column2 and ${shipments.dueAt} is later.column4`,
    ),
  { mustChange: true },
);
/**
 * Sets the time of the next search, or null for none, without a change of state or an event. Refused if the shipment
 * has changed since it was read, or what is due for it: the gate of its National Address changes that without a new version.
 */
export function postponement(
  { id: shipmentId, version, dueAt: readDueAt }: Pick<ShipmentRow, 'id' | 'version' | 'dueAt'>,
  dueAt: Instant | null,
) {
  return postpone({ shipmentId, version, dueAt, readDueAt });
}
