import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { showsShipment } from '../../../db/shard/offers.ts';
import { dispatches, drivers, offers, serviceLevels } from '../../../db/shard/schema/dispatch.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { checkRow, columnsOf, placeholder, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { OfferState } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/*
 * The SQL of dispatch. It serves the shard, not a company: service levels and drivers belong to the shard's operator.
 * Statements that change a shipment run in the unit of a command that was decided on it.
 */

export type ServiceLevelRow = typeof serviceLevels.$inferSelect;
export type DriverRow = typeof drivers.$inferSelect;
export type DispatchRow = typeof dispatches.$inferSelect;

const selectServiceLevels = read(columnsOf(serviceLevels), (columns) =>
  queries.select(columns).from(serviceLevels).orderBy(asc(serviceLevels.rank), asc(serviceLevels.code)),
);
/** Every service level of the shard. There are only a few. */
export function allServiceLevels() {
  return selectServiceLevels({});
}

const insertDispatch = writeRow(
  queries.insert(dispatches).values({
    shipmentId: placeholder('shipmentId'),
    companyId: placeholder('companyId'),
    serviceLevelCode: placeholder('serviceLevelCode'),
    cityCode: placeholder('cityCode'),
    lengthCentimetres: placeholder('lengthCentimetres'),
    held: 0,
    readySince: null,
    searchSince: null,
    searchOffers: sql`0`,
    driverId: null,
    lastRefusedDriverId: null,
    endedAt: null,
  }),
);
/** The dispatch row of a new shipment. */
export function dispatchInsert(
  row: Pick<DispatchRow, 'shipmentId' | 'companyId' | 'serviceLevelCode' | 'cityCode' | 'lengthCentimetres'>,
) {
  return insertDispatch({ ...row });
}

const holdFirst = writeRow(
  queries
    .update(dispatches)
    .set({ held: sql`1` })
    .where(
      sql`${dispatches.shipmentId} in (select min(created.column1) from (values (${placeholder('shipmentId')}, ${placeholder('companyId')})) as created
        cross join ${sandboxes} on ${sandboxes.companyId} = created.column2 and ${sandboxes.dispatchHeld} = 1 group by created.column2)`,
    ),
);
const consumeHold = writeRow(
  queries
    .update(sandboxes)
    .set({ dispatchHeld: sql`0` })
    .where(sql`${sandboxes.dispatchHeld} = 1 and ${sandboxes.companyId} in (values (${placeholder('companyId')}))`),
);
/**
 * Holds this shipment if the company's sandbox holds the next one. Of shipments that are created together, only the
 * first.
 */
export function holdStatements(shipmentId: Uuid, companyId: Uuid) {
  return [holdFirst({ shipmentId, companyId }), consumeHold({ companyId })];
}

const insertOffer = write(
  queries.insert(offers).values({
    id: placeholder('id'),
    shipmentId: placeholder('shipmentId'),
    driverId: placeholder('driverId'),
    state: 'OPEN',
    offeredAt: placeholder('offeredAt'),
    expiresAt: placeholder('expiresAt'),
    endedAt: null,
  }),
);
const takePlace = write(
  queries
    .update(drivers)
    .set({ activeCount: sql`${drivers.activeCount} + 1` })
    .where(
      and(
        eq(drivers.id, placeholder('driverId')),
        eq(drivers.onDuty, 1),
        eq(drivers.status, 'ACTIVE'),
        sql`${drivers.activeCount} < ${drivers.activeMax}`,
      ),
    ),
  { mustChange: true },
);
const assignDriver = write(
  queries
    .update(dispatches)
    .set({ driverId: sql`${placeholder('driverId')}`, searchOffers: sql`${dispatches.searchOffers} + 1` })
    .where(
      and(
        eq(dispatches.shipmentId, placeholder('shipmentId')),
        // A shipment is with one driver at a time.
        isNull(dispatches.driverId),
        // The driver may have declined since the offer was planned.
        sql`${dispatches.lastRefusedDriverId} is not ${placeholder('driverId')}`,
      ),
    ),
  { mustChange: true },
);
export interface OfferOrder {
  readonly id: Uuid;
  readonly shipmentId: Uuid;
  readonly driverId: Uuid;
  readonly offeredAt: Instant;
  readonly expiresAt: Instant;
}
/**
 * Offers a shipment to a driver: takes one of the driver’s places and inserts the offer. Refuses the unit if the driver is
 * full or off duty, was the last to refuse the shipment, or if another driver has it.
 */
export function offerStatements(order: OfferOrder) {
  return [takePlace({ driverId: order.driverId }), assignDriver({ ...order }), insertOffer({ ...order })];
}

const insertAccepted = write(
  queries.insert(offers).values({
    id: placeholder('id'),
    shipmentId: placeholder('shipmentId'),
    driverId: placeholder('driverId'),
    state: 'ACCEPTED',
    offeredAt: placeholder('offeredAt'),
    expiresAt: placeholder('expiresAt'),
    endedAt: null,
  }),
);
const changeDriver = write(
  queries
    .update(dispatches)
    .set({ lastRefusedDriverId: sql`${dispatches.driverId}`, driverId: sql`${placeholder('driverId')}` })
    .where(
      and(
        eq(dispatches.shipmentId, placeholder('shipmentId')),
        sql`${dispatches.driverId} <> ${placeholder('driverId')}`,
      ),
    ),
  { mustChange: true },
);
/**
 * Gives a shipment from its driver to another one: ends the old offer and frees its place, takes a place of the new driver
 * and inserts an accepted offer. Refuses the unit if the new driver is full, off duty or blocked, or has the shipment.
 */
export function takeOverStatements(order: OfferOrder) {
  const { shipmentId, driverId, offeredAt: now } = order;
  return [
    freePlace({ shipmentId, answer: null, now }),
    endOffer({ shipmentId, state: 'WITHDRAWN', now }),
    takePlace({ driverId }),
    changeDriver({ ...order }),
    insertAccepted({ ...order }),
  ];
}

const acceptOffer = write(
  queries
    .update(offers)
    .set({ state: sql`'ACCEPTED'` })
    .where(
      and(
        eq(offers.shipmentId, placeholder('shipmentId')),
        eq(offers.driverId, placeholder('driverId')),
        eq(offers.state, 'OPEN'),
        sql`${offers.expiresAt} > ${placeholder('now')}`,
      ),
    ),
  { mustChange: true },
);
const forgetMisses = write(
  queries
    .update(drivers)
    .set({ missedOffers: sql`0` })
    .where(sql`${drivers.id} = ${placeholder('driverId')} and ${drivers.missedOffers} > 0`),
);
/** Accepts the open offer. Refuses the unit if the offer is another driver’s, not open or expired. */
export function acceptanceStatements(shipmentId: Uuid, driverId: Uuid, now: Instant) {
  return [acceptOffer({ shipmentId, driverId, now }), forgetMisses({ driverId })];
}

const requireDriver = checkRow(
  sql`select 1 from (values (${placeholder('shipmentId')}, ${placeholder('driverId')})) as held where not exists (
    select 1 from ${offers} where ${offers.shipmentId} = held.column1 and ${offers.driverId} = held.column2 and ${offers.endedAt} is null)`,
);
/** Refuses the unit unless this driver has the shipment. */
export function driverGuard(shipmentId: Uuid, driverId: Uuid) {
  return requireDriver({ shipmentId, driverId });
}

const selectHeld = read({ id: offers.id }, (columns) => queries.select(columns).from(offers).where(showsShipment));
/** Returns one row if the driver has the shipment, or had it until its end. */
export function heldShipment(driverId: Uuid, shipmentId: Uuid) {
  return selectHeld({ driverId, shipmentId });
}

const freePlace = write(
  queries
    .update(drivers)
    .set({
      activeCount: sql`${drivers.activeCount} - 1`,
      idleSince: sql`${placeholder('now')}`,
      missedOffers: sql`case ${placeholder('answer')} when 'missed' then ${drivers.missedOffers} + 1 when 'given' then 0 else ${drivers.missedOffers} end`,
    })
    .where(
      sql`${drivers.id} = (select ${dispatches.driverId} from ${dispatches} where ${dispatches.shipmentId} = ${placeholder('shipmentId')})`,
    ),
);
const endOffer = write(
  queries
    .update(offers)
    .set({ state: sql`${placeholder('state')}`, endedAt: sql`${placeholder('now')}` })
    .where(and(eq(offers.shipmentId, placeholder('shipmentId')), isNull(offers.endedAt))),
  { mustChange: true },
);
const unassignDriver = write(
  queries
    .update(dispatches)
    .set({
      lastRefusedDriverId: sql`case when ${placeholder('isRefusal')} = 1 then ${dispatches.driverId} else ${dispatches.lastRefusedDriverId} end`,
      driverId: sql`null`,
    })
    .where(eq(dispatches.shipmentId, placeholder('shipmentId'))),
);
/** Takes a shipment from its driver: ends the offer, frees the place and records a refusal. */
export function withdrawalStatements(shipmentId: Uuid, state: OfferState, isRefusal: boolean, now: Instant) {
  const answer = state === 'EXPIRED' ? 'missed' : state === 'DECLINED' ? 'given' : null;
  return [
    freePlace({ shipmentId, answer, now }),
    endOffer({ shipmentId, state, now }),
    unassignDriver({ shipmentId, isRefusal: isRefusal ? 1 : 0 }),
  ];
}
/** Ends a driver's work on a shipment: frees the place and keeps the driver's id on the dispatch row. */
export function completionStatements(shipmentId: Uuid, now: Instant) {
  return [freePlace({ shipmentId, answer: null, now }), endOffer({ shipmentId, state: 'COMPLETED', now })];
}

const markReady = writeRow(
  queries
    .update(dispatches)
    .set({
      readySince: sql`moved.column2`,
      searchSince: sql`case when moved.column3 = 1 then moved.column2 else ${dispatches.searchSince} end`,
      searchOffers: sql`case when moved.column3 = 1 then 0 else ${dispatches.searchOffers} end`,
    })
    .from(sql`(values (${placeholder('shipmentId')}, ${placeholder('since')}, ${placeholder('isNewSearch')})) as moved`)
    .where(sql`${dispatches.shipmentId} = moved.column1`),
);
/** Makes the shipment wait for a driver from this time on, in the same search or in a new one. */
export function readyMark(shipmentId: Uuid, since: Instant, isNewSearch: boolean) {
  return markReady({ shipmentId, since, isNewSearch: isNewSearch ? 1 : 0 });
}

const unmarkReady = write(
  queries
    .update(dispatches)
    .set({ readySince: sql`null` })
    .where(eq(dispatches.shipmentId, placeholder('shipmentId'))),
);
/** Ends the wait for a driver. */
export function waitEnd(shipmentId: Uuid) {
  return unmarkReady({ shipmentId });
}

const updateServiceLevel = write(
  queries
    .update(dispatches)
    .set({ serviceLevelCode: sql`${placeholder('serviceLevelCode')}` })
    .where(eq(dispatches.shipmentId, placeholder('shipmentId'))),
);
/** Changes the service level of the shipment; null if none can carry it. */
export function levelAssignment(shipmentId: Uuid, serviceLevelCode: string | null) {
  return updateServiceLevel({ shipmentId, serviceLevelCode });
}

const markEnded = writeRow(
  queries
    .update(dispatches)
    .set({ endedAt: sql`moved.column2` })
    .from(sql`(values (${placeholder('shipmentId')}, ${placeholder('now')})) as moved`)
    .where(sql`${dispatches.shipmentId} = moved.column1`),
);
export function endMark(shipmentId: Uuid, now: Instant) {
  return markEnded({ shipmentId, now });
}
