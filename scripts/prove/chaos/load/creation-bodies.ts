import type { Dice } from '../../../shared/dice.ts';
import type { BatchBody, CreationBody } from './history.ts';

/** A capability that no driver has, so that such a shipment soon becomes DISPATCH_UNRESOLVED. */
const NOBODY_CAN = 'LEVITATION';

/** A creation with values that only exact arithmetic preserves. */
export function draftOf(dice: Dice, externalReference: string): CreationBody {
  const isPaidOnDelivery = dice.roll() < 0.3;
  return {
    externalReference,
    branchCode: 'SANDBOX_BRANCH',
    pickupLocationCode: 'SANDBOX_PICKUP',
    recipient: { name: `Noura ${whole(dice, 1, 999)} الحربي`, phone: `05${whole(dice, 10_000_000, 99_999_999)}` },
    destination: {
      addressLine: `${whole(dice, 1, 9999)} King Fahd Road, Riyadh`,
      cityCode: 'RUH',
      latitude: `24.7${whole(dice, 10_001, 99_999)}1`,
      longitude: `46.6${whole(dice, 10_001, 99_999)}3`,
    },
    declaredValue: dice.roll() < 0.2 ? `${whole(dice, 1e14, 9e14)}12.37` : `${whole(dice, 1, 5000)}.5`,
    codAmount: isPaidOnDelivery ? `${whole(dice, 1, 900)}.25` : '0',
    currency: 'SAR',
    paymentMethod: isPaidOnDelivery ? 'COD' : 'PREPAID',
    pickupWindowStart: `2030-01-${whole(dice, 10, 28)}T09:00:00.${whole(dice, 100_000, 999_999)}Z`,
    pickupWindowEnd: '2030-01-31T12:00:00.000001Z',
    items: Array.from({ length: Math.floor(dice.between(1, 4)) }, (_, index) => ({
      description: `Coffee beans ${index}`,
      quantity: `${whole(dice, 1, 20)}`,
      weightKilograms: `${whole(dice, 1, 9)}.${whole(dice, 10_000, 99_999)}1`,
    })),
    requirements: dice.roll() < 0.2 ? [NOBODY_CAN] : [],
  };
}

function whole(dice: Dice, min: number, max: number): number {
  return Math.floor(dice.between(min, max));
}

/** Members whose text is sent as a bare number, every digit kept. */
const NUMBERS = new Set(['declaredValue', 'codAmount', 'latitude', 'longitude', 'quantity', 'weightKilograms']);

export function bodyOf(draft: CreationBody | BatchBody): string {
  return JSON.stringify(draft, (name, value: unknown) =>
    NUMBERS.has(name) && typeof value === 'string' ? JSON.rawJSON(value) : value,
  );
}
