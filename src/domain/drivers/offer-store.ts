import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { offers } from '../../../db/shard/schema/dispatch.ts';
import { pickupLocations } from '../../../db/shard/schema/places.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';
import { fetchedFrom, isBehind, isOpen, isPickupLocation } from './store.ts';

/* The SQL of the offers that a driver may accept. */

const offerColumns = {
  offerId: offers.id,
  offeredAt: offers.offeredAt,
  expiresAt: offers.expiresAt,
  shipmentId: shipments.id,
  shipmentNumber: shipments.shipmentNumber,
  pickup: shipments.pickup,
  destination: shipments.destination,
  companyId: shipments.companyId,
  codAmount: shipments.codAmount,
  currency: shipments.currency,
  pickupName: pickupLocations.name,
  pickupNameAr: pickupLocations.nameAr,
  // Only for their types.
  destinationDistrict: shipments.instructions,
  fetchedFrom: shipments.instructions,
  distanceMeters: shipmentTerms.distanceMeters,
  durationSeconds: shipmentTerms.durationSeconds,
  requirements: shipments.requirements,
  totalWeightKilograms: shipments.totalWeightKilograms,
  pickupWindowStart: shipments.pickupWindowStart,
  pickupWindowEnd: shipments.pickupWindowEnd,
  deliveryWindowStart: shipments.deliveryWindowStart,
  deliveryWindowEnd: shipments.deliveryWindowEnd,
  windowStatus: shipments.windowStatus,
};
/** Of the newest way that was priced. */
const distanceMeters = sql`coalesce(${shipmentTerms.pricedDistanceMeters}, ${shipmentTerms.distanceMeters})`.as(
  'distance_meters',
);
const destinationDistrict =
  sql`(select found ->> 'district' from national_addresses where shipment_id = ${shipments.id})`.as(
    'destination_district',
  );
const selectOffers = read(offerColumns, (columns) =>
  queries
    .select({ ...columns, distanceMeters, destinationDistrict, fetchedFrom })
    .from(offers)
    .innerJoin(shipments, eq(shipments.id, offers.shipmentId))
    .innerJoin(shipmentTerms, eq(shipmentTerms.shipmentId, offers.shipmentId))
    .leftJoin(pickupLocations, isPickupLocation)
    .where(
      and(eq(offers.driverId, placeholder('driverId')), isOpen, gt(offers.expiresAt, placeholder('now')), isBehind),
    )
    .orderBy(desc(offers.offeredAt), desc(offers.id))
    .limit(placeholder('limit')),
);
export type OfferRow = ReturnType<ReturnType<typeof selectOffers>['decode']>;
/** Offers that a driver may still accept, newest first. */
export function openOfferPage(driverId: Uuid, now: Instant, after: Position | undefined, limit: number) {
  return selectOffers({ driverId, now, createdAt: after?.createdAt ?? null, key: after?.key ?? null, limit });
}
