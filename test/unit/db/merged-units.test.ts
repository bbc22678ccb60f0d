import { expect, test } from 'vitest';
import { mergeUnits } from '../../../db/merge.ts';
import type { ShipmentState } from '../../../src/contract/shipment-state.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { addSeconds, instantFromMillis } from '../../../src/core/instant.ts';
import type { Uuid } from '../../../src/core/uuid.ts';
import { realClock } from '../../../src/domain/clocks/company-clock.ts';
import { recipientLooksInsert } from '../../../src/domain/drivers/store.ts';
import { type Command, decide } from '../../../src/domain/shipments/lifecycle.ts';
import type { ShipmentRow } from '../../../src/domain/shipments/store.ts';
import { transitionUnit } from '../../../src/domain/shipments/transition.ts';

/* Concurrent units of one kind are merged into one statement per table (decision 0010). */

const now = instantFromMillis(1_795_224_000_000);
const decimal = literalDecimal;
const idOf = (number: number) => `01a1fbdf-1dae-72c6-bbe1-${String(number).padStart(12, '0')}` as Uuid;
const place = JSON.stringify({ addressLine: '1 King Fahd Road', cityCode: 'RUH', latitude: '24.7', longitude: '46.7' });

function shipment(number: number, state: ShipmentState): ShipmentRow {
  return {
    ...{
      id: idOf(number),
      companyId: idOf(900),
      shipmentNumber: `SHP-${number}`,
      externalReference: `order ${number}`,
    },
    ...{
      state,
      version: 3,
      eventCount: 4,
      metadataVersion: 0,
      amendmentCount: 0,
      place: null,
      deliveryWindowStart: null,
      deliveryWindowEnd: null,
      instructions: null,
      createdAt: now,
      approvedAt: now,
      dueAt: null,
      searchFrom: null,
    },
    ...{ branchCode: 'RUH-1', pickupLocationCode: 'RUH-STORE', pickup: place, destination: place },
    ...{ recipientName: 'Noura', recipientFoldedName: 'noura', recipientPhone: '+966512345678' },
    ...{ alternateContactName: null, alternateContactPhone: null, items: '[]', requirements: '[]' },
    ...{ totalWeightKilograms: decimal('1'), declaredValue: decimal('10'), codAmount: decimal('0') },
    ...{ currency: 'SAR', paymentMethod: 'PREPAID' },
    ...{ pickupWindowStart: now, pickupWindowEnd: addSeconds(now, 3600) },
  };
}

function unitOf(number: number, state: ShipmentState, command: Command) {
  const row = shipment(number, state);
  const decision = decide(row, command, 'driverId' in command ? 'DRIVER' : 'MERCHANT', now);
  if (decision.kind !== 'transition') throw new Error(`${command.name} of ${state} is ${decision.kind}`);
  const made = {
    eventId: idOf(number + 100),
    correlationId: idOf(number + 200),
    config: { deployment: 'local' },
  } as const;
  return transitionUnit(row, command, decision.transition, { ...made, clock: realClock({ now: () => now }) });
}

const cancel = { name: 'CANCEL', reasonCode: 'CUSTOMER_REQUEST', comment: null } as const;
const pickUp = (number: number) => ({ name: 'PICK_UP', driverId: idOf(number + 300) }) as const;

test.each(['PENDING_APPROVAL', 'READY_FOR_DISPATCH'] as const)('cancellations of %s are merged', (state) => {
  expect(mergeUnits([1, 2, 3].map((number) => unitOf(number, state, cancel)))).toHaveLength(1);
});

test('pick-ups of several drivers are merged', () => {
  expect(mergeUnits([1, 2, 3].map((number) => unitOf(number, 'ACCEPTED', pickUp(number))))).toHaveLength(1);
});

test('recipient disclosures to several drivers are merged', () => {
  const looks = [1, 2].map((number) => ({
    statements: [recipientLooksInsert(idOf(number), [idOf(number + 20)], now)],
  }));
  expect(mergeUnits(looks)).toHaveLength(1);
});
