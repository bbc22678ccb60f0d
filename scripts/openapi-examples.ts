import {
  WEBHOOK_PARAMETER_EXAMPLES,
  WEBHOOK_PARAMETER_TEXTS,
  WEBHOOK_REQUEST_EXAMPLES,
} from './openapi-webhook-examples.ts';
import { SAMPLE_COMPANIES } from './sample-companies.ts';

const [company] = SAMPLE_COMPANIES;
if (company === undefined) throw new Error('There is no sample company to make examples of');

/**
 * A request body of every operation that takes one, by the operation's name. They are meant to be sent as they stand to
 * a service that was started with the sample companies; only phones and one-time codes are everybody's own.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'shipments.create': {
    externalReference: 'ORDER-1001',
    branchCode: company.branch.branchCode,
    pickupLocationCode: company.pickupLocation.pickupLocationCode,
    recipient: { name: 'Sara Al-Harbi', phone: '+966512345678' },
    destination: {
      addressLine: '2929 King Fahd Road, Riyadh 12333',
      cityCode: company.branch.cityCode,
      latitude: 24.7743,
      longitude: 46.6572,
    },
    declaredValue: 180,
    codAmount: 94.5,
    currency: 'SAR',
    paymentMethod: 'COD',
    pickupWindowStart: '2030-01-31T09:00:00Z',
    pickupWindowEnd: '2030-01-31T12:00:00Z',
    items: [{ description: 'Coffee beans, 1 kg', quantity: 2, weightKilograms: 1.05 }],
    requirements: [],
  },
  'shipments.cancel': { reasonCode: 'DUPLICATE', comment: 'Ordered twice.' },
  'priceEstimates.create': {
    pickup: { latitude: 24.711667, longitude: 46.674167 },
    delivery: { latitude: 24.794722, longitude: 46.626111 },
    destinationCityCode: 'RUH',
  },
  'driver.startSession': { phone: '0512345678' },
  'driver.verifySession': { otp: '493017' },
  'driver.act': {
    action: 'DEPART',
    position: { latitude: 24.694969, longitude: 46.68301, recordedAt: '2026-01-31T09:40:00Z' },
  },
  'sandbox.setDispatchHold': { held: true },
  'sandbox.startDriverSession': { phone: '0512345678' },
  'sandbox.verifyDriverSession': { otp: '493017' },
  'sandbox.startScenario': { name: 'HAPPY_PATH', stepSeconds: 5 },
  'sandbox.setFault': { target: 'ROUTING', count: 3 },
  ...WEBHOOK_REQUEST_EXAMPLES,
};

/** Values of parameters that hold in every service. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  'Idempotency-Key': 'order-1001-creation',
  'If-Match': '"1"',
  challengeId: '01976e2b-0c44-7e19-9a52-3f6b8d1c7e04',
  shipmentId: '01976e2a-7c10-7f4e-8b21-6d90c3a5e842',
  ...WEBHOOK_PARAMETER_EXAMPLES,
};

export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'One key for each creation, chosen by the caller and repeated on every retry. The same key with the same body is ' +
    'answered with 200 and the first answer. Kept for 7 days.',
  'If-Match': 'The ETag of the latest representation, quotation marks included, or *.',
  challengeId: 'From the answer to the request for the code.',
  branchCode: 'Only what belongs to this branch.',
  cursor: 'page.nextCursor of the previous answer, with the same filters. To change a filter, start anew without it.',
  externalReference: "Only the shipment with this identifier of the merchant's own.",
  limit: 'Entries on a page. A value out of range is refused, never clamped.',
  state: 'Only shipments in this state.',
  status: 'Only what has this status.',
  ...WEBHOOK_PARAMETER_TEXTS,
};
