/* Example responses of tracking: the order of the other examples, while it is on the way. */

const ADDRESS = 'https://api.example.com/t/shard-1_0h5q7c4m2x9vt8ekdw3zrnjby6p1sgaf';

export const exampleLink = {
  linkId: '01976e2b-3a90-7d15-8c44-5e1f7a902b63',
  state: 'ACTIVE',
  locale: 'ar',
  label: 'Sent by SMS',
  permissions: ['ADDRESS', 'INSTRUCTIONS', 'REFUSE'],
  createdAt: '2030-01-30T15:24:07.660918Z',
  expiresAt: '2030-02-06T15:24:07.660918Z',
  revokedAt: null,
  viewCount: 0,
  lastViewedAt: null,
  version: 0,
};
export const exampleRating = { stars: 5, ratedAt: '2030-01-31T10:21:40.512908Z' };
const viewed = { ...exampleLink, viewCount: 3, lastViewedAt: '2030-01-31T09:52:31.204417Z' };

const tracking = {
  shipmentNumber: 'SHP-7ZQ4N0K2RD5',
  merchantName: 'Najd Coffee Roasters',
  merchantLogo: {
    url: 'https://api.example.com/logos/shard-1_6m0vq3t8zj5w1ke9xr2c4hdy7nbp0sga',
    width: 320,
    height: 96,
  },
  merchantPhone: '+966112345678',
  merchantWhatsApp: '+966501234567',
  state: 'OUT_FOR_DELIVERY',
  stateLabel: 'Out for delivery',
  step: 4,
  eta: '2030-01-31T10:10:00.000000Z',
  arrival: { from: '2030-01-31T09:55:00.000000Z', to: '2030-01-31T10:10:00.000000Z' },
  driver: { firstName: 'Salem', vehicleType: 'VAN' },
  livePosition: { latitude: 24.732, longitude: 46.67, recordedAt: '2030-01-31T09:51:55.000000Z' },
  destinationCity: 'RUH',
  codDue: { amount: 94.5, currency: 'SAR' },
  timeline: [
    { type: 'shipment.created', label: 'Order received', occurredAt: '2030-01-30T15:20:00.118240Z' },
    { type: 'shipment.approved', label: 'Order confirmed', occurredAt: '2030-01-30T15:20:00.634105Z' },
    { type: 'shipment.accepted', label: 'A driver was assigned', occurredAt: '2030-01-31T08:55:41.090352Z' },
    { type: 'shipment.picked_up', label: 'Collected by the driver', occurredAt: '2030-01-31T09:36:12.775009Z' },
    { type: 'shipment.out_for_delivery', label: 'Out for delivery', occurredAt: '2030-01-31T09:41:22.441520Z' },
  ],
  locale: 'en',
  updatedAt: '2030-01-31T09:51:55.000000Z',
};

export const TRACKING_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'shipments.dispatch': {
    phase: 'SEARCHING',
    since: '2030-01-30T15:20:04.117893Z',
    serviceLevel: 'STANDARD',
    reasons: [{ code: 'ALL_DRIVERS_BUSY', detail: 'Every driver who can carry the shipment is busy (3).' }],
    offersMade: 1,
    declines: 1,
    nextLookAt: '2030-01-30T15:24:10.000000Z',
    givesUpAt: '2030-01-30T15:35:04.117893Z',
    retryHelps: false,
  },
  'shipments.tracking': { ...tracking, dispatch: { phase: 'ASSIGNED', offersMade: 1 }, goods: 'WITH_DRIVER' },
  'trackingLinks.create': { ...exampleLink, url: ADDRESS },
  'trackingLinks.list': { data: [viewed], page: { nextCursor: null, hasMore: false } },
  'trackingLinks.get': viewed,
  'trackingLinks.getUrl': { url: ADDRESS },
  'trackingLinks.follow': tracking,
};
