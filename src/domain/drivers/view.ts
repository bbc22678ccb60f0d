import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import type { Location, ShipmentItem } from '../../contract/shipment.ts';
import type { DeliveryPlace } from '../../contract/shipment-amendment.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addMicros, formatInstant, type Instant, instantFromMillis } from '../../core/instant.ts';
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
  /** JSON of `Amended` tuples; null if the shipment was never amended. */
  readonly amendments: string | null;
}

/** An amendment as the list has it; instants are numbers of microseconds. */
type Amended = readonly [version: number, changes: AmendmentChange[], changedAt: number, acknowledgedAt: number | null];

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
    ...(sight === undefined ? { ...HIDDEN, changes: [] } : seenBy(row, sight)),
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
  place: null,
  instructions: null,
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
    place: row.place === null ? null : parseStored<DeliveryPlace>(row.place),
    instructions: row.instructions,
    changes: changesIn(sight.amendments),
    arrivedAt: arrivalOf(row, sight),
  };
}

function changesIn(amendments: string | null): DriverShipment['changes'] {
  if (amendments === null) return [];
  return parseStored<Amended[]>(amendments).map(([version, changes, changedAt, acknowledgedAt]) => ({
    version,
    changes,
    changedAt: formatInstant(microsOf(changedAt)),
    acknowledgedAt: acknowledgedAt === null ? null : formatInstant(microsOf(acknowledgedAt)),
  }));
}

/** Microseconds since 1970 are safe integers for another two centuries. */
function microsOf(micros: number): Instant {
  return addMicros(instantFromMillis(0), micros);
}

/** The amendments after the driver has read those up to a version. */
export function acknowledgedIn(amendments: string | null, upTo: number, now: Instant): string | null {
  if (amendments === null) return null;
  const seen = parseStored<Amended[]>(amendments).map(([version, changes, changedAt, acknowledgedAt]): Amended => {
    const isRead = acknowledgedAt === null && version <= upTo;
    return [version, changes, changedAt, isRead ? Number(now) : acknowledgedAt];
  });
  return JSON.stringify(seen);
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
