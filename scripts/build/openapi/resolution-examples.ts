/* Examples of what follows a failed delivery. */

const FOLLOW_UP_ID = '01976e2e-3b7a-7d52-a4c8-9f1b60e2d735';
const price = { currency: 'SAR', netAmount: 25.5, vatRate: 0.15, vatAmount: 3.83, totalAmount: 29.33 };
const free = { ...price, netAmount: 0, vatAmount: 0, totalAmount: 0 };
const options = [
  { kind: 'REDELIVER', available: true, code: null, payer: 'MERCHANT', price },
  { kind: 'RETURN', available: true, code: null, payer: 'MERCHANT', price },
  { kind: 'DISPOSE', available: true, code: null, payer: 'MERCHANT', price: free },
];

/** In `shipment.delivery_failed`. */
export const exampleOptions = { decideBy: '2030-02-01T15:21:30.634105Z', default: 'RETURN', options };
/** In `resolution.chosen`. */
export const exampleChoice = {
  state: 'CHOSEN',
  kind: 'REDELIVER',
  by: 'MERCHANT',
  payer: 'MERCHANT',
  price,
  followUpShipmentId: FOLLOW_UP_ID,
};

/** The answers, from the shipment of the other examples. */
export function resolutionExamples(created: Readonly<Record<string, unknown>>) {
  const followUp = {
    ...created,
    shipmentId: FOLLOW_UP_ID,
    shipmentNumber: 'SHP-3KX8P1M7WTC',
    externalReference: 'ORDER-1001~2',
    state: 'PICKED_UP',
    createdAt: '2030-01-31T16:02:11.634105Z',
    approvedAt: '2030-01-31T16:02:11.634105Z',
    version: 0,
  };
  return {
    'resolutions.get': {
      shipmentId: created['shipmentId'],
      failure: { reasonCode: 'RECIPIENT_REFUSED', at: '2030-01-31T15:21:30.634105Z', evidence: 'NONE' },
      goods: 'WITH_DRIVER',
      state: 'OPEN',
      ...exampleOptions,
      attemptsMade: 1,
      followUpShipmentId: null,
    },
    'resolutions.choose': followUp,
    'resolutions.recall': { ...created, state: 'DELIVERY_FAILED', version: 6 },
    'resolutions.returnItems': {
      ...created,
      shipmentId: FOLLOW_UP_ID,
      shipmentNumber: 'SHP-3KX8P1M7WTC',
      externalReference: 'ORDER-1001-BACK',
      codAmount: 0,
      paymentMethod: 'PREPAID',
    },
    'resolutions.relations': {
      redeliveryOf: null,
      returnOf: null,
      followUps: [{ shipmentId: FOLLOW_UP_ID, kind: 'REDELIVERY', state: 'PICKED_UP' }],
      returnable: [],
    },
  };
}

export const RESOLUTION_REQUEST_EXAMPLES = {
  'resolutions.choose': { kind: 'REDELIVER', location: { latitude: 24.7743, longitude: 46.6572 } },
  'resolutions.recall': { reasonCode: 'WRONG_ITEM', comment: 'The blue one was packed.' },
  'resolutions.returnItems': {
    externalReference: 'ORDER-1001-BACK',
    reasonCode: 'CHANGED_MIND',
    items: [{ index: 0, quantity: 1 }],
    pickupWindowStart: '2030-02-03T09:00:00Z',
    pickupWindowEnd: '2030-02-03T15:00:00Z',
  },
  'driver.attemptAgain': { actionId: '01976e2e-40d1-7b3a-8c27-5a60f9e1d3b8' },
};
