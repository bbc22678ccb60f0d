import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import type { Location, ShipmentItem } from '../../contract/shipment.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
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

/** What a driver sees of a shipment besides its row. */
export interface Sight {
  readonly contactName: string | null;
  readonly contactPhone: string | null;
  readonly pickupInstructions: string | null;
  /** JSON of an `Arrival`. */
  readonly pickupArrival: string | null;
  readonly doorArrival: string | null;
}

/** An arrival as it is stored. The time is that of the service; the phone's own time stands in `position`. */
export interface Arrival {
  readonly arrivedAt: string;
  readonly position: { readonly latitude: Decimal; readonly longitude: Decimal; readonly positionAt: string } | null;
}

/**
 * A shipment as its driver sees it. Without a sight, places, people and items are null. With one, the access must have been
 * recorded.
 */
export function presentToDriver(row: ShipmentRow, sight: Sight | undefined): DriverShipment {
  return {
    shipmentId: row.id,
    shipmentNumber: row.shipmentNumber,
    state: row.state,
    version: row.version,
    ...(sight === undefined ? HIDDEN : seenBy(row, sight)),
    totalWeightKilograms: row.totalWeightKilograms,
    requirements: parseStored<string[]>(row.requirements),
    paymentMethod: row.paymentMethod,
    codAmount: row.codAmount,
    currency: row.currency,
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
  };
}

const HIDDEN = {
  pickup: null,
  pickupContact: null,
  pickupInstructions: null,
  destination: null,
  recipientName: null,
  recipientPhone: null,
  alternateContact: null,
  items: null,
  arrivedAt: null,
} as const;

function seenBy(row: ShipmentRow, sight: Sight) {
  return {
    pickup: parseStored<Location>(row.pickup),
    pickupContact: contactOf(sight.contactName, sight.contactPhone),
    pickupInstructions: sight.pickupInstructions,
    destination: parseStored<Location>(row.destination),
    recipientName: row.recipientName,
    recipientPhone: row.recipientPhone,
    alternateContact: contactOf(row.alternateContactName, row.alternateContactPhone),
    items: parseStored<ShipmentItem[]>(row.items),
    arrivedAt: arrivalOf(row, sight),
  };
}

function contactOf(name: string | null, phone: string | null) {
  return name === null && phone === null ? null : { name, phone };
}

function arrivalOf({ state }: ShipmentRow, { pickupArrival, doorArrival }: Sight): string | null {
  const arrivals: Partial<Record<ShipmentState, string | null>> = {
    ACCEPTED: pickupArrival,
    OUT_FOR_DELIVERY: doorArrival,
  };
  const arrival = arrivals[state] ?? null;
  return arrival === null ? null : parseStored<Arrival>(arrival).arrivedAt;
}
