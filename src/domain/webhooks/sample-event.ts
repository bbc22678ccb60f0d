import type { Event } from '../../contract/event.ts';
import type { EventType } from '../../contract/event-type.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { literalDecimal } from '../../core/decimal.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { EDGES } from '../shipments/lifecycle.ts';

/** The content of a test event: an invented shipment in the state that follows this type of event. Pure. */
export function sampleOf(type: EventType, now: Instant): Pick<Event, 'previousState' | 'data'> {
  const edge = EDGES.find(({ event }) => event === type);
  const state = edge?.to ?? 'PENDING_APPROVAL';
  return { previousState: edge?.from ?? null, data: { shipment: sampleShipment(state, now) } };
}

/** The nil UUID (RFC 9562 section 5.9): no shipment has it. */
const NO_SHIPMENT = '00000000-0000-0000-0000-000000000000';

function sampleShipment(state: Shipment['state'], now: Instant): Shipment {
  const createdAt = formatInstant(now);
  return {
    shipmentId: NO_SHIPMENT,
    shipmentNumber: 'SHP-00000000000',
    externalReference: 'webhook-test',
    state,
    recipientName: 'Sara Al-Harbi',
    maskedRecipientPhone: '********0001',
    totalWeightKilograms: literalDecimal('2.1'),
    declaredValue: literalDecimal('180.5'),
    codAmount: literalDecimal('0'),
    currency: 'SAR',
    paymentMethod: 'PREPAID',
    pickupWindowStart: createdAt,
    pickupWindowEnd: createdAt,
    createdAt,
    approvedAt: state === 'PENDING_APPROVAL' ? null : createdAt,
    version: state === 'PENDING_APPROVAL' ? 0 : 1,
    destination: locationAt('2929 King Fahd Road', '24.7743', '46.6572'),
    pickup: locationAt('1 Olaya Street', '24.6945', '46.6856'),
    items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: literalDecimal('1.05') }],
    requirements: [],
  };
}

function locationAt(addressLine: string, latitude: string, longitude: string) {
  return { addressLine, cityCode: 'RUH', latitude: literalDecimal(latitude), longitude: literalDecimal(longitude) };
}
