import { describe, expect, test } from 'vitest';
import { judge, type WebhookEvidence } from '../../../scripts/prove/chaos/webhooks/verdict.ts';
import { type Rule, rulesOf } from '../../../scripts/prove/rules/promises.ts';
import {
  ALONE,
  APPROVED,
  arrival,
  CREATED,
  delivery,
  failedAt,
  KEPT,
  OTHER,
  takenAt,
} from '../../support/webhook-evidence.ts';

/* A verdict needs evidence: for each rule there must be something that could have broken it. */

const NOTHING: WebhookEvidence = {
  ...KEPT,
  ...{ shipmentIds: [], events: [], deliveries: [], refused: [], arrivals: [], forged: [] },
  gone: { answers: 0, state: 'ENABLED' },
};
const FAILED = [failedAt(1), failedAt(2), failedAt(3), failedAt(4)];

const PAIRS = [
  'order: attempt after another event of its shipment',
  'arrival: request after another event of its shipment',
];

const EMPTY: readonly (readonly [name: string, lacking: readonly string[], evidence: WebhookEvidence])[] = [
  ['an endpoint that never said it was gone', ['gone: answer of 410'], { ...KEPT, gone: NOTHING.gone }],
  [
    'an endpoint that is given up and never said it was gone',
    ['gone: answer of 410'],
    { ...KEPT, gone: { answers: 0, state: 'AUTO_DISABLED' } },
  ],
  ['no shipment', ['acknowledged: acknowledged shipment'], { ...KEPT, shipmentIds: [] }],
  [
    'nothing that was given up',
    ['exhausted: delivery that was given up'],
    {
      ...KEPT,
      refused: [],
      deliveries: KEPT.deliveries.map((one) =>
        one.eventId === APPROVED.id ? delivery(APPROVED, failedAt(3), takenAt(4)) : one,
      ),
      arrivals: KEPT.arrivals.map((one) => (one.event === APPROVED ? { ...one, isTaken: true } : one)),
    },
  ],
  [
    'shipments of one event each',
    PAIRS,
    {
      ...KEPT,
      events: [OTHER, ALONE, CREATED],
      shipmentIds: ['b', 'a'],
      deliveries: [delivery(OTHER, takenAt(4)), delivery(ALONE, takenAt(5)), delivery(CREATED, takenAt(1))],
      arrivals: [arrival(CREATED, 1), arrival(OTHER, 4), arrival(ALONE, 5)],
    },
  ],
  [
    'one event without a successful delivery',
    ['receipt: delivery that succeeded', ...PAIRS],
    {
      ...KEPT,
      events: [OTHER],
      shipmentIds: ['b'],
      deliveries: [delivery(OTHER, ...FAILED)],
      arrivals: [arrival(OTHER, 1, false)],
    },
  ],
];

/** Evidence with too little for some rules, whatever else it breaks. */
const BARE: readonly (readonly [name: string, judged: readonly Rule[], evidence: WebhookEvidence])[] = [
  ['a request with a wrong signature', ['signed'], { ...NOTHING, forged: ['SIGNATURE_MISMATCH'] }],
  ['a request with an event that is not listed', ['signed', 'foreign'], { ...NOTHING, arrivals: [arrival(OTHER, 1)] }],
  [
    'a delivery of another endpoint',
    ['delivery', 'sequence'],
    { ...NOTHING, events: [OTHER], deliveries: [{ ...delivery(OTHER, takenAt(1)), endpointId: 'endpoint-2' }] },
  ],
  ['a delivery of an event that is not listed', [], { ...NOTHING, deliveries: [delivery(OTHER, takenAt(1))] }],
  ['an event without a shipment', ['delivery'], { ...NOTHING, events: [ALONE] }],
  [
    'a delivery that was not attempted after another',
    ['delivery', 'ended', 'receipt', 'sequence'],
    {
      ...NOTHING,
      events: [CREATED, APPROVED],
      deliveries: [delivery(CREATED, takenAt(1)), { ...delivery(APPROVED), status: 'PENDING' }],
    },
  ],
  [
    'a delivery that was attempted where the one before has none',
    ['delivery', 'ended', 'receipt', 'sequence'],
    { ...NOTHING, events: [CREATED, APPROVED], deliveries: [delivery(APPROVED, takenAt(1))] },
  ],
  [
    'a delivery that was given up where others are taken',
    ['delivery', 'ended', 'exhausted', 'sequence'],
    { ...NOTHING, events: [OTHER], deliveries: [delivery(OTHER, ...FAILED)] },
  ],
  [
    'the first of two events',
    ['signed', 'foreign', 'delivery', 'same', 'sequence'],
    { ...NOTHING, events: [CREATED, APPROVED], arrivals: [arrival(CREATED, 1)] },
  ],
];

const UNJUDGED = 'there was nothing to judge: no ';

/** The rules that the verdict could not judge, if it finds nothing else wrong. */
const lackingIn = (evidence: WebhookEvidence) =>
  judge(evidence).map(({ rule, detail }) => detail.replace(UNJUDGED, `${rule}: `));

describe('the verdict on webhooks without enough evidence', () => {
  test('names every rule if there is no evidence', () => {
    const objections = judge(NOTHING);
    expect(objections.map(({ rule }) => rule)).toEqual(rulesOf('webhooks'));
    expect(objections.filter(({ detail }) => !detail.startsWith(UNJUDGED))).toEqual([]);
  });

  test.each(EMPTY)('names the rules that are not covered by %s', (_name, lacking, evidence) => {
    expect(lackingIn(evidence)).toEqual(lacking);
  });

  test.each(BARE)('accepts the evidence of %s as enough', (_name, judged, evidence) => {
    const unjudged = new Set(
      judge(evidence).flatMap(({ rule, detail }) => (detail.startsWith(UNJUDGED) ? [rule] : [])),
    );
    expect(rulesOf('webhooks').filter((rule) => !unjudged.has(rule))).toEqual(judged);
  });
});
