import { describe, expect, test } from 'vitest';
import { judge, type WebhookEvidence } from '../../../scripts/prove/chaos/webhooks/verdict.ts';
import { type Rule, rulesOf } from '../../../scripts/prove/rules/promises.ts';
import {
  ALONE,
  APPROVED,
  arrival,
  at,
  CREATED,
  delivery,
  deliveryOf,
  event,
  failedAt,
  KEPT,
  LAST,
  OTHER,
  pausedAt,
  takenAt,
  withArrivals,
  withDelivery,
} from '../../support/webhook-evidence.ts';

/* Negative controls of the webhook rules: each rule notices evidence that breaks it. */

/**
 * Shipment timing: the previous event’s third attempt starts at second 5; the last event is attempted and received at
 * these seconds.
 */
const withThird = (durationMs: number, attempted: number, came: number): WebhookEvidence => ({
  ...KEPT,
  deliveries: KEPT.deliveries.map((one) => {
    if (one.eventId === LAST.id) return delivery(LAST, takenAt(attempted));
    if (one.eventId !== APPROVED.id) return one;
    return delivery(APPROVED, failedAt(3), failedAt(4), { ...failedAt(5), durationMs }, failedAt(8));
  }),
  arrivals: KEPT.arrivals.map((one) => (one.event === LAST ? arrival(LAST, came) : one)),
});

/** The same, and the previous event's second answer, at second 4, paused the endpoint. Its third attempt fails at second 8. */
const withPause = (attempted: number, came: number): WebhookEvidence => ({
  ...KEPT,
  deliveries: KEPT.deliveries.map((one) => {
    if (one.eventId === LAST.id) return delivery(LAST, takenAt(attempted));
    if (one.eventId !== APPROVED.id) return one;
    return delivery(APPROVED, failedAt(3), pausedAt(4), failedAt(5), failedAt(7), failedAt(8));
  }),
  arrivals: KEPT.arrivals.map((one) => (one.event === LAST ? arrival(LAST, came) : one)),
});

const LIES: readonly (readonly [name: string, rule: Rule, detail: string, lie: WebhookEvidence])[] = [
  ['a request with a wrong signature', 'signed', 'SIGNATURE_MISMATCH', { ...KEPT, forged: ['SIGNATURE_MISMATCH'] }],
  [
    'an event of another company',
    'foreign',
    'shipment.created x1 came without a delivery',
    withArrivals((arrivals) => [...arrivals, arrival(event('x1', 'x', 1), 9)]),
  ],
  [
    'an event whose delivery belongs to another endpoint',
    'foreign',
    'shipment.created x1 came without a delivery',
    {
      ...KEPT,
      deliveries: [...KEPT.deliveries, { ...delivery(event('x1', 'x', 1), takenAt(9)), endpointId: 'endpoint-2' }],
      arrivals: [...KEPT.arrivals, arrival(event('x1', 'x', 1), 9)],
    },
  ],
  [
    'an acknowledged shipment without an event',
    'acknowledged',
    'the feed has no creation of c',
    { ...KEPT, shipmentIds: [...KEPT.shipmentIds, 'c'] },
  ],
  [
    'an event without a delivery',
    'delivery',
    'webhook_endpoint.disabled c1 has 0 deliveries for 1 endpoints',
    {
      ...KEPT,
      deliveries: KEPT.deliveries.filter(({ eventId }) => eventId !== ALONE.id),
      arrivals: KEPT.arrivals.filter((one) => one.event !== ALONE),
    },
  ],
  [
    'an event with two deliveries',
    'delivery',
    'shipment.created b1 has 2 deliveries for 1 endpoints',
    { ...KEPT, deliveries: [...KEPT.deliveries, deliveryOf(OTHER)] },
  ],
  ...(['PENDING', 'RETRYING', 'SKIPPED'] as const).map((status): (typeof LIES)[number] => [
    `a delivery that is ${status} when all is over`,
    'ended',
    `webhook_endpoint.disabled c1 is ${status}`,
    withDelivery({ ...delivery(ALONE, failedAt(5)), status, completedAt: null }),
  ]),
  [
    'a success without a request to the receiver',
    'receipt',
    'webhook_endpoint.disabled c1 is SUCCEEDED and was never taken',
    withArrivals((arrivals) => arrivals.filter((one) => one.event !== ALONE)),
  ],
  [
    'a success that the receiver refused',
    'receipt',
    'webhook_endpoint.disabled c1 is SUCCEEDED and was never taken',
    withArrivals((arrivals) => arrivals.map((one) => (one.event === ALONE ? { ...one, isTaken: false } : one))),
  ],
  [
    'a delivery exhausted too early',
    'exhausted',
    'shipment.approved a2 failed in 3 of 3 attempts',
    withDelivery(delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5))),
  ],
  [
    'a delivery exhausted by an answer that paused its endpoint',
    'exhausted',
    'shipment.approved a2 failed in 3 of 3 attempts',
    withDelivery(delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5), pausedAt(8))),
  ],
  [
    'an exhausted delivery that had succeeded',
    'exhausted',
    'shipment.approved a2 failed in 3 of 4 attempts',
    withDelivery({ ...delivery(APPROVED, failedAt(3), failedAt(4), failedAt(5), takenAt(8)), status: 'EXHAUSTED' }),
  ],
  [
    'a delivery exhausted too early on an endpoint without successes',
    'exhausted',
    'a1 is EXHAUSTED where nothing is taken, it failed in 1 of 1 attempts',
    { ...KEPT, refused: [delivery(CREATED, failedAt(1))] },
  ],
  ...(['RETRYING', 'SUCCEEDED'] as const).map((status): (typeof LIES)[number] => [
    `a delivery that is ${status} where nothing is taken`,
    'exhausted',
    `a1 is ${status} where nothing is taken, it was not given up`,
    { ...KEPT, refused: KEPT.refused.map((one) => ({ ...one, status })) },
  ]),
  [
    'an event sent again with another body',
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
    'shipment.approved d2 has sequence 2, 1 is due',
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
    'shipment.approved a2 has sequence 2, 1 is due',
    { ...KEPT, events: [APPROVED, CREATED, LAST, OTHER, ALONE] },
  ],
  [
    'an attempt before the previous one ended',
    'order',
    'shipment.approved a2 overtook shipment.created a1',
    withDelivery(delivery(APPROVED, failedAt(1), failedAt(4), failedAt(5), failedAt(8))),
  ],
  [
    'an attempt after two failures of the previous event',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    withDelivery(delivery(LAST, failedAt(4), takenAt(6))),
  ],
  [
    'an attempt while the third of the previous event succeeds',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    {
      ...withDelivery({ ...delivery(APPROVED, failedAt(3), failedAt(4), takenAt(5)), completedAt: at(8) }),
      arrivals: KEPT.arrivals.map((one) => (one.event === APPROVED ? { ...one, isTaken: true } : one)),
    },
  ],
  [
    'an attempt while the third of the one before hangs',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    withThird(1500, 5.001, 7),
  ],
  [
    'an attempt after two failures and a pause of the previous event',
    'order',
    'shipment.approved a3 overtook shipment.approved a2',
    withPause(6, 8),
  ],
  [
    'an event that comes after two failures and a pause of the one before',
    'arrival',
    'shipment.approved a3 overtook shipment.approved a2',
    withPause(8, 6),
  ],
  [
    'an event that comes while the third attempt of the one before hangs',
    'arrival',
    'shipment.approved a3 overtook shipment.approved a2',
    withThird(1500, 7, 5.001),
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
  test('finds nothing in correct evidence', () => {
    expect(judge(KEPT)).toEqual([]);
  });

  test('tolerates an end that rounding makes a millisecond late', () => {
    expect(judge(withThird(1001, 6, 6))).toEqual([]);
    expect(judge(withThird(1002, 6, 6)).map(({ rule }) => rule)).toEqual(['order', 'arrival']);
  });

  test('counts no answer that paused the endpoint', () => {
    expect(judge(withPause(8, 8))).toEqual([]);
  });

  test.each(LIES)('finds %s, and nothing else', (_name, rule, detail, lie) => {
    const objections = judge(lie);
    expect(objections).toContainEqual(expect.objectContaining({ rule, detail }));
    expect(objections.filter((one) => one.rule !== rule)).toEqual([]);
  });

  test('has a negative control for every rule', () => {
    expect(new Set(LIES.map(([, rule]) => rule))).toEqual(new Set(rulesOf('webhooks')));
  });
});
