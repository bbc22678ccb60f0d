import type { Location, Shipment, ShipmentItem, TimelineEntry } from '../../contract/shipment.ts';
import { formatInstant } from '../../core/instant.ts';
import { maskPhone } from '../../core/phone.ts';
import type { TimelineRow } from '../events/store.ts';
import type { ShipmentRow } from './store.ts';

/** A shipment as merchants see it. Of the recipient it has only the name and four digits of the phone. */
export function presentShipment(row: ShipmentRow): Shipment {
  return {
    shipmentId: row.id,
    shipmentNumber: row.shipmentNumber,
    externalReference: row.externalReference,
    state: row.state,
    recipientName: row.recipientName,
    maskedRecipientPhone: maskPhone(row.recipientPhone),
    totalWeightKilograms: row.totalWeightKilograms,
    declaredValue: row.declaredValue,
    codAmount: row.codAmount,
    currency: row.currency,
    paymentMethod: row.paymentMethod,
    pickupWindowStart: formatInstant(row.pickupWindowStart),
    pickupWindowEnd: formatInstant(row.pickupWindowEnd),
    createdAt: formatInstant(row.createdAt),
    approvedAt: row.approvedAt === null ? null : formatInstant(row.approvedAt),
    version: row.version,
    destination: parseStored<Location>(row.destination),
    pickup: parseStored<Location>(row.pickup),
    items: parseStored<ShipmentItem[]>(row.items),
    requirements: parseStored<string[]>(row.requirements),
  };
}

/** A step of the timeline. The reason of a cancellation or failure opens its note. */
export function presentTimelineEntry(row: TimelineRow): TimelineEntry {
  const note = [row.reasonCode, row.note].filter((part) => part !== null).join(': ');
  return {
    sequence: row.sequence,
    type: row.type,
    state: row.state,
    occurredAt: formatInstant(row.occurredAt),
    actor: row.actor,
    note: note === '' ? null : note,
  };
}

/** The strong entity tag of a shipment: its version, quoted. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Where a shipment is read. */
export function locationOf(shipmentId: string): string {
  return `/v2/external/shipments/${shipmentId}`;
}

/** JSON that this service wrote into its own row. */
function parseStored<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

/** What an operation on one shipment answers. */
export function shipmentAnswer(row: ShipmentRow) {
  return { status: 200, body: presentShipment(row), headers: { etag: etagOf(row.version) } };
}
