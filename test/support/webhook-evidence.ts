import type {
  Delivered,
  Listed,
  ReceivedWebhook,
  WebhookEvidence,
} from '../../scripts/prove/chaos/webhooks/verdict.ts';

/* The evidence of a webhook round in which every promise was kept. Tests change it into evidence that breaks one. */

const ENDPOINT = 'endpoint-1';
const ATTEMPTS_MAX = 4;

/** The service starts at this second, and the receivers' clocks agree with it. */
export const at = (second: number) => `2030-01-01T00:00:${second.toFixed(6).padStart(9, '0')}Z`;
const endOf = ({ startedAt, durationMs }: Delivered['attempts'][number]) =>
  new Date(Date.parse(startedAt) + durationMs).toISOString().replace('Z', '000Z');

export const event = (id: string, shipmentId: string | null, sequence: number): Listed => ({
  ...{ id, shipmentId, sequence },
  type: shipmentId === null ? 'webhook_endpoint.disabled' : sequence === 1 ? 'shipment.created' : 'shipment.approved',
});
export const CREATED = event('a1', 'a', 1);
export const APPROVED = event('a2', 'a', 2);
export const LAST = event('a3', 'a', 3);
export const OTHER = event('b1', 'b', 1);
export const ALONE = event('c1', null, 1);

/** An attempt takes a whole second, so it ends when the next may start. */
const SECOND_MS = 1000;
export const failedAt = (second: number) => ({
  ...{ startedAt: at(second), durationMs: SECOND_MS },
  ...{ responseStatus: 500, error: 'NON_2XX' as const },
});
/** An answer that pauses the endpoint. */
export const pausedAt = (second: number) => ({ ...failedAt(second), responseStatus: 429 });
export const takenAt = (second: number) => ({
  ...{ startedAt: at(second), durationMs: SECOND_MS },
  ...{ responseStatus: 204, error: null },
});
export function delivery({ id: eventId }: Listed, ...attempts: Delivered['attempts']): Delivered {
  const last = attempts.at(-1);
  const status = last?.error === null ? 'SUCCEEDED' : 'EXHAUSTED';
  return { endpointId: ENDPOINT, eventId, status, attempts, completedAt: last === undefined ? null : endOf(last) };
}
export const arrival = (one: Listed, second: number, isTaken = true): ReceivedWebhook => ({
  ...{ event: one, body: `text of ${one.id}`, isTaken },
  atMs: Date.parse(at(second)),
});

/**
 * Shipment a: created, delivered by the second attempt; approved, exhausted; its last event follows the third failure.
 * Shipment b: received, but the answer was lost with the service, so it was sent again.
 */
export const KEPT: WebhookEvidence = {
  endpointId: ENDPOINT,
  attemptsMax: ATTEMPTS_MAX,
  shipmentIds: ['a', 'b'],
  events: [CREATED, OTHER, APPROVED, ALONE, LAST],
  deliveries: [
    delivery(CREATED, failedAt(1), takenAt(2)),
    delivery(OTHER, takenAt(4)),
    delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5), failedAt(8)),
    delivery(ALONE, takenAt(5)),
    delivery(LAST, takenAt(6)),
  ],
  arrivals: [
    arrival(CREATED, 1, false),
    arrival(OTHER, 1),
    arrival(CREATED, 2),
    arrival(APPROVED, 3, false),
    arrival(OTHER, 4),
    arrival(APPROVED, 4, false),
    arrival(ALONE, 5),
    arrival(LAST, 6),
    arrival(APPROVED, 8, false),
  ],
  forged: [],
  refused: [{ ...delivery(CREATED, failedAt(1), failedAt(2), failedAt(3), failedAt(4)), endpointId: 'endpoint-3' }],
  gone: { answers: 2, state: 'AUTO_DISABLED' },
};

export const withDelivery = (changed: Delivered): WebhookEvidence => ({
  ...KEPT,
  deliveries: KEPT.deliveries.map((one) => (one.eventId === changed.eventId ? changed : one)),
});
export const withArrivals = (
  change: (arrivals: readonly ReceivedWebhook[]) => readonly ReceivedWebhook[],
): WebhookEvidence => ({
  ...KEPT,
  arrivals: change(KEPT.arrivals),
});
export const deliveryOf = ({ id }: Listed): Delivered => {
  const found = KEPT.deliveries.find(({ eventId }) => eventId === id);
  if (found === undefined) throw new Error(`There is no delivery of ${id}`);
  return found;
};
