import { addressExamples } from './address-examples.ts';
import { amendmentExamples, exampleWindow } from './amendment-examples.ts';
import { batchExamples } from './batch-examples.ts';
import { CASE_ANSWER_EXAMPLES } from './case-examples.ts';
import { COD_ANSWER_EXAMPLES } from './cod-examples.ts';
import { COVERAGE_EXAMPLES } from './coverage-examples.ts';
import { REQUEST_EXAMPLES } from './examples.ts';
import { PEOPLE_ANSWER_EXAMPLES } from './people-examples.ts';
import { PROOF_ANSWER_EXAMPLES } from './proof-examples.ts';
import { RECIPIENT_ANSWER_EXAMPLES } from './recipient-examples.ts';
import { resolutionExamples } from './resolution-examples.ts';
import { TRACKING_EXAMPLES } from './tracking-examples.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

/*
 * Example responses by the operation's name. They tell the story of one order, so that readers of several examples see
 * the same shipment again.
 */

const SHIPMENT_ID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
const SHIPMENT_NUMBER = 'SHP-7ZQ4N0K2RD5';
const WINDOW = {
  pickupWindowStart: '2030-01-31T09:00:00.000000Z',
  pickupWindowEnd: '2030-01-31T12:00:00.000000Z',
};
const PICKUP = {
  addressLine: '8228 Olaya Street, Al Olaya, Riyadh 12213',
  cityCode: 'RUH',
  latitude: 24.694969,
  longitude: 46.68301,
};
const DESTINATION = {
  addressLine: '2929 King Fahd Road, Riyadh 12333',
  cityCode: 'RUH',
  latitude: 24.7743,
  longitude: 46.6572,
};
const WAY = { distanceMeters: 11958, durationSeconds: 1196 };

const picture = {
  mediaAssetId: '01976e29-e4b0-7d58-a1c6-3f92b07d5e14',
  purpose: 'SHIPMENT_CREATION_EVIDENCE',
  sortOrder: 0,
};
export const created = {
  shipmentId: SHIPMENT_ID,
  shipmentNumber: SHIPMENT_NUMBER,
  externalReference: 'ORDER-1001',
  state: 'PENDING_APPROVAL',
  recipientName: 'Sara Al-Harbi',
  maskedRecipientPhone: '********5678',
  totalWeightKilograms: 2.1,
  declaredValue: 180,
  codAmount: 94.5,
  currency: 'SAR',
  paymentMethod: 'COD',
  ...WINDOW,
  createdAt: '2030-01-30T15:20:00.118240Z',
  approvedAt: null,
  version: 0,
  destination: DESTINATION,
  pickup: PICKUP,
  items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: 1.05 }],
  requirements: [],
};
const approved = {
  ...created,
  state: 'READY_FOR_DISPATCH',
  approvedAt: '2030-01-30T15:20:00.634105Z',
  version: 1,
};
/** An event of the order. The examples of webhooks are made of it. */
export const createdEvent = {
  id: '01976e2a-7c15-7b08-9d3e-41f2c6a8e570',
  type: 'shipment.created',
  timestamp: created.createdAt,
  apiVersion: 'v2',
  deployment: 'production',
  companyId: '01976d11-02b7-7c64-8a1f-d35e90b7c428',
  shipmentId: SHIPMENT_ID,
  sequence: 1,
  previousState: null,
  correlationId: '01976e2a-7c0f-7e21-b6a4-08d7f3c9215e',
  data: { shipment: { ...created, timelineMedia: [picture] } },
};
const branch = {
  branchCode: 'RUH-MAIN',
  name: 'Riyadh, Olaya',
  nameAr: 'الرياض، العليا',
  cityCode: 'RUH',
  status: 'ACTIVE',
  createdAt: '2030-01-02T08:00:00.000000Z',
  updatedAt: '2030-01-02T08:00:00.000000Z',
  version: 0,
};
const pickupLocation = {
  pickupLocationCode: 'RUH-ROASTERY',
  branchCode: 'RUH-MAIN',
  name: 'Olaya roastery',
  nameAr: 'محمصة العليا',
  location: PICKUP,
  contactName: 'Faisal Al-Otaibi',
  maskedContactPhone: '********0001',
  instructions: 'Loading bay behind the building, from 08:00.',
  status: 'ACTIVE',
  createdAt: '2030-01-02T08:00:00.000000Z',
  updatedAt: '2030-01-02T08:00:00.000000Z',
  version: 0,
};
const SHOP = { merchantName: 'Najd Coffee', pickupName: 'Olaya roastery', pickupNameAr: 'محمصة العليا' };
const offer = {
  offerId: '01976e2a-8d02-7a6f-b3c1-95e07d24f813',
  shipmentId: SHIPMENT_ID,
  shipmentNumber: SHIPMENT_NUMBER,
  pickup: PICKUP,
  ...SHOP,
  destinationCityCode: 'RUH',
  destinationDistrict: 'النخيل',
  codAmount: 0,
  currency: 'SAR',
  ...WAY,
  requirements: [],
  totalWeightKilograms: 2.1,
  ...WINDOW,
  deliveryWindow: { ...exampleWindow, status: 'ASKED' },
  offeredAt: '2030-01-31T08:55:10.402771Z',
  expiresAt: '2030-01-31T08:56:10.402771Z',
};
const driverShipment = {
  shipmentId: SHIPMENT_ID,
  shipmentNumber: SHIPMENT_NUMBER,
  ...SHOP,
  state: 'OUT_FOR_DELIVERY',
  version: 6,
  pickup: PICKUP,
  pickupContact: { name: 'Khalid', phone: '+966500000011' },
  pickupInstructions: 'Ring the bell at the back door.',
  destination: DESTINATION,
  recipientName: 'Sara Al-Harbi',
  recipientPhone: '+966512345678',
  alternateContact: null,
  items: created.items,
  place: { kind: 'RECEPTION', note: null },
  instructions: 'Call from the gate.',
  changes: [
    {
      version: 4,
      changes: ['INSTRUCTIONS', 'ADDRESS_LINE'],
      changedAt: '2030-01-31T09:40:02.118240Z',
      acknowledgedAt: null,
    },
  ],
  refusedAt: null,
  deliveryWindow: { ...exampleWindow, status: 'MET' },
  arrivedAt: '2030-01-31T14:05:41.203377Z',
  proofRequired: ['PIN'],
  totalWeightKilograms: 2.1,
  requirements: [],
  paymentMethod: 'COD',
  codAmount: 94.5,
  currency: 'SAR',
  ...WINDOW,
};
const standing = {
  driverId: '01976e2b-1d5f-7a20-8c44-5b7e9f013a6d',
  firstName: 'Faisal',
  cityCode: 'RUH',
  onDuty: true,
  activeCount: 1,
  activeMax: 5,
  offDutyReason: null,
};
const challenge = {
  challengeId: '01976e2b-0c44-7e19-9a52-3f6b8d1c7e04',
  expiresAt: '2030-01-31T08:55:00.000000Z',
};
const session = {
  driverToken: 'drv_shard-1_Zk3Qm8T1v0yXc5RbHn7LwE2sUa9DfGj4PoIi6KtYxVq',
  expiresAt: '2030-01-31T20:50:12.940318Z',
};
const readiness = {
  generation: 1,
  canCreateShipment: true,
  nextShipmentDispatchHeld: false,
  branchCode: 'SANDBOX_BRANCH',
  pickupLocationCode: 'SANDBOX_PICKUP',
  pickup: { latitude: 24.711667, longitude: 46.674167 },
  delivery: { latitude: 24.794722, longitude: 46.626111 },
  destinationCityCode: 'RUH',
  sandboxDriverPhone: '0512345678',
  prerequisites: ['COMPANY_VERIFIED', 'BRANCH', 'PICKUP_LOCATION', 'CITY', 'COMMERCIAL_TERMS', 'DRIVER', 'ROUTING'].map(
    (prerequisite) => ({ prerequisite, ready: true }),
  ),
};

const exampleMetadata = { metadata: { channel: 'web', salesOrder: '4711' }, version: 1 };

const price = {
  currency: 'SAR',
  netAmount: 29.5,
  vatRate: 0.15,
  vatAmount: 4.43,
  totalAmount: 33.93,
  breakdown: [
    { code: 'BASE', amount: 12 },
    { code: 'DISTANCE', amount: 17.5 },
    { code: 'CITY', amount: 0 },
  ],
  distanceMeters: 13562,
  durationSeconds: 1356,
  tariffVersion: 1,
  estimatedAt: '2030-01-30T15:19:02.551006Z',
};

const { estimatedAt: lockedAt, ...amounts } = price;
const lockedPrice = {
  priceLock: 'q1Jd0mU5cXo3Zk9hVw2LrQeNbTf8GxPzKi4CyE7sAhM6Rj_lB0vD-YuOgWnS',
  lockId: '01976e2b-4d10-7a92-8e35-9b7c1f04d6a8',
  lockedAt,
  expiresAt: '2030-01-30T15:34:02.551006Z',
  ...amounts,
  terms: {
    cancellationAmount: 10,
    cancellationGraceSeconds: 120,
    lateCancellationSeconds: 3600,
    lockSecondsMax: 86_400,
    amendmentFreeMeters: 200,
    returnRate: 1,
    redeliveryRate: 0.8,
  },
};

export const ANSWER_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'mediaAssets.create': { ...picture, state: 'READY' },
  'mediaAssets.list': pageOf({
    ...picture,
    state: 'READY',
    externalReference: 'ORDER-1002',
    shipmentId: SHIPMENT_ID,
    contentType: 'image/jpeg',
    sizeBytes: 48_213,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    createdAt: '2030-01-30T15:12:44.002917Z',
  }),
  'shipments.create': created,
  'shipments.list': pageOf(approved),
  'shipments.get': approved,
  'shipments.cancel': { ...approved, state: 'CANCELLED', version: 2 },
  'shipments.retryDispatch': { ...approved, version: 3 },
  'shipments.charges': {
    currency: 'SAR',
    lines: [
      { code: 'BASE', amount: 12, createdAt: created.createdAt },
      { code: 'DISTANCE', amount: 15, createdAt: created.createdAt },
      { code: 'CITY', amount: 0, createdAt: created.createdAt },
    ],
    netAmount: 27,
    vatRate: 0.15,
    vatAmount: 4.05,
    totalAmount: 31.05,
    tariffVersion: 1,
    ...WAY,
    terms: {
      cancellationAmount: 10,
      cancellationGraceSeconds: 120,
      lateCancellationSeconds: 3600,
      lockSecondsMax: 86_400,
      amendmentFreeMeters: 200,
      returnRate: 1,
      redeliveryRate: 0.8,
    },
    priceLock: {
      lockId: lockedPrice.lockId,
      lockedAt: '2030-01-30T15:14:02.551006Z',
      expiresAt: '2030-01-30T15:44:02.551006Z',
    },
  },
  'shipments.previewCancellation': {
    shipmentId: created.shipmentId,
    version: 3,
    state: 'ACCEPTED',
    cancellable: true,
    rule: 'GRACE',
    payer: 'NOBODY',
    fee: { currency: 'SAR', netAmount: 0, vatRate: 0.15, vatAmount: 0, totalAmount: 0 },
    refund: { totalAmount: 31.05 },
    chargesAfter: { netAmount: 0, vatAmount: 0, totalAmount: 0 },
    validUntil: '2026-11-21T09:03:20.000000Z',
    endsWith: ['shipment.driver_released', 'shipment.picked_up'],
    next: {
      rule: 'DRIVER_ON_WAY',
      payer: 'MERCHANT',
      fee: { currency: 'SAR', netAmount: 10, vatRate: 0.15, vatAmount: 1.5, totalAmount: 11.5 },
      from: '2026-11-21T09:03:20.000000Z',
    },
    instead: null,
    decidedAt: '2026-11-21T09:01:45.000000Z',
  },
  ...amendmentExamples(approved),
  'shipments.timeline': pageOf({
    sequence: 1,
    type: 'shipment.created',
    state: 'PENDING_APPROVAL',
    occurredAt: created.createdAt,
    actor: 'MERCHANT',
    note: null,
  }),
  ...TRACKING_EXAMPLES,
  ...COD_ANSWER_EXAMPLES,
  ...resolutionExamples(created),
  ...CASE_ANSWER_EXAMPLES,
  ...PROOF_ANSWER_EXAMPLES,
  ...RECIPIENT_ANSWER_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  'events.list': pageOf(createdEvent),
  'priceEstimates.create': price,
  'priceLocks.create': lockedPrice,
  ...addressExamples,
  ...batchExamples,
  'shipmentMetadata.get': exampleMetadata,
  'shipmentMetadata.replace': exampleMetadata,
  'shipmentValidations.create': {
    valid: true,
    violations: [],
    problems: [],
    warnings: [
      {
        field: 'recipient',
        code: 'DUPLICATE_LIKELY',
        message: 'A shipment to the same phone and place with the same value was created in the last ten minutes.',
      },
    ],
    conflicts: { externalReference: null },
    price,
    dispatch: { eligible: true, serviceLevel: true, reasons: [] },
  },
  'branches.list': pageOf(branch),
  'pickupLocations.list': pageOf(pickupLocation),
  ...COVERAGE_EXAMPLES,
  'driver.startSession': challenge,
  'driver.verifySession': session,
  'driver.getStanding': standing,
  'driver.setDuty': standing,
  'driver.listOffers': pageOf(offer),
  'driver.listShipments': pageOf(driverShipment),
  'driver.act': driverShipment,
  'driver.attemptAgain': { ...driverShipment, state: 'PICKED_UP', version: 0 },
  'sandbox.bootstrap': readiness,
  'sandbox.readiness': readiness,
  'sandbox.setDispatchHold': { ...readiness, nextShipmentDispatchHeld: true },
  'sandbox.setDispatchSettings': readiness,
  'sandbox.reset': { ...readiness, generation: 2 },
  'sandbox.releaseDispatch': approved,
  'sandbox.readClock': {
    now: '2030-02-02T15:20:04.402918Z',
    offsetSeconds: 259200,
    state: 'READY',
    target: null,
    nextDue: [{ at: '2030-02-02T15:21:00.634105Z', what: 'OFFER_EXPIRY', shipmentId: SHIPMENT_ID }],
  },
  'sandbox.advanceClock': { state: 'ADVANCING', target: '2030-02-02T15:21:00.634105Z' },
  'sandbox.startDriverSession': { ...challenge, sandboxOtp: '493017' },
  'sandbox.verifyDriverSession': session,
  'sandbox.startScenario': {
    shipmentId: SHIPMENT_ID,
    ...REQUEST_EXAMPLES['sandbox.startScenario'],
    startedAt: '2030-01-30T15:21:40.007313Z',
  },
  'sandbox.setFault': { target: 'ROUTING', remaining: 3 },
  ...PEOPLE_ANSWER_EXAMPLES,
};

/** A list with one entry. */
function pageOf(entry: Readonly<Record<string, unknown>>) {
  return { data: [entry], page: { nextCursor: null, hasMore: false } };
}
