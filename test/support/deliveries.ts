import * as z from 'zod';

const delivery = z.strictObject({
  deliveryId: z.uuidv7(),
  endpointId: z.uuid(),
  eventId: z.uuid(),
  eventType: z.string(),
  shipmentId: z.nullable(z.uuid()),
  status: z.enum(['PENDING', 'RETRYING', 'SUCCEEDED', 'EXHAUSTED', 'SKIPPED']),
  attemptCount: z.int(),
  nextAttemptAt: z.nullable(z.string()),
  createdAt: z.string(),
  completedAt: z.nullable(z.string()),
  replayOf: z.nullable(z.uuid()),
});
export type DeliveryBody = z.output<typeof delivery>;

const attempt = z.strictObject({
  number: z.int(),
  startedAt: z.string(),
  durationMs: z.int(),
  responseStatus: z.nullable(z.int()),
  error: z.nullable(z.string()),
});
const deliveryWithAttempts = delivery.extend({ attempts: z.array(attempt) });

const deliveryPage = z.strictObject({
  data: z.array(delivery),
  page: z.strictObject({ nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
});

export async function readDeliveryPage(response: Response): Promise<z.output<typeof deliveryPage>> {
  return deliveryPage.parse(await response.json());
}

export async function readDelivery(response: Response): Promise<DeliveryBody> {
  return delivery.parse(await response.json());
}

export async function readDeliveryWithAttempts(response: Response): Promise<z.output<typeof deliveryWithAttempts>> {
  return deliveryWithAttempts.parse(await response.json());
}

const headers = z.record(z.string(), z.string());
const exchange = z.strictObject({
  request: z.strictObject({ url: z.string(), headers, body: z.string() }),
  response: z.nullable(z.strictObject({ status: z.int(), headers, body: z.string(), truncated: z.boolean() })),
  durationMs: z.int(),
  error: z.nullable(z.string()),
});

export async function readExchange(response: Response): Promise<z.output<typeof exchange>> {
  return exchange.parse(await response.json());
}

const replay = z.strictObject({
  replayId: z.uuid(),
  endpointId: z.uuid(),
  from: z.string(),
  to: z.string(),
  statuses: z.array(z.string()),
  state: z.enum(['RUNNING', 'COMPLETED', 'CANCELLED']),
  matched: z.int(),
  queued: z.int(),
  succeeded: z.int(),
  exhausted: z.int(),
  createdAt: z.string(),
  completedAt: z.nullable(z.string()),
});

export async function readReplay(response: Response): Promise<z.output<typeof replay>> {
  return replay.parse(await response.json());
}
