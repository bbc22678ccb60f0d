/* Example requests and responses of webhooks: the events of the order of the other examples. */

const ENDPOINT_ID = '01976e2d-4b10-7c63-9e52-a17f0d8c3b64';
const OTHER_ENDPOINT_ID = '01976e2c-8e40-7b12-8d07-5c3a9f61e248';
const DELIVERY_ID = '01976e2d-9f02-7d11-8a40-6b3e5c9d2f18';
const SECRET = `whsec_${'C'.repeat(43)}=`;
const SHIPMENT_ID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';

export const exampleEndpoint = {
  endpointId: ENDPOINT_ID,
  url: 'https://shop.example.com/hooks/mirsal',
  description: 'Order service',
  eventTypes: ['shipment.created', 'shipment.delivered'],
  state: 'ENABLED',
  secretHint: 'CCC=',
  previousSecretExpiresAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  consecutiveFailures: 0,
  pausedUntil: null,
  createdAt: '2030-01-30T15:02:11.004512Z',
  updatedAt: '2030-01-30T15:02:11.004512Z',
  version: 0,
};
const used = { ...exampleEndpoint, lastSuccessAt: '2030-01-30T15:24:08.120334Z' };
const lastPage = { nextCursor: null, hasMore: false };
/** A creation without most of its members. */
const loggedCreation = {
  requestId: '01976e2a-7b90-7c31-9a4d-2f86b0e7d513',
  correlationId: '01976e2a-7b90-7c31-9a4d-2f86b0e7d513',
  at: '2030-01-30T15:19:59.888000Z',
  source: 'API',
  method: 'POST',
  path: '/v2/external/shipments',
  operation: 'shipments.create',
  status: 422,
  code: 'VALIDATION_FAILED',
  durationMs: 3,
  clientId: 'mci_4f7b2c9d8e1a6053',
  idempotencyKeyHash: '9f86d081884c7d65',
  replayed: false,
  requestHeaders: { 'Idempotency-Key': '<string 36>' },
  requestBody: { externalReference: 'ORDER-1001', destination: { addressLine: '<string 35>', cityCode: 'RUH' } },
  responseBody: { code: 'VALIDATION_FAILED', violations: [{ field: 'items', code: 'REQUIRED' }] },
  bytes: 842,
  shipmentId: null,
  externalReference: 'ORDER-1001',
  repeats: 0,
};

const delivery = {
  deliveryId: DELIVERY_ID,
  endpointId: ENDPOINT_ID,
  eventId: '01976e2a-7c10-7a52-b3d4-0f9e8c7b6a51',
  eventType: 'shipment.created',
  shipmentId: SHIPMENT_ID,
  status: 'SUCCEEDED',
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: '2030-01-30T15:24:07.660918Z',
  completedAt: '2030-01-30T15:24:08.120334Z',
  replayOf: null,
};
const attempt = { startedAt: '2030-01-30T15:24:07.981220Z', durationMs: 139, responseStatus: 204, error: null };
const range = { from: '2030-01-30T00:00:00.000000Z', to: '2030-01-31T00:00:00.000000Z' };
const replay = { replayId: '01976e2e-0a71-7e28-b6c9-4d15f3a8e702', matched: 42 };

export const WEBHOOK_REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'webhookEndpoints.create': {
    url: exampleEndpoint.url,
    description: exampleEndpoint.description,
    eventTypes: exampleEndpoint.eventTypes,
  },
  'webhookEndpoints.update': { eventTypes: ['*'], enabled: true },
  'webhookEndpoints.rotateSecret': { overlapSeconds: 86_400 },
  'webhookEndpoints.sendTestEvent': { eventType: 'shipment.delivered', checks: true },
  'webhookEndpoints.replay': { ...range, statuses: ['EXHAUSTED', 'SKIPPED'] },
};

export const WEBHOOK_EXAMPLES: Readonly<Record<string, unknown>> = {
  'webhookEndpoints.create': { ...exampleEndpoint, signingSecret: SECRET, sameUrlAs: [OTHER_ENDPOINT_ID] },
  'webhookEndpoints.list': { data: [used], page: lastPage },
  'webhookEndpoints.get': used,
  'webhookEndpoints.update': { ...used, eventTypes: ['*'], version: 1, inFlight: 0 },
  'webhookEndpoints.rotateSecret': { signingSecret: SECRET, previousSecretExpiresAt: '2030-01-31T15:30:00.000000Z' },
  'webhookEndpoints.sendTestEvent': {
    eventId: '01976e2e-3c05-7b9a-8d17-52e6f0a4c983',
    url: exampleEndpoint.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mirsal-Webhooks/1',
      'mirsal-webhook-endpoint': ENDPOINT_ID,
      'webhook-id': '01976e2e-3c05-7b9a-8d17-52e6f0a4c983',
      'webhook-timestamp': '1895930647',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"type":"shipment.delivered","data":{"test":true}}',
    ...attempt,
    checks: [
      { name: 'WRONG_SIGNATURE', accepted: false },
      { name: 'OLD_TIMESTAMP', accepted: false },
      { name: 'EMPTY_KEY', accepted: false },
      { name: 'DUPLICATE', accepted: true },
    ],
  },
  'webhookEndpoints.replay': replay,
  'webhookEndpoints.getReplay': {
    ...replay,
    endpointId: ENDPOINT_ID,
    ...range,
    statuses: ['EXHAUSTED', 'SKIPPED'],
    state: 'RUNNING',
    queued: 42,
    succeeded: 30,
    exhausted: 0,
    createdAt: '2030-01-31T08:00:00.000000Z',
    completedAt: null,
  },
  'requestLog.list': { data: [loggedCreation], page: lastPage },
  'requestLog.get': {
    ...loggedCreation,
    relatedEvents: [],
    curl: 'curl -X POST \'https://api.example/v2/external/shipments\' -H "Authorization: Bearer $MIRSAL_TOKEN" -H "Idempotency-Key: again-$(date +%s)-$$" -H \'Content-Type: application/json\' -d \'{"externalReference":"ORDER-1001","destination":{"addressLine":"<destination.addressLine>","cityCode":"RUH"}}\'',
  },
  'webhookDeliveries.list': { data: [delivery], page: lastPage },
  'webhookDeliveries.get': { ...delivery, attempts: [{ number: 1, ...attempt }] },
  'webhookDeliveries.getAttempt': {
    request: {
      url: exampleEndpoint.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mirsal-Webhooks/1',
        'mirsal-webhook-endpoint': ENDPOINT_ID,
        'webhook-id': delivery.eventId,
        'webhook-timestamp': '1896017047',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      body: '{"type":"shipment.created","sequence":1}',
    },
    response: {
      status: 503,
      headers: { 'content-type': 'text/plain', 'content-length': '20', 'retry-after': '120' },
      body: 'Down for maintenance',
      truncated: false,
    },
    durationMs: 139,
    error: 'NON_2XX',
  },
  'webhookDeliveries.replay': {
    ...delivery,
    deliveryId: '01976e2e-5d44-7f30-9b02-c8e1a7d6f395',
    status: 'PENDING',
    attemptCount: 0,
    nextAttemptAt: '2030-01-31T08:10:00.000000Z',
    createdAt: '2030-01-31T08:10:00.000000Z',
    completedAt: null,
    replayOf: DELIVERY_ID,
  },
};
