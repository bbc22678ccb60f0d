/* What the operations of events and webhooks are asked and answer: one endpoint, one event, its delivery. */

const COMPANY_ID = '01976e29-3b52-7a11-8d6e-0c5f2a9b7e13';
const SHIPMENT_ID = '01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
const ENDPOINT_ID = '01976e2c-41d8-7b60-9f35-8a7c6e2d1b04';
const EVENT_ID = '01976e2d-02aa-7c94-a6b1-54e3f0d9c872';
const DELIVERY_ID = '01976e2d-02aa-7e1b-8c40-19f7b3a6d255';
const REPLAY_ID = '01976e30-5e77-7d02-b8a9-3c61e4f70d98';
const URL = 'https://hooks.example.com/mirsal';
const CREATED_AT = '2030-01-30T15:20:00.118240Z';
/** Not a secret of anybody: the one of the test vector of Standard Webhooks, made as long as ours are. */
const SIGNING_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const endpoint = {
  endpointId: ENDPOINT_ID,
  url: URL,
  description: 'Order system',
  eventTypes: ['shipment.created', 'shipment.delivered'],
  state: 'ENABLED',
  secretHint: 'KYo=',
  previousSecretExpiresAt: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  consecutiveFailures: 0,
  createdAt: '2030-01-30T15:00:00.000000Z',
  updatedAt: '2030-01-30T15:00:00.000000Z',
  version: 0,
};
const delivery = {
  deliveryId: DELIVERY_ID,
  endpointId: ENDPOINT_ID,
  eventId: EVENT_ID,
  eventType: 'shipment.created',
  shipmentId: SHIPMENT_ID,
  status: 'SUCCEEDED',
  attemptCount: 1,
  nextAttemptAt: null,
  createdAt: CREATED_AT,
  completedAt: '2030-01-30T15:20:00.261904Z',
  replayOf: null,
};
const attempt = {
  startedAt: '2030-01-30T15:20:00.149010Z',
  durationMs: 84,
  responseStatus: 204,
  error: null,
};
const lastPage = { nextCursor: null, hasMore: false };

export const WEBHOOK_REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'webhookEndpoints.create': {
    url: URL,
    description: 'Order system',
    eventTypes: ['shipment.created', 'shipment.delivered'],
  },
  'webhookEndpoints.update': { eventTypes: ['*'], enabled: true },
  'webhookEndpoints.rotateSecret': { overlapSeconds: 86_400 },
  'webhookEndpoints.sendTestEvent': { eventType: 'webhook.test' },
  'webhookEndpoints.replay': {
    from: '2030-01-30T00:00:00Z',
    to: '2030-01-31T00:00:00Z',
    statuses: ['EXHAUSTED', 'SKIPPED'],
  },
};

export const WEBHOOK_PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  endpointId: ENDPOINT_ID,
  deliveryId: DELIVERY_ID,
  replayId: REPLAY_ID,
};

export const WEBHOOK_PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  after: 'The id of an event: only what came after it. A poller sends the last one it has seen.',
  type: 'Only events of this kind.',
  eventType: 'Only deliveries of events of this kind.',
};

/** Answers that tell of this shipment as it was created. */
export function webhookAnswerExamples(
  shipment: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const event = {
    id: EVENT_ID,
    type: 'shipment.created',
    timestamp: CREATED_AT,
    apiVersion: 'v2',
    deployment: 'sandbox',
    companyId: COMPANY_ID,
    shipmentId: SHIPMENT_ID,
    sequence: 1,
    previousState: null,
    correlationId: '01976e2a-7c0f-7b5d-9e8a-2f41d6c03b77',
    data: { shipment },
  };
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Mirsal-Webhooks/1',
    'webhook-id': EVENT_ID,
    'webhook-timestamp': '1896016800',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  return {
    'events.list': { data: [event], page: lastPage },
    'webhookEndpoints.create': { ...endpoint, signingSecret: SIGNING_SECRET },
    'webhookEndpoints.list': { data: [endpoint], page: lastPage },
    'webhookEndpoints.get': endpoint,
    'webhookEndpoints.update': { ...endpoint, eventTypes: ['*'], version: 1 },
    'webhookEndpoints.rotateSecret': {
      signingSecret: SIGNING_SECRET,
      previousSecretExpiresAt: '2030-01-31T15:20:00.000000Z',
    },
    'webhookEndpoints.sendTestEvent': { eventId: EVENT_ID, url: URL, headers, body: '{"id":"…"}', ...attempt },
    'webhookEndpoints.replay': { replayId: REPLAY_ID, matched: 12 },
    'webhookEndpoints.getReplay': {
      replayId: REPLAY_ID,
      endpointId: ENDPOINT_ID,
      from: '2030-01-30T00:00:00.000000Z',
      to: '2030-01-31T00:00:00.000000Z',
      statuses: ['EXHAUSTED', 'SKIPPED'],
      state: 'COMPLETED',
      matched: 12,
      queued: 12,
      succeeded: 11,
      exhausted: 0,
      createdAt: '2030-01-31T08:00:00.000000Z',
      completedAt: '2030-01-31T08:00:00.412000Z',
    },
    'webhookDeliveries.list': { data: [delivery], page: lastPage },
    'webhookDeliveries.get': { ...delivery, attempts: [{ number: 1, ...attempt }] },
    'webhookDeliveries.replay': {
      ...delivery,
      deliveryId: '01976e31-9d04-7a58-8e12-60b5c7d3f41a',
      status: 'PENDING',
      attemptCount: 0,
      nextAttemptAt: '2030-01-31T08:10:00.000000Z',
      createdAt: '2030-01-31T08:10:00.000000Z',
      completedAt: null,
      replayOf: DELIVERY_ID,
    },
  };
}
