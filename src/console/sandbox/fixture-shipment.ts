import type { Inputs } from '../service/service.ts';
import { textsOf } from '../shell/locale.ts';
import type { SandboxReadiness } from './readiness.tsx';

const TEXTS = {
  en: { name: 'Noura Al-Harbi', address: '4 King Fahd Road, Riyadh', item: 'Coffee beans' },
  ar: { name: 'نورة الحربي', address: '4 طريق الملك فهد، الرياض', item: 'حبوب قهوة' },
};
const HOUR_MS = 3_600_000;

/** A shipment of the sandbox's own places, for which nothing has to be typed. */
export function fixtureShipment(readiness: SandboxReadiness): Inputs['shipments']['create'] {
  const { branchCode, pickupLocationCode, delivery, destinationCityCode } = readiness;
  const { name, address, item } = textsOf(TEXTS);
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  return {
    idempotencyKey: crypto.randomUUID(),
    externalReference: `sandbox-${crypto.randomUUID().slice(0, 8)}`,
    branchCode,
    pickupLocationCode,
    // Digits that no driver will ever call.
    recipient: { name, phone: '0500000000' },
    destination: { addressLine: address, cityCode: destinationCityCode, ...delivery },
    declaredValue: '250',
    codAmount: '120.5',
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: inHours(1),
    pickupWindowEnd: inHours(4),
    items: [{ description: item, quantity: 2, weightKilograms: '1.25' }],
    requirements: [],
  };
}
