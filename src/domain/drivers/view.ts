import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import type { Location } from '../../contract/shipment.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import type { OfferRow } from './store.ts';

/** How long a driver can still see the recipient after the end. */
export const VISIBLE_SECONDS = 3600;

/** An offer as its driver sees it: pickup, destination city, distance and weight, but never the recipient. */
export function presentOffer(row: OfferRow): DriverOffer {
  return {
    offerId: row.offerId,
    shipmentId: row.shipmentId,
    shipmentNumber: row.shipmentNumber,
    pickup: parseStored<Location>(row.pickup),
    destinationCityCode: parseStored<Location>(row.destination).cityCode,
    distanceMeters: row.distanceMeters,
    durationSeconds: row.durationSeconds,
    requirements: parseStored<string[]>(row.requirements),
    totalWeightKilograms: row.totalWeightKilograms,
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
    offeredAt: formatInstant(row.offeredAt),
    expiresAt: formatInstant(row.expiresAt),
  };
}

/** A shipment as its driver sees it, with or without places and recipient. With them, the access must have been recorded. */
export function presentToDriver(row: ShipmentRow, isRecipientShown: boolean): DriverShipment {
  return {
    shipmentId: row.id,
    shipmentNumber: row.shipmentNumber,
    state: row.state,
    version: row.version,
    pickup: isRecipientShown ? parseStored<Location>(row.pickup) : null,
    destination: isRecipientShown ? parseStored<Location>(row.destination) : null,
    recipientName: isRecipientShown ? row.recipientName : null,
    recipientPhone: isRecipientShown ? row.recipientPhone : null,
    totalWeightKilograms: row.totalWeightKilograms,
    requirements: parseStored<string[]>(row.requirements),
    paymentMethod: row.paymentMethod,
    codAmount: row.codAmount,
    currency: row.currency,
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
  };
}
