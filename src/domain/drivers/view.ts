import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { DriverOffer, DriverShipment } from '../../contract/driver.ts';
import type { Location, ShipmentItem } from '../../contract/shipment.ts';
import type { DeliveryPlace } from '../../contract/shipment-amendment.ts';
import { isCarried, type ShipmentState } from '../../contract/shipment-state.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import { type Decimal, roundHalfUp } from '../../core/decimal.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addMicros, formatInstant, type Instant, instantFromMillis, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { FORGOTTEN_PHONE, NO_PHONE } from '../../core/phone.ts';
import type { CallNumbers } from '../../ports/call-numbers.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { proofTermsOf } from '../companies/proof-terms.ts';
import { requiredKinds } from '../proof/evidence.ts';
import { presentWindow, type WindowColumns } from '../shipments/delivery-windows.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import type { OfferRow } from './offer-store.ts';

/** How long a driver can still see the recipient after the end. */
export const VISIBLE_SECONDS = 3600;

/**
 * An offer as its driver sees it: pickup, destination city, distance and weight, but never the recipient, nor the door that a return is
 * fetched from.
 */
export function presentOffer(row: OfferRow): DriverOffer {
  const pickup = parseStored<Location & Coordinates>(row.pickup);
  const doorstep = doorstepOf(row);
  return {
    offerId: row.offerId,
    shipmentId: row.shipmentId,
    shipmentNumber: row.shipmentNumber,
    pickup: doorstep === null ? pickup : aroundOf(pickup, doorstep),
    ...shopOf(row),
    destinationCityCode: parseStored<Location>(row.destination).cityCode,
    ...(row.destinationDistrict === null ? {} : { destinationDistrict: row.destinationDistrict }),
    codAmount: row.codAmount,
    currency: row.currency,
    distanceMeters: row.distanceMeters,
    durationSeconds: row.durationSeconds,
    requirements: parseStored<string[]>(row.requirements),
    totalWeightKilograms: row.totalWeightKilograms,
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
    deliveryWindow: presentWindow(row),
    offeredAt: formatInstant(row.offeredAt),
    expiresAt: formatInstant(row.expiresAt),
  };
}

/** The names of the pickup location; null if the location no longer exists. A return is not fetched there. */
interface Shop {
  readonly pickupName: string | null;
  readonly pickupNameAr: string | null;
  /** JSON of a `Doorstep`; null unless the shipment is a return. */
  readonly fetchedFrom: string | null;
}

function shopOf({ pickupName, pickupNameAr, fetchedFrom }: Shop) {
  return pickupName === null || fetchedFrom !== null ? {} : { pickupName, pickupNameAr };
}

/** The buyer who hands a return over. */
interface Doorstep {
  readonly name: string | null;
  readonly phone: string | null;
  readonly instructions: string | null;
  readonly district: string | null;
}

function doorstepOf({ fetchedFrom }: Shop): Doorstep | null {
  return fetchedFrom === null ? null : parseStored<Doorstep>(fetchedFrom);
}

/** As precise as the places of recipients whose data was deleted: within about a kilometre. */
const PLACES_AROUND = 2;

/** City and district of a door, without its street and its pin. */
function aroundOf({ cityCode, latitude, longitude }: Location & Coordinates, { district }: Doorstep): Location {
  return {
    addressLine: district ?? cityCode,
    cityCode,
    latitude: roundHalfUp(latitude, PLACES_AROUND),
    longitude: roundHalfUp(longitude, PLACES_AROUND),
  };
}

/** What a driver sees of a shipment besides its row. */
export interface Sight extends WindowColumns, Shop {
  readonly contactName: string | null;
  readonly contactPhone: string | null;
  readonly pickupInstructions: string | null;
  /** JSON of an `Arrival`. */
  readonly pickupArrival: string | null;
  readonly doorArrival: string | null;
  readonly windowStatus: WindowStatus | null;
  /** JSON of `AmendmentTuple`s; null if the shipment was never amended. */
  readonly amendments: string | null;
  /** When the recipient said that they do not want the shipment. */
  readonly refusedAt: Instant | null;
  /** JSON of what the company's deliveries prove. */
  readonly proofTerms: string | null;
}

/** An amendment as the list has it; instants are numbers of microseconds. */
type AmendmentTuple = readonly [
  version: number,
  changes: AmendmentChange[],
  changedAt: number,
  acknowledgedAt: number | null,
];

/** An arrival as it is stored. The time is that of the service; the phone's own time stands in `position`. */
export interface Arrival {
  readonly arrivedAt: string;
  /** When the driver says to have arrived: see `takenOf`. */
  readonly takenAt?: string | null;
  readonly position: { readonly latitude: Decimal; readonly longitude: Decimal; readonly positionAt: string } | null;
}

/**
 * A shipment as its driver sees it. Without a sight, places, people and items are null. With one, the access must have been
 * recorded.
 */
export function presentToDriver(row: ShipmentRow, sight: Sight | undefined, deployment: Deployment): DriverShipment {
  return {
    shipmentId: row.id,
    shipmentNumber: row.shipmentNumber,
    state: row.state,
    version: row.version,
    ...(sight === undefined ? { ...HIDDEN, changes: [] } : seenBy(row, sight, deployment)),
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
  refusedAt: null,
  deliveryWindow: null,
  arrivedAt: null,
  proofRequired: null,
} as const;

function seenBy(row: ShipmentRow, sight: Sight, deployment: Deployment) {
  return {
    pickup: parseStored<Location>(row.pickup),
    ...shopOf(sight),
    ...pickupOf(sight),
    destination: parseStored<Location>(row.destination),
    recipientName: row.recipientName,
    recipientPhone: row.recipientPhone === NO_PHONE ? null : row.recipientPhone,
    alternateContact: contactOf(row.alternateContactName, row.alternateContactPhone),
    items: parseStored<ShipmentItem[]>(row.items),
    place: row.place === null ? null : parseStored<DeliveryPlace>(row.place),
    instructions: row.instructions,
    refusedAt: instantOrNull(sight.refusedAt),
    deliveryWindow: presentWindow(sight),
    changes: changesSeenBy(row, sight),
    arrivedAt: arrivalOf(row, sight),
    proofRequired: requiredKinds(
      { ...row, requirements: parseStored<string[]>(row.requirements) },
      proofTermsOf(sight.proofTerms, deployment),
    ),
  };
}

/** Who hands the parcel over, and how to find them. */
function pickupOf(sight: Sight) {
  const { contactName, contactPhone, pickupInstructions } = sight;
  const doorstep = doorstepOf(sight);
  if (doorstep === null) return { pickupContact: contactOf(contactName, contactPhone), pickupInstructions };
  const { name, phone, instructions } = doorstep;
  return { pickupContact: contactOf(name, phone === FORGOTTEN_PHONE ? null : phone), pickupInstructions: instructions };
}

/** What was amended. A redelivery may also begin with a delivery window that its driver has not agreed to. */
function changesSeenBy(
  { state, createdAt }: ShipmentRow,
  { windowStatus, amendments, doorArrival }: Sight,
): DriverShipment['changes'] {
  const amended = changesIn(amendments);
  const isAsked = windowStatus === 'ASKED' && isCarried(state) && doorArrival === null;
  if (!isAsked || amended.some(({ changes }) => changes.includes('DELIVERY_WINDOW'))) return amended;
  const changedAt = formatInstant(createdAt);
  return [{ version: 0, changes: ['DELIVERY_WINDOW'], changedAt, acknowledgedAt: null }, ...amended];
}

function changesIn(amendments: string | null): DriverShipment['changes'] {
  if (amendments === null) return [];
  return parseStored<AmendmentTuple[]>(amendments).map(([version, changes, changedAt, acknowledgedAt]) => ({
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

/** The shipment after the driver has read its amendments up to a version. */
export function acknowledged(shown: DriverShipment, upTo: number, now: Instant): DriverShipment {
  const acknowledgedAt = formatInstant(now);
  const changes = shown.changes.map((change) =>
    change.acknowledgedAt === null && change.version <= upTo ? { ...change, acknowledgedAt } : change,
  );
  return { ...shown, changes };
}

/**
 * A shipment in which the driver sees other numbers to call instead of the recipient's, the alternate contact's, and that of the buyer
 * who hands a return over. A pickup without a name of a shop is a buyer's.
 */
export function withCallNumbers<
  Shown extends Pick<DriverShipment, 'recipientPhone' | 'alternateContact' | 'pickupContact' | 'pickupName'>,
>(shown: Shown, numbers: CallNumbers): Shown {
  const { recipientPhone, alternateContact, pickupContact, pickupName } = shown;
  const numberFor = (phone: string | null) => phone && numbers.numberFor(phone);
  return {
    ...shown,
    recipientPhone: numberFor(recipientPhone),
    alternateContact: alternateContact && { ...alternateContact, phone: numberFor(alternateContact.phone) },
    pickupContact:
      pickupName === undefined
        ? pickupContact && { ...pickupContact, phone: numberFor(pickupContact.phone) }
        : pickupContact,
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
