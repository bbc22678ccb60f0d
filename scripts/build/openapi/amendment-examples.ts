/* Examples of amendments, of the order of the other examples. */

/** The destination after the amendment. */
const destination = {
  addressLine: '2929 King Fahd Road, Riyadh 12333, second gate',
  cityCode: 'RUH',
  latitude: 24.7771,
  longitude: 46.6612,
};
/** What the order becomes by the amendment. */
const amended = { state: 'ACCEPTED', version: 4, destination };
export const exampleAmendment = {
  amendmentId: '01976e2d-9a44-7d1b-b1c7-52e8f0a4637d',
  by: 'MERCHANT',
  changes: ['INSTRUCTIONS', 'LOCATION', 'ADDRESS_LINE', 'DELIVERY_WINDOW', 'SHORT_ADDRESS'],
  reasonCode: 'RECIPIENT_ASKED',
  priceEffect: {
    lines: [{ code: 'AMENDMENT', amount: 1.25 }],
    netAmount: 1.25,
    vatAmount: 0.19,
    totalAmount: 1.44,
  },
};

/** What the recipient of the order asks for, and the company has to decide. */
export const exampleRequest = {
  ...exampleAmendment,
  amendmentId: '01976e2f-0d18-7c46-9e57-b3a0f2c4d685',
  by: 'RECIPIENT',
  changes: ['LOCATION', 'ADDRESS_LINE'],
  reasonCode: null,
  priceEffect: {
    lines: [{ code: 'AMENDMENT', amount: 2.5 }],
    netAmount: 2.5,
    vatAmount: 0.38,
    totalAmount: 2.88,
  },
  decideBy: '2030-01-31T11:12:40.118240Z',
};
const { decideBy: _decideBy, ...request } = exampleRequest;
export const exampleDecision = { ...request, state: 'APPLIED' };
/** The destination that the recipient asks for. */
export const asked = {
  location: { latitude: 24.7816, longitude: 46.6645 },
  addressLine: '3041 King Fahd Road, Riyadh 12333',
};
/** The window that the recipient asked for: from five in the afternoon until eight, in Riyadh. */
export const OFFERED = { start: '2030-01-31T14:00:00.000000Z', end: '2030-01-31T17:00:00.000000Z', part: 'EVENING' };
export const exampleWindow = { ...OFFERED, status: 'AGREED' };

const LISTED = {
  ...exampleAmendment,
  state: 'APPLIED',
  change: {
    location: { latitude: destination.latitude, longitude: destination.longitude },
    addressLine: destination.addressLine,
    shortAddress: 'RRRD2929',
    deliveryWindow: OFFERED,
    instructions: 'Call from the gate.',
  },
  shipmentVersion: 4,
  requestedAt: '2030-01-30T15:24:10.337912Z',
  acknowledgedAt: null,
  decideBy: null,
  decidedAt: null,
  version: 0,
};

/** Example answers by the operation's name, for the order `shipment`. */
export const amendmentExamples = (shipment: { readonly shipmentId: string }) => ({
  'shipmentAmendments.preview': {
    shipmentId: shipment.shipmentId,
    version: 3,
    state: 'ACCEPTED',
    allowed: true,
    changes: exampleAmendment.changes,
    violations: [],
    priceEffect: exampleAmendment.priceEffect,
    payer: 'MERCHANT',
    chargesAfter: { netAmount: 28.25, vatAmount: 4.24, totalAmount: 32.49 },
    distanceMeters: 12406,
    validUntil: null,
    endsWith: ['shipment.delivered', 'shipment.delivery_failed', 'shipment.cancelled', 'shipment.out_for_delivery'],
  },
  'deliveryWindows.get': {
    window: exampleWindow,
    windowsOffered: [
      OFFERED,
      { start: '2030-01-31T17:00:00.000000Z', end: '2030-01-31T20:00:00.000000Z', part: 'EVENING' },
      { start: '2030-02-01T05:00:00.000000Z', end: '2030-02-01T08:00:00.000000Z', part: 'MORNING' },
    ],
  },
  'shipmentAmendments.create': { ...shipment, ...amended },
  'shipmentAmendments.decide': {
    ...LISTED,
    ...exampleRequest,
    change: asked,
    shipmentVersion: 6,
    requestedAt: '2030-01-31T09:12:40.118240Z',
    decidedAt: '2030-01-31T09:20:03.551006Z',
    version: 1,
  },
  'shipmentAmendments.list': {
    data: [LISTED],
    page: { nextCursor: null, hasMore: false },
  },
});
