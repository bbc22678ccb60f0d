import { describe, expect, test } from 'vitest';
import type { Arrival, Delivered, Listed, Rule, WebhookEvidence } from '../../../scripts/chaos/verdict.ts';
import { judge, RULES } from '../../../scripts/chaos/verdict.ts';

/* The judge of `npm run chaos:webhooks`: a rule that does not object to what breaks it proves nothing. */

const ENDPOINT = 'endpoint-1';
const ATTEMPTS_MAX = 4;

/** The service starts at this second, and a receiver's clock is the same. */
const at = (second: number) => `2030-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const atMs = (second: number) => Date.parse(at(second));

const event = (id: string, shipmentId: string | null, sequence: number): Listed => ({
  ...{ id, shipmentId, sequence },
  type: shipmentId === null ? 'webhook_endpoint.disabled' : sequence === 1 ? 'shipment.created' : 'shipment.approved',
});
const CREATED = event('a1', 'a', 1);
const APPROVED = event('a2', 'a', 2);
const LAST = event('a3', 'a', 3);
const OTHER = event('b1', 'b', 1);
const ALONE = event('c1', null, 1);

const failedAt = (second: number) => ({ startedAt: at(second), error: 'NON_2XX' as const });
const takenAt = (second: number) => ({ startedAt: at(second), error: null });
function delivery({ id: eventId }: Listed, ...attempts: Delivered['attempts']): Delivered {
  const last = attempts.at(-1);
  const status = last?.error === null ? 'SUCCEEDED' : 'EXHAUSTED';
  return { endpointId: ENDPOINT, eventId, status, attempts, completedAt: last?.startedAt ?? null };
}
const arrival = (one: Listed, second: number, isTaken = true): Arrival => ({
  ...{ event: one, body: `text of ${one.id}`, isTaken },
  atMs: atMs(second),
});

/**
 * Shipment a: created and taken at the second try; approved and given up; its last event came after the third failure.
 * Shipment b: taken, the answer lost with the service, and so taken again.
 */
const KEPT: WebhookEvidence = {
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
  gone: { answers: 2, state: 'AUTO_DISABLED' },
};

const withDelivery = (changed: Delivered): WebhookEvidence => ({
  ...KEPT,
  deliveries: KEPT.deliveries.map((one) => (one.eventId === changed.eventId ? changed : one)),
});
const withArrivals = (change: (arrivals: readonly Arrival[]) => readonly Arrival[]): WebhookEvidence => ({
  ...KEPT,
  arrivals: change(KEPT.arrivals),
});
const deliveryOf = ({ id }: Listed): Delivered => {
  const found = KEPT.deliveries.find(({ eventId }) => eventId === id);
  if (found === undefined) throw new Error(`There is no delivery of ${id}`);
  return found;
};

const LIES: readonly (readonly [name: string, rule: Rule, detail: string, lie: WebhookEvidence])[] = [
  ['a request with a wrong signature', 'signed', 'SIGNATURE_MISMATCH', { ...KEPT, forged: ['SIGNATURE_MISMATCH'] }],
  [
    'an event of another company',
    'foreign',
    'shipment.created x1 came without a delivery',
    withArrivals((arrivals) => [...arrivals, arrival(event('x1', 'x', 1), 9)]),
  ],
  [
    'an event whose delivery is that of another endpoint',
    'foreign',
    'shipment.created x1 came without a delivery',
    {
      ...KEPT,
      deliveries: [...KEPT.deliveries, { ...delivery(event('x1', 'x', 1), takenAt(9)), endpointId: 'endpoint-2' }],
      arrivals: [...KEPT.arrivals, arrival(event('x1', 'x', 1), 9)],
    },
  ],
  [
    'a shipment that was acknowledged and has no event',
    'recorded',
    'the feed has no creation of c',
    { ...KEPT, shipmentIds: [...KEPT.shipmentIds, 'c'] },
  ],
  [
    'an event that nobody delivers',
    'delivery',
    'webhook_endpoint.disabled c1 has 0 deliveries',
    {
      ...KEPT,
      deliveries: KEPT.deliveries.filter(({ eventId }) => eventId !== ALONE.id),
      arrivals: KEPT.arrivals.filter((one) => one.event !== ALONE),
    },
  ],
  [
    'an event with two deliveries',
    'delivery',
    'shipment.created b1 has 2 deliveries',
    { ...KEPT, deliveries: [...KEPT.deliveries, deliveryOf(OTHER)] },
  ],
  ...(['PENDING', 'RETRYING', 'SKIPPED'] as const).map((status): (typeof LIES)[number] => [
    `a delivery that is ${status} when all is over`,
    'ended',
    `webhook_endpoint.disabled c1 is ${status}`,
    withDelivery({ ...delivery(ALONE, failedAt(5)), status, completedAt: null }),
  ]),
  [
    'a success that the receiver never had',
    'taken',
    'webhook_endpoint.disabled c1 is SUCCEEDED and was never taken',
    withArrivals((arrivals) => arrivals.filter((one) => one.event !== ALONE)),
  ],
  [
    'a success that the receiver refused',
    'taken',
    'webhook_endpoint.disabled c1 is SUCCEEDED and was never taken',
    withArrivals((arrivals) => arrivals.map((one) => (one.event === ALONE ? { ...one, isTaken: false } : one))),
  ],
  [
    'a delivery that was given up too early',
    'exhausted',
    'shipment.approved a2 failed in 3 of 3 attempts',
    withDelivery(delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5))),
  ],
  [
    'a delivery that was given up although it was taken',
    'exhausted',
    'shipment.approved a2 failed in 3 of 4 attempts',
    withDelivery({ ...delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5), takenAt(8)), status: 'EXHAUSTED' }),
  ],
  [
    'an event that comes again with another text',
    'same',
    'shipment.created b1 came with two texts',
    withArrivals((arrivals) =>
      arrivals.map((one, index) => (index === 4 ? { ...one, body: `${one.body} and more` } : one)),
    ),
  ],
  ...([{ type: 'shipment.cancelled' }, { shipmentId: 'a' }, { sequence: 2 }] as const).map(
    (change): (typeof LIES)[number] => [
      `an event with another ${Object.keys(change).join()} than in the feed`,
      'same',
      `${'type' in change ? change.type : OTHER.type} b1 is not what the feed shows`,
      withArrivals((arrivals) =>
        arrivals.map((one) => (one.event === OTHER ? { ...one, event: { ...OTHER, ...change } } : one)),
      ),
    ],
  ),
  [
    'a sequence with a gap',
    'sequence',
    'd goes from 0 to 2',
    {
      ...KEPT,
      events: [...KEPT.events, event('d2', 'd', 2)],
      deliveries: [...KEPT.deliveries, delivery(event('d2', 'd', 2), takenAt(9))],
      arrivals: [...KEPT.arrivals, arrival(event('d2', 'd', 2), 9)],
    },
  ],
  [
    'a feed in another order',
    'sequence',
    'a goes from 0 to 2',
    { ...KEPT, events: [APPROVED, CREATED, LAST, OTHER, ALONE] },
  ],
  [
    'an attempt before the one before was over',
    'order',
    'shipment.approved a2 overtook shipment.created a1',
    withDelivery(delivery(APPROVED, failedAt(1), failedAt(4), failedAt(5), failedAt(8))),
  ],
  [
    'an attempt after two failures of the one before',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    withDelivery(delivery(LAST, failedAt(4), takenAt(6))),
  ],
  [
    'an attempt while the third of the one before succeeds',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    {
      ...withDelivery({ ...delivery(APPROVED, failedAt(3), failedAt(4), takenAt(5)), completedAt: at(8) }),
      arrivals: KEPT.arrivals.map((one) => (one.event === APPROVED ? { ...one, isTaken: true } : one)),
    },
  ],
  [
    'an event that comes before the one before was taken',
    'arrival',
    'shipment.approved a2 overtook shipment.created a1',
    withArrivals((arrivals) => [arrival(APPROVED, 1, false), ...arrivals]),
  ],
  [
    'an event that comes after two failures of the one before',
    'arrival',
    'shipment.approved a3 overtook shipment.approved a2',
    withArrivals((arrivals) => [arrival(LAST, 4), ...arrivals]),
  ],
  [
    'an endpoint that is gone and is sent to for ever',
    'gone',
    'it is ENABLED after 2 answers of 410',
    { ...KEPT, gone: { answers: 2, state: 'ENABLED' } },
  ],
];

describe('the verdict on webhooks', () => {
  test('has nothing to say when all was kept', () => {
    expect(judge(KEPT)).toEqual([]);
  });

  test('takes an endpoint that never could say it was gone for no lie', () => {
    expect(judge({ ...KEPT, gone: { answers: 0, state: 'ENABLED' } })).toEqual([]);
  });

  test.each(LIES)('finds out %s, and nothing else', (_name, rule, detail, lie) => {
    const objections = judge(lie);
    expect(objections).toContainEqual({ rule, detail });
    expect(objections.filter((one) => one.rule !== rule)).toEqual([]);
  });

  test('has a lie for every rule', () => {
    expect(new Set(LIES.map(([, rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
  });
});
