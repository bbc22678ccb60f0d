import { and, desc, eq, exists, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { showsShipment } from '../../../db/shard/offers.ts';
import { drivers, offers } from '../../../db/shard/schema/dispatch.ts';
import { driverSessions, recipientLooks } from '../../../db/shard/schema/driver-access.ts';
import { pickupLocations } from '../../../db/shard/schema/places.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { checkRow, placeholder, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { OffDutyReason } from '../../contract/driver-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';
import { shipmentColumns } from '../shipments/store.ts';
import { amendmentsSince as amendments } from './amendment-store.ts';

/*
 * The SQL of drivers at work, in their shard. A driver serves many companies, and sees only shipments that were
 * offered.
 */

const insertSession = write(
  queries
    .insert(driverSessions)
    .values({
      tokenHash: placeholder('tokenHash'),
      driverId: placeholder('driverId'),
      createdAt: placeholder('createdAt'),
      expiresAt: placeholder('expiresAt'),
    })
    .onConflictDoNothing(),
);
export function driverSessionInsert(row: typeof driverSessions.$inferSelect) {
  return insertSession({ ...row });
}

const sessionColumns = {
  driverId: driverSessions.driverId,
  expiresAt: driverSessions.expiresAt,
  companyId: drivers.companyId,
};
const selectSession = read(sessionColumns, (columns) =>
  queries
    .select(columns)
    .from(driverSessions)
    .innerJoin(drivers, eq(drivers.id, driverSessions.driverId))
    .where(
      and(
        eq(driverSessions.tokenHash, placeholder('tokenHash')),
        gt(driverSessions.expiresAt, placeholder('now')),
        eq(drivers.status, 'ACTIVE'),
      ),
    ),
);
/** The driver of a session that has not expired, if the driver is active. */
export function liveDriverSession(tokenHash: string, now: Instant) {
  return selectSession({ tokenHash, now });
}

const deleteSessions = write(
  queries.delete(driverSessions).where(eq(driverSessions.driverId, placeholder('driverId'))),
);
/** All sessions of one driver. */
export function driverSessionsDelete(driverId: Uuid) {
  return deleteSessions({ driverId });
}

const pastSessions = compilePastRows<{ now: Instant }>(
  driverSessions,
  and(
    lt(driverSessions.expiresAt, placeholder('now')),
    isAtHome(sql`(select ${drivers.companyId} from ${drivers} where ${drivers.id} = ${driverSessions.driverId})`),
  ),
);
/** For the sweep only. */
export function expiredDriverSessions(now: Instant): PastRows {
  return pastSessions({ now });
}

export const isPickupLocation = and(
  eq(pickupLocations.companyId, shipments.companyId),
  eq(pickupLocations.pickupLocationCode, shipments.pickupLocationCode),
);
/**
 * The buyer who hands a return to its driver: JSON of a `Doorstep`. Null for other shipments. After a failure there is nobody, because
 * the parcel is in the van already.
 */
export const fetchedFrom =
  sql`(select json_object('name', p.recipient_name, 'phone', p.recipient_phone, 'instructions', p.instructions,
    'district', (select found ->> 'district' from national_addresses where shipment_id = p.id))
  from follow_ups as f left join shipments as p on p.id = f.preceding_id and f.returned is not null
  where f.shipment_id = ${shipments.id} and f.kind = 'RETURN')`.as('fetched_from');
/** With the end, because the index of a driver's offers does not have their state. */
export const isOpen = sql`${offers.endedAt} is null and ${offers.state} = 'OPEN'`;
export const isBehind = sql`(${placeholder('createdAt')} is null or (${offers.offeredAt}, ${offers.id}) < (${placeholder('createdAt')}, ${placeholder('key')}))`;

const selectOpenOffers = read(shipmentColumns, (columns) =>
  queries
    .select(columns)
    .from(offers)
    .innerJoin(shipments, eq(shipments.id, offers.shipmentId))
    .where(and(eq(offers.driverId, placeholder('driverId')), isOpen)),
);
/** The shipments that are offered to a driver, also those whose offer has expired and was not withdrawn yet. */
export function openOffersOf(driverId: Uuid) {
  return selectOpenOffers({ driverId });
}

const refuseOpenOffers = checkRow(
  sql`select 1 from (values (${placeholder('driverId')})) as leaving
    where exists (select 1 from ${offers} where ${offers.driverId} = leaving.column1 and ${isOpen})`,
);
/** Refuses the unit if an offer to the driver is open. */
export function noOpenOffers(driverId: Uuid) {
  return refuseOpenOffers({ driverId });
}

/** What a driver sees of a shipment besides its row. */
const sightColumns = {
  pickupName: pickupLocations.name,
  pickupNameAr: pickupLocations.nameAr,
  contactName: pickupLocations.contactName,
  contactPhone: pickupLocations.contactPhone,
  pickupInstructions: pickupLocations.instructions,
  pickupArrival: offers.pickupArrival,
  doorArrival: offers.doorArrival,
  windowStatus: shipments.windowStatus,
  // Only for the types of the columns.
  amendments: shipments.instructions,
  fetchedFrom: shipments.instructions,
  refusedAt: shipments.endedAt,
  proofTerms: shipments.instructions,
};
const sightComputed = {
  amendments,
  fetchedFrom,
  refusedAt: sql`(select refused_at from recipient_replies where shipment_id = ${shipments.id})`.as('refused_at'),
  proofTerms: sql`(select proof_terms from company_settings where company_id = ${shipments.companyId})`.as(
    'proof_terms',
  ),
};
/** What the driver still has comes first: it must not wait behind what has ended. */
const hasEnded = sql`(${offers.state} <> 'ACCEPTED')`;
const assignedColumns = {
  ...shipmentColumns,
  ...sightColumns,
  offerId: offers.id,
  offeredAt: offers.offeredAt,
  offerState: offers.state,
};
const selectAssigned = read(assignedColumns, (columns) =>
  queries
    .select({ ...columns, ...sightComputed })
    .from(offers)
    .innerJoin(shipments, eq(shipments.id, offers.shipmentId))
    .leftJoin(pickupLocations, isPickupLocation)
    .where(
      and(
        // Both parts name the driver, so that SQLite seeks each of them: a driver has had thousands.
        or(
          and(eq(offers.driverId, placeholder('driverId')), isNull(offers.endedAt)),
          and(eq(offers.driverId, placeholder('driverId')), gt(offers.endedAt, placeholder('endedAfter'))),
        ),
        inArray(offers.state, ['ACCEPTED', 'COMPLETED', 'CANCELLED']),
        sql`(${placeholder('createdAt')} is null or ${hasEnded} > ${placeholder('hasEnded')} or (${hasEnded} = ${placeholder('hasEnded')} and ${isBehind}))`,
      ),
    )
    .orderBy(hasEnded, desc(offers.offeredAt), desc(offers.id))
    .limit(placeholder('limit')),
);
/** Where a page of a driver’s shipments starts. */
export interface AssignedPosition extends Position {
  readonly hasEnded: number;
}
/**
 * Shipments that a driver has, and then those that the driver finished after an instant; of each the most recently offered
 * first.
 */
export function assignedPage(driverId: Uuid, endedAfter: Instant, after: AssignedPosition | undefined, limit: number) {
  const { createdAt = null, key = null, hasEnded: ended = null } = after ?? {};
  return selectAssigned({ driverId, endedAfter, createdAt, key, hasEnded: ended, limit });
}

const assignmentColumns = {
  ...shipmentColumns,
  ...sightColumns,
  offerState: offers.state,
  offerExpiresAt: offers.expiresAt,
  offerEndedAt: offers.endedAt,
  onDuty: drivers.onDuty,
};
const selectAssignment = read(assignmentColumns, (columns) =>
  queries
    .select({ ...columns, ...sightComputed })
    .from(offers)
    .innerJoin(shipments, eq(shipments.id, offers.shipmentId))
    .innerJoin(drivers, eq(drivers.id, offers.driverId))
    .leftJoin(pickupLocations, isPickupLocation)
    .where(showsShipment),
);
const selectOffered = read(shipmentColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(
      and(
        eq(shipments.id, placeholder('shipmentId')),
        exists(
          queries
            .select({ one: sql`1` })
            .from(offers)
            .where(
              // By the shipment: the driver has had thousands of offers.
              and(
                eq(offers.shipmentId, placeholder('shipmentId')),
                sql`+${offers.driverId} = ${placeholder('driverId')}`,
              ),
            ),
        ),
      ),
    ),
);
/** A shipment that was offered to this driver at some time, also if they have declined or released it. */
export function onceOfferedTo(driverId: Uuid, shipmentId: Uuid) {
  return selectOffered({ driverId, shipmentId });
}

/** A shipment that this driver has, or had until its end. */
export function assignmentOf(driverId: Uuid, shipmentId: Uuid) {
  return selectAssignment({ driverId, shipmentId });
}

/** The states in which a driver arrives: at the pickup location, and at the door. */
export const ARRIVAL_STATES = ['ACCEPTED', 'OUT_FOR_DELIVERY'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

const arrivalIn = (column: 'pickupArrival' | 'doorArrival', state: ArrivalState) =>
  write<{ shipmentId: Uuid; driverId: Uuid; arrival: string }>(
    queries
      .update(offers)
      .set({
        [column]: sql`iif(${offers[column]} is null or ${offers[column]} ->> '$.position' is null and ${placeholder('arrival')} ->> '$.position' is not null,
          ${placeholder('arrival')}, ${offers[column]})`,
      })
      .where(
        and(
          eq(offers.shipmentId, placeholder('shipmentId')),
          eq(offers.driverId, placeholder('driverId')),
          eq(offers.state, 'ACCEPTED'),
          exists(
            queries
              .select({ one: sql`1` })
              .from(shipments)
              .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.state, state))),
          ),
        ),
      ),
    { mustChange: true },
  );
const updatePickupArrival = arrivalIn('pickupArrival', 'ACCEPTED');
const updateDoorArrival = arrivalIn('doorArrival', 'OUT_FOR_DELIVERY');
export interface Arrived {
  readonly state: ArrivalState;
  /** JSON of an `Arrival`. */
  readonly arrival: string;
}
/** Stores the driver's first arrival at the place of this state, or the first with a position. Refuses the unit in another state. */
export function arrivalUpdate(shipmentId: Uuid, driverId: Uuid, { state, arrival }: Arrived) {
  const values = { shipmentId, driverId, arrival };
  return state === 'ACCEPTED' ? updatePickupArrival(values) : updateDoorArrival(values);
}

const updateDuty = write(
  queries
    .update(drivers)
    .set({
      onDuty: sql`${placeholder('onDuty')}`,
      idleSince: sql`iif(${placeholder('onDuty')} = 1, ${placeholder('now')}, ${drivers.idleSince})`,
      seenAt: sql`iif(${placeholder('onDuty')} = 1, ${placeholder('now')}, ${drivers.seenAt})`,
      missedOffers: sql`0`,
      offDutyReason: sql`null`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${drivers.version} + 1`,
    })
    .where(
      and(
        eq(drivers.id, placeholder('driverId')),
        eq(drivers.status, 'ACTIVE'),
        sql`${drivers.onDuty} <> ${placeholder('onDuty')}`,
      ),
    ),
);
/** Puts an active driver on or off duty. The version rises, so that an operator's change of the row seen before is refused. */
export function dutyUpdate(driverId: Uuid, isOnDuty: boolean, now: Instant) {
  return updateDuty({ driverId, onDuty: isOnDuty ? 1 : 0, now });
}

const isSilent = sql`${drivers.companyId} is null and ${drivers.onDuty} = 1 and ${drivers.status} = 'ACTIVE'
  and (${drivers.missedOffers} >= ${placeholder('offersMissed')} or coalesce(${drivers.seenAt}, ${drivers.updatedAt}) <= ${placeholder('silentSince')})`;
const SILENT_AT_ONCE = 50;
const selectSilent = read({ id: drivers.id, missedOffers: drivers.missedOffers }, (columns) =>
  queries.select(columns).from(drivers).where(isSilent).orderBy(drivers.updatedAt).limit(SILENT_AT_ONCE),
);
/** Who is silent: so many offers in a row ran out, or nothing came since that instant. */
export interface Silence {
  readonly offersMissed: number;
  readonly silentSince: Instant;
}
/** Drivers on duty who are silent. For the sweep only. */
export function silentDrivers(silence: Silence) {
  return selectSilent({ ...silence });
}

const endSilentDuty = write(
  queries
    .update(drivers)
    .set({
      onDuty: sql`0`,
      offDutyReason: sql`${placeholder('reason')}`,
      missedOffers: sql`0`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${drivers.version} + 1`,
    })
    .where(sql`${drivers.id} = ${placeholder('driverId')} and ${isSilent}`),
  { mustChange: true },
);
/** Puts a driver off duty. Refuses the unit if the driver is no longer silent. */
export function silentDutyEnd(
  order: Silence & { readonly driverId: Uuid; readonly reason: OffDutyReason; readonly now: Instant },
) {
  return endSilentDuty({ ...order });
}

const markSeen = write(
  queries
    .update(drivers)
    .set({ seenAt: sql`${placeholder('now')}` })
    .where(eq(drivers.id, placeholder('driverId'))),
);
export function seenMark(driverId: Uuid, now: Instant) {
  return markSeen({ driverId, now });
}

const MICROS_PER_HOUR = 3_600_000_000n;
const insertLooks = writeRow(
  queries.insert(recipientLooks).select(
    sql`select look.value, looked.column1, looked.column2 / ${sql.raw(String(MICROS_PER_HOUR))}, looked.column2
      from (values (${placeholder('driverId')}, ${placeholder('lookedAt')}, ${placeholder('shipmentIds')})) as looked
      cross join json_each(looked.column3) as look
      where true on conflict do nothing`,
  ),
);
/**
 * Records once an hour that a driver was shown the recipients of these shipments, because an app asks every few
 * seconds.
 */
export function recipientLooksInsert(driverId: Uuid, shipmentIds: readonly Uuid[], lookedAt: Instant) {
  return insertLooks({ driverId, shipmentIds: JSON.stringify(shipmentIds), lookedAt });
}

const pastLooks = compilePastRows<{ before: Instant }>(
  recipientLooks,
  and(
    lt(recipientLooks.lookedAt, placeholder('before')),
    isAtHome(
      sql`(select ${shipments.companyId} from ${shipments} where ${shipments.id} = ${recipientLooks.shipmentId})`,
    ),
  ),
);
/** For the sweep only. */
export function oldRecipientLooks(before: Instant): PastRows {
  return pastLooks({ before });
}
