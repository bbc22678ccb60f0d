import { v7 } from 'uuid';
import type { Shipment, ShipmentRequest } from './usual-schemas.ts';
import type { Item, StoredAddress, shipments } from './usual-tables.ts';

export type ShipmentRow = typeof shipments.$inferSelect;

export function rowOf(companyId: string, request: ShipmentRequest, point: StoredAddress): ShipmentRow {
  const { recipient, destination, items } = request;
  return {
    id: v7(),
    companyId,
    shipmentNumber: newNumber(),
    externalReference: request.externalReference,
    state: 'PENDING_APPROVAL',
    version: 0,
    createdAt: Date.now() * 1000,
    approvedAt: null,
    branchCode: request.branchCode,
    pickupLocationCode: request.pickupLocationCode,
    recipientName: recipient.name,
    recipientPhone: e164(recipient.phone),
    alternateContactName: recipient.alternateContactName ?? null,
    alternateContactPhone: recipient.alternateContactPhone ? e164(recipient.alternateContactPhone) : null,
    pickup: {
      addressLine: point.addressLine,
      cityCode: point.cityCode,
      latitude: point.latitude,
      longitude: point.longitude,
    },
    destination: { ...destination, latitude: String(destination.latitude), longitude: String(destination.longitude) },
    totalWeightKilograms: String(items.reduce((total, item) => total + item.quantity * item.weightKilograms, 0)),
    declaredValue: String(request.declaredValue),
    codAmount: String(request.codAmount),
    currency: request.currency,
    paymentMethod: request.paymentMethod,
    pickupWindowStart: Date.parse(request.pickupWindowStart) * 1000,
    pickupWindowEnd: Date.parse(request.pickupWindowEnd) * 1000,
    items: items.map(({ weightKilograms, ...item }) => ({
      description: item.description,
      quantity: item.quantity,
      weightKilograms: String(weightKilograms),
      ...(item.lengthCentimetres == null ? {} : { lengthCentimetres: String(item.lengthCentimetres) }),
      ...(item.widthCentimetres == null ? {} : { widthCentimetres: String(item.widthCentimetres) }),
      ...(item.heightCentimetres == null ? {} : { heightCentimetres: String(item.heightCentimetres) }),
    })),
    requirements: request.requirements,
  };
}

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function newNumber(): string {
  return `SHP-${Array.from(crypto.getRandomValues(new Uint8Array(11)), (byte) => SYMBOLS[byte % 32]).join('')}`;
}

function e164(phone: string): string {
  return `+966${phone.slice(-9)}`;
}

export async function fingerprintOf(request: ShipmentRequest): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(request)));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

export function present(row: ShipmentRow): Shipment {
  return {
    shipmentId: row.id,
    shipmentNumber: row.shipmentNumber,
    externalReference: row.externalReference,
    state: row.state,
    recipientName: row.recipientName,
    maskedRecipientPhone: `********${row.recipientPhone.slice(-4)}`,
    totalWeightKilograms: Number(row.totalWeightKilograms),
    declaredValue: Number(row.declaredValue),
    codAmount: Number(row.codAmount),
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    pickupWindowStart: instantOf(row.pickupWindowStart),
    pickupWindowEnd: instantOf(row.pickupWindowEnd),
    createdAt: instantOf(row.createdAt),
    approvedAt: row.approvedAt === null ? null : instantOf(row.approvedAt),
    version: row.version,
    destination: placeOf(row.destination),
    pickup: placeOf(row.pickup),
    items: row.items.map(itemOf),
    requirements: row.requirements,
  };
}

/** Microseconds since 1970 to RFC 3339. */
function instantOf(micros: number): string {
  const millis = Math.floor(micros / 1000);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros - millis * 1000).padStart(3, '0')}Z`;
}

function placeOf(place: StoredAddress) {
  return { ...place, latitude: Number(place.latitude), longitude: Number(place.longitude) };
}

function itemOf({ weightKilograms, lengthCentimetres, widthCentimetres, heightCentimetres, ...item }: Item) {
  return {
    ...item,
    weightKilograms: Number(weightKilograms),
    ...(lengthCentimetres == null ? {} : { lengthCentimetres: Number(lengthCentimetres) }),
    ...(widthCentimetres == null ? {} : { widthCentimetres: Number(widthCentimetres) }),
    ...(heightCentimetres == null ? {} : { heightCentimetres: Number(heightCentimetres) }),
  };
}
