import { and, desc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { codCollections } from '../../../db/shard/schema/cod-collections.ts';
import { proofMedia } from '../../../db/shard/schema/delivery-proofs.ts';
import { drivers, offers } from '../../../db/shard/schema/dispatch.ts';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { followUps } from '../../../db/shard/schema/resolutions.ts';
import { shipmentRatings } from '../../../db/shard/schema/shipment-ratings.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { trackingBrands } from '../../../db/shard/schema/tracking-brands.ts';
import { trackingLinks } from '../../../db/shard/schema/tracking-links.ts';
import { placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { TRACKED_EVENT_TYPES } from '../../contract/tracking.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { offersMade, stateChangedAt } from '../shipments/store.ts';

/*
 * The SQL of tracking. It reads only data that may be shown: only the city of the destination, neither phone nor last
 * name of the driver, and nothing about the recipient. It also reads the line of the route, which ends at the recipient's
 * door; `open-route.ts` takes its ends away.
 */

/** Each computed value uses the type of a column. */
const trackedColumns = {
  shipmentNumber: shipments.shipmentNumber,
  state: shipments.state,
  destinationCity: shipments.shipmentNumber,
  paymentMethod: shipments.paymentMethod,
  codAmount: shipments.codAmount,
  currency: shipments.currency,
  pickupWindowEnd: shipments.pickupWindowEnd,
  deliveryWindowStart: shipments.deliveryWindowStart,
  deliveryWindowEnd: shipments.deliveryWindowEnd,
  windowStatus: shipments.windowStatus,
  durationSeconds: shipmentTerms.durationSeconds,
  geometry: shipmentTerms.geometry,
  firstName: drivers.firstName,
  vehicleType: drivers.vehicleType,
  driverId: shipments.driverId,
  latitude: drivers.latitude,
  longitude: drivers.longitude,
  positionAt: drivers.positionAt,
  changedAt: shipmentEvents.occurredAt,
  held: shipments.held,
  addressGate: shipments.addressGate,
  searchFrom: shipments.searchFrom,
  isLatestDeparture: shipments.held,
  offersMade: trackingLinks.viewCount,
  merchantPhone: trackingBrands.phone,
  merchantWhatsApp: trackingBrands.whatsApp,
  logoName: trackingBrands.logoName,
  logoWidth: trackingBrands.logoWidth,
  logoHeight: trackingBrands.logoHeight,
};
const ifShown = (contact: SQL) => sql`case ${trackingBrands.showsContact} when 1 then ${contact} end`;
const lastEventAt = (shipmentId: SQL) =>
  sql`(select max(occurred_at) from shipment_events where shipment_id = ${shipmentId} and type <> 'shipment.amended')`;
/**
 * 1 if the driver set out with no other shipment after this one that is not finished. With several, the driver may stand at
 * the door of another recipient. While a shipment is out for delivery, its last event but amendments is the departure, or the
 * takeover by this driver.
 */
const isLatestDeparture = sql<number>`(${shipments.state} = 'OUT_FOR_DELIVERY' and not exists (
  select 1 from ${offers} as other_offer join ${shipments} as other on other.id = other_offer.shipment_id
  where other_offer.driver_id = ${shipments.driverId} and other_offer.ended_at is null and other_offer.state = 'ACCEPTED'
    and other.state = 'OUT_FOR_DELIVERY' and other.id <> ${shipments.id}
    and ${lastEventAt(sql`other.id`)} > ${lastEventAt(sql`${shipments.id}`)}))`;
const computed = {
  destinationCity: sql`json_extract(${shipments.destination}, '$.cityCode')`.as('destination_city'),
  changedAt: stateChangedAt(sql`${shipments.id}`).as('changed_at'),
  // Long, and needed only where the driver's position is shown.
  geometry: sql`case ${shipments.state} when 'OUT_FOR_DELIVERY' then ${shipmentTerms.geometry} else '' end`.as(
    'geometry',
  ),
  isLatestDeparture: isLatestDeparture.as('is_latest_departure'),
  offersMade: offersMade(sql`${shipments.id}`).as('offers_made'),
  merchantPhone: ifShown(sql`${trackingBrands.phone}`).as('merchant_phone'),
  merchantWhatsApp: ifShown(sql`${trackingBrands.whatsApp}`).as('merchant_whats_app'),
};
const linkColumns = {
  ...trackedColumns,
  merchantName: trackingLinks.merchantName,
  locale: trackingLinks.locale,
  // Null where every company has the real time.
  companyId: shipments.driverId,
  expiresAt: trackingLinks.revokedAt,
};
const ofLink = {
  companyId: sql`${trackingLinks.companyId}`.as('link_company_id'),
  expiresAt: sql`${trackingLinks.expiresAt}`.as('link_expires_at'),
};
const unread = { companyId: sql`null`.as('link_company_id'), expiresAt: sql`null`.as('link_expires_at') };

const isOpen = and(
  eq(trackingLinks.tokenHash, placeholder('tokenHash')),
  isNull(trackingLinks.revokedAt),
  gt(trackingLinks.expiresAt, placeholder('now')),
);
const selectByToken = variants((hasClocks: boolean) =>
  read(linkColumns, (columns) =>
    queries
      .select({ ...columns, ...computed, ...(hasClocks ? ofLink : unread) })
      .from(trackingLinks)
      .innerJoin(shipments, eq(shipments.id, trackingLinks.shipmentId))
      .innerJoin(shipmentTerms, eq(shipmentTerms.shipmentId, shipments.id))
      .leftJoin(drivers, eq(drivers.id, shipments.driverId))
      .leftJoin(trackingBrands, eq(trackingBrands.companyId, shipments.companyId))
      .where(isOpen),
  ),
);
/** The facts behind the link with this token, unless it is revoked or expired. `hasClocks`: whether companies may have their own time. */
export function shipmentByToken(tokenHash: string, now: Instant, hasClocks: boolean) {
  return selectByToken(hasClocks)({ tokenHash, now });
}

/** Null without a rating. */
const ratingColumns = { stars: shipmentRatings.stars, ratedAt: trackingLinks.lastViewedAt };
const ratedAt = sql`${shipmentRatings.ratedAt}`.as('rated_at');
const isOfShipment = eq(shipmentRatings.shipmentId, shipments.id);

const pageColumns = {
  ...ratingColumns,
  pickupWindowStart: shipments.pickupWindowStart,
  geometry: shipmentTerms.geometry,
  pieces: trackingLinks.viewCount,
  permissions: trackingLinks.permissions,
  paid: codCollections.amount,
  followUp: followUps.kind,
  photo: proofMedia.purpose,
};
const selectPageFacts = read(pageColumns, (columns) =>
  queries
    .select({
      ...columns,
      ratedAt,
      pieces: sql`(select sum(value ->> 'quantity') from json_each(${shipments.items}))`.as('pieces'),
      // Null after a delivery without cash.
      paid: sql`(select amount from ${codCollections} where shipment_id = ${shipments.id})`.as('paid'),
      // Only its kind: where a return is, is not the recipient's business.
      followUp: sql`(select kind from ${followUps} where preceding_id = ${shipments.id} limit 1)`.as('follow_up'),
      photo:
        sql`(select purpose from ${proofMedia} where shipment_id = ${shipments.id} and purpose = 'DELIVERY_PHOTO' limit 1)`.as(
          'photo',
        ),
    })
    .from(trackingLinks)
    .innerJoin(shipments, eq(shipments.id, trackingLinks.shipmentId))
    .innerJoin(shipmentTerms, eq(shipmentTerms.shipmentId, shipments.id))
    .leftJoin(shipmentRatings, isOfShipment)
    .where(isOpen),
);
/** The facts that a page needs in addition. */
export function pageFactsByToken(tokenHash: string, now: Instant) {
  return selectPageFacts({ tokenHash, now });
}

const selectOfCompany = read({ ...trackedColumns, ...ratingColumns }, (columns) =>
  queries
    .select({ ...columns, ...computed, ratedAt })
    .from(shipments)
    .innerJoin(shipmentTerms, eq(shipmentTerms.shipmentId, shipments.id))
    .leftJoin(drivers, eq(drivers.id, shipments.driverId))
    .leftJoin(trackingBrands, eq(trackingBrands.companyId, shipments.companyId))
    .leftJoin(shipmentRatings, isOfShipment)
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
/** The same for a shipment of the company. */
export function shipmentOfCompany(scope: CompanyScope, shipmentId: Uuid) {
  return selectOfCompany({ companyId: scope.companyId, shipmentId });
}

/** Only the latest steps, because a shipment can go back and forth between drivers many times. */
const STEPS_MAX = 100;
const stepColumns = {
  type: shipmentEvents.type,
  previousState: shipmentEvents.previousState,
  occurredAt: shipmentEvents.occurredAt,
};
function compileSteps(ofShipment: SQL | undefined) {
  return read(stepColumns, (columns) =>
    queries
      .select(columns)
      .from(shipmentEvents)
      .where(and(ofShipment, inArray(shipmentEvents.type, TRACKED_EVENT_TYPES)))
      .orderBy(desc(shipmentEvents.sequence))
      .limit(STEPS_MAX),
  );
}

const selectStepsByToken = compileSteps(
  eq(
    shipmentEvents.shipmentId,
    queries.select({ shipmentId: trackingLinks.shipmentId }).from(trackingLinks).where(isOpen),
  ),
);
/** The steps behind the link with this token, newest first. */
export function stepsByToken(tokenHash: string, now: Instant) {
  return selectStepsByToken({ tokenHash, now });
}

const selectStepsOfCompany = compileSteps(
  and(eq(shipmentEvents.shipmentId, placeholder('shipmentId')), eq(shipmentEvents.companyId, placeholder('companyId'))),
);
/** The same for a shipment of the company. */
export function stepsOfCompany(scope: CompanyScope, shipmentId: Uuid) {
  return selectStepsOfCompany({ companyId: scope.companyId, shipmentId });
}
