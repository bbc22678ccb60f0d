import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { showsShipment } from '../../../db/shard/offers.ts';
import { drivers, offers, serviceLevels } from '../../../db/shard/schema/dispatch.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
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

const selectServiceLevels = read(columnsOf(serviceLevels), (columns) =>
  queries.select(columns).from(serviceLevels).orderBy(asc(serviceLevels.rank), asc(serviceLevels.code)),
);
/** Every service level of the shard. There are only a few. */
export function allServiceLevels() {
  return selectServiceLevels({});
}

const holdFirst = writeRow(
  queries
    .update(shipments)
    .set({ held: sql`1` })
    .where(
      sql`${shipments.id} in (select min(created.column1) from (values (${placeholder('shipmentId')}, ${placeholder('companyId')})) as created
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
export interface OfferOrder {
  readonly id: Uuid;
  readonly shipmentId: Uuid;
  readonly driverId: Uuid;
  readonly offeredAt: Instant;
  readonly expiresAt: Instant;
}
/**
 * Takes one of the driver’s places and inserts the offer, beside the change `offer` of the shipment. Refuses the unit if the
 * driver is full or off duty.
 */
export function offerStatements(order: OfferOrder) {
  return [takePlace({ driverId: order.driverId }), insertOffer({ ...order })];
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
/**
 * Beside the change `takeOver` of the shipment: ends the old offer and frees its place, takes a place of the new driver and
 * inserts an accepted offer. Refuses the unit if the new driver is full, off duty or blocked.
 */
export function takeOverStatements(order: OfferOrder) {
  const { shipmentId, driverId, offeredAt: now } = order;
  return [
    freePlace({ shipmentId, answer: null, now }),
    endOffer({ shipmentId, state: 'WITHDRAWN', now }),
    takePlace({ driverId }),
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
      sql`${drivers.id} = (select driver_id from offers where shipment_id = ${placeholder('shipmentId')} and ended_at is null)`,
    ),
);
const endOffer = write(
  queries
    .update(offers)
    .set({ state: sql`${placeholder('state')}`, endedAt: sql`${placeholder('now')}` })
    .where(and(eq(offers.shipmentId, placeholder('shipmentId')), isNull(offers.endedAt))),
  { mustChange: true },
);
/** Takes a shipment from its driver: frees the place and ends the offer, beside the change `refuse` or `withdraw`. */
export function withdrawalStatements(shipmentId: Uuid, state: OfferState, now: Instant) {
  const answer = state === 'EXPIRED' ? 'missed' : state === 'DECLINED' ? 'given' : null;
  return [freePlace({ shipmentId, answer, now }), endOffer({ shipmentId, state, now })];
}
/** Ends a driver's work on a shipment, which keeps the driver's id. */
export function completionStatements(shipmentId: Uuid, now: Instant) {
  return withdrawalStatements(shipmentId, 'COMPLETED', now);
}
