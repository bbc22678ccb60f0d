import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { drivers, offers } from '../../../db/shard/schema/dispatch.ts';
import { followUps, resolutions } from '../../../db/shard/schema/resolutions.ts';
import { shipments, stageOf } from '../../../db/shard/schema/shipments.ts';
import { laterCharges, shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ResolutionKind } from '../../contract/resolution-state.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ShipmentRow } from './store.ts';

/* The SQL of what follows a failed delivery. */

export type ResolutionRow = typeof resolutions.$inferSelect;
export type FollowUpRow = typeof followUps.$inferSelect;

const ofShipment = { companyId: placeholder('companyId'), shipmentId: placeholder('shipmentId') };
const isShipment = and(eq(shipments.id, ofShipment.shipmentId), eq(shipments.companyId, ofShipment.companyId));

const selectResolution = read(columnsOf(resolutions), (columns) =>
  queries
    .select(columns)
    .from(resolutions)
    .where(and(eq(resolutions.shipmentId, ofShipment.shipmentId), eq(resolutions.companyId, ofShipment.companyId))),
);
/** No row unless the delivery has failed and the parcel was not lost. */
export function resolutionOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectResolution({ companyId: scope.companyId, shipmentId });
}

const selectFollowUp = read(columnsOf(followUps), (columns) =>
  queries
    .select(columns)
    .from(followUps)
    .where(and(eq(followUps.shipmentId, ofShipment.shipmentId), eq(followUps.companyId, ofShipment.companyId))),
);
/** What a shipment follows; no row for one of its own. */
export function followUpOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectFollowUp({ companyId: scope.companyId, shipmentId });
}

const legColumns = { id: shipments.id, amendmentCount: shipments.amendmentCount };
const selectLegs = read(legColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(
      and(
        eq(shipments.companyId, ofShipment.companyId),
        sql`${shipments.id} in (with recursive leg(id) as (select ${ofShipment.shipmentId}
          union all select f.preceding_id from leg join follow_ups f on f.shipment_id = leg.id and f.returned is null)
          select id from leg)`,
        // The numbers after those of amendments are reversals.
        sql`not exists (select 1 from ${laterCharges} where ${laterCharges.shipmentId} = ${shipments.id} and ${laterCharges.number} > ${sql.raw(String(AMENDMENTS_MAX))})`,
      ),
    ),
);
/** The shipments that have carried the parcel of this one, and itself, if their price was not credited. A return after the delivery begins anew. */
export function legsToCredit(scope: CompanyScope, shipmentId: Uuid) {
  return selectLegs({ companyId: scope.companyId, shipmentId });
}

const precedingColumns = { shipmentId: followUps.shipmentId, kind: followUps.kind, state: shipments.state };
const selectFollowing = read(precedingColumns, (columns) =>
  queries
    .select(columns)
    .from(followUps)
    .innerJoin(shipments, eq(shipments.id, followUps.shipmentId))
    .where(and(eq(followUps.precedingId, ofShipment.shipmentId), eq(followUps.companyId, ofShipment.companyId)))
    .orderBy(asc(followUps.shipmentId)),
);
/** What followed a shipment, oldest first. */
export function followingOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectFollowing({ companyId: scope.companyId, shipmentId });
}

const rootId = sql`coalesce((select root_id from follow_ups where shipment_id = ${ofShipment.shipmentId}), ${ofShipment.shipmentId})`;
const selectRootTerms = read(columnsOf(shipmentTerms), (columns) =>
  queries
    .select(columns)
    .from(shipmentTerms)
    .where(and(eq(shipmentTerms.shipmentId, rootId), eq(shipmentTerms.companyId, ofShipment.companyId))),
);
/** The terms of the first shipment of this parcel, whose price all others are shares of. */
export function rootTermsOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectRootTerms({ companyId: scope.companyId, shipmentId });
}

const selectRootReference = read({ externalReference: shipments.externalReference }, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(and(eq(shipments.id, rootId), eq(shipments.companyId, ofShipment.companyId))),
);
/** The reference of the first shipment of this parcel, from which those of all others are made. */
export function rootReferenceOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectRootReference({ companyId: scope.companyId, shipmentId });
}

const carriedColumns = {
  driverId: shipments.driverId,
  serviceLevelCode: shipments.serviceLevelCode,
  pickupCityCode: shipments.pickupCityCode,
  lengthCentimetres: shipments.lengthCentimetres,
  windowStatus: shipments.windowStatus,
  endedAt: shipments.endedAt,
};
const selectCarried = read(carriedColumns, (columns) => queries.select(columns).from(shipments).where(isShipment));
export type CarriedRow = ReturnType<ReturnType<typeof selectCarried>['decode']>;
/** What dispatch knows of a shipment, with the driver who has it or had it last. */
export function carriedOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectCarried({ companyId: scope.companyId, shipmentId });
}

const selectDoor = read({ doorArrival: offers.doorArrival }, (columns) =>
  queries
    .select(columns)
    .from(offers)
    .where(and(eq(offers.shipmentId, placeholder('shipmentId')), isNull(offers.endedAt))),
);
/** When and where the driver who has the shipment arrived at the door. */
export function doorOf(shipmentId: Uuid) {
  return selectDoor({ shipmentId });
}

const selectReferences = read({ externalReference: shipments.externalReference }, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(
      sql`${shipments.companyId} = ${placeholder('companyId')} and ${shipments.externalReference} in (select value from json_each(${placeholder('references')}))`,
    ),
);
/** Those of these references that shipments have. */
export function takenReferences(scope: CompanyScope, references: readonly string[]) {
  return selectReferences({ companyId: scope.companyId, references: JSON.stringify(references) });
}

const insertResolution = write(queries.insert(resolutions).values(placesOf(resolutions)));
export function resolutionInsert(row: ResolutionRow) {
  return insertResolution({ ...row });
}

const closeResolution = write(
  queries
    .update(resolutions)
    .set({
      state: sql`${placeholder('state')}`,
      kind: sql`${placeholder('kind')}`,
      actor: sql`${placeholder('actor')}`,
      decidedAt: sql`${placeholder('decidedAt')}`,
      followUpId: sql`${placeholder('followUpId')}`,
    })
    .where(
      and(
        eq(resolutions.shipmentId, placeholder('shipmentId')),
        eq(resolutions.companyId, placeholder('companyId')),
        eq(resolutions.state, 'OPEN'),
      ),
    ),
  { mustChange: true },
);
const clearDue = write(queries.update(shipments).set({ dueAt: sql`null` }).where(isShipment));
export interface Choice {
  readonly shipmentId: Uuid;
  readonly state: 'CHOSEN' | 'AUTOMATIC';
  readonly kind: ResolutionKind;
  readonly actor: Actor;
  readonly decidedAt: Instant;
  readonly followUpId: Uuid | null;
}
/** Closes an open resolution, so that it is decided once, and ends the wait for it. */
export function resolutionClosed(scope: CompanyScope, choice: Choice) {
  const { companyId } = scope;
  return [closeResolution({ ...choice, companyId }), clearDue({ companyId, shipmentId: choice.shipmentId })];
}

const insertCarried = write(queries.insert(shipments).values(placesOf(shipments)));
export type BornRow = ShipmentRow & Omit<CarriedRow, 'endedAt' | 'windowStatus'> & Pick<CarriedRow, 'windowStatus'>;
/** Inserts a shipment that begins in the hands of its driver. It has never waited for one. */
export function carriedInsert(row: BornRow) {
  return insertCarried({
    ...row,
    stage: stageOf(row.state),
    held: 0,
    addressGate: 'OFF',
    readySince: null,
    searchSince: null,
    searchOffers: 0,
    lastRefusedDriverId: null,
    endedAt: null,
    forgottenAt: null,
  });
}

const insertFollowUp = write(queries.insert(followUps).values(placesOf(followUps)));
export function followUpInsert(row: FollowUpRow) {
  return insertFollowUp({ ...row });
}

const takePlace = write(
  queries
    .update(drivers)
    .set({ activeCount: sql`${drivers.activeCount} + 1` })
    .where(eq(drivers.id, placeholder('driverId'))),
  { mustChange: true },
);
const insertAccepted = write(
  queries.insert(offers).values({
    id: placeholder('id'),
    shipmentId: placeholder('shipmentId'),
    driverId: placeholder('driverId'),
    state: 'ACCEPTED',
    offeredAt: placeholder('now'),
    expiresAt: placeholder('now'),
    endedAt: null,
  }),
);
/**
 * Lets a driver have a shipment whose parcel is in the van already: also a driver who is off duty, blocked, or has no free place. The
 * offer expires as it begins, as that of a driver who takes over.
 */
export function handedOn(order: {
  readonly id: Uuid;
  readonly shipmentId: Uuid;
  readonly driverId: Uuid;
  readonly now: Instant;
}) {
  return [takePlace({ driverId: order.driverId }), insertAccepted({ ...order })];
}

const waitingColumns = {
  shipmentId: resolutions.shipmentId,
  decideBy: resolutions.decideBy,
  defaultKind: resolutions.defaultKind,
  /** Only its type. */
  parcels: resolutions.attempts,
};
const selectWaiting = read(waitingColumns, (columns) =>
  queries
    .select({ ...columns, parcels: sql`count(*) over ()`.as('parcels') })
    .from(resolutions)
    .where(and(eq(resolutions.companyId, placeholder('companyId')), eq(resolutions.state, 'OPEN')))
    .orderBy(asc(resolutions.decideBy))
    .limit(1),
);
/** The parcel whose time to decide is over first, and how many wait for a decision. */
export function firstUndecided(scope: CompanyScope) {
  return selectWaiting({ companyId: scope.companyId });
}
