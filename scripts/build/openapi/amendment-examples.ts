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
  changes: ['INSTRUCTIONS', 'LOCATION', 'ADDRESS_LINE'],
  reasonCode: 'RECIPIENT_ASKED',
  priceEffect: {
    lines: [{ code: 'AMENDMENT', amount: 1.25 }],
    netAmount: 1.25,
    vatAmount: 0.19,
    totalAmount: 1.44,
  },
};

const LISTED = {
  ...exampleAmendment,
  state: 'APPLIED',
  change: {
    location: { latitude: destination.latitude, longitude: destination.longitude },
    addressLine: destination.addressLine,
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
  'shipmentAmendments.create': { ...shipment, ...amended },
  'shipmentAmendments.list': {
    data: [LISTED],
    page: { nextCursor: null, hasMore: false },
  },
});
