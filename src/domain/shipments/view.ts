import type { CommandedShipment } from '../../contract/operator-shipment.ts';
import type { Location, Shipment, ShipmentItem, TimelineEntry } from '../../contract/shipment.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { FORGOTTEN_PHONE, maskPhone } from '../../core/phone.ts';
import { etagOf } from '../../core/precondition.ts';
import type { TimelineRow } from '../events/store.ts';
import type { ShipmentRow } from './store.ts';

/** A shipment as merchants see it. It has only the name of the recipient and four digits of the phone. */
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

/** A shipment after an operator's command. */
export function presentCommanded(row: ShipmentRow): CommandedShipment {
  const { id, shipmentNumber, externalReference, state, version } = row;
  return { shipmentId: id, shipmentNumber, externalReference, state, version };
}

/** What people read about an event: its reason, if there is one, and after a colon what somebody wrote. */
export function noteOf({ reasonCode, note }: Pick<TimelineRow, 'reasonCode' | 'note'>): string | null {
  const text = [reasonCode, note].filter((part) => part !== null).join(': ');
  return text === '' ? null : text;
}

/** An entry of the timeline. */
export function presentTimelineEntry(row: TimelineRow): TimelineEntry {
  return {
    sequence: row.sequence,
    type: row.reported === 0 ? row.type : 'late_report',
    state: row.state,
    occurredAt: formatInstant(row.occurredAt),
    actor: row.actor,
    note: noteOf(row),
  };
}

/** Whether the recipient's personal data was deleted. The version and its tag stay, although the representation has changed. */
export function isForgotten({ recipientPhone }: Pick<ShipmentRow, 'recipientPhone'>): boolean {
  return recipientPhone === FORGOTTEN_PHONE;
}

/** The path of a shipment. */
export function locationOf(shipmentId: string): string {
  return `/v2/external/shipments/${shipmentId}`;
}

/** The response of an operation on one shipment. */
export function shipmentAnswer(row: ShipmentRow) {
  return { status: 200, body: presentShipment(row), headers: { etag: etagOf(row.version) } };
}
