import { describe, expect, test } from 'vitest';
import { judge, RULES, type WebhookEvidence } from '../../../scripts/chaos/verdict.ts';
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

/* A verdict on nothing is no verdict: each rule has to have had something that could have broken it. */

const NOTHING: WebhookEvidence = {
  ...KEPT,
  ...{ shipmentIds: [], events: [], deliveries: [], refused: [], arrivals: [], forged: [] },
  gone: { answers: 0, state: 'ENABLED' },
};
const FAILED = [failedAt(1), failedAt(2), failedAt(3), failedAt(4)];

const EMPTY: readonly (readonly [name: string, lacking: readonly string[], evidence: WebhookEvidence])[] = [
  ['an endpoint that never said it was gone', ['gone: answer of 410'], { ...KEPT, gone: NOTHING.gone }],
  [
    'an endpoint that is given up and never said it was gone',
    ['gone: answer of 410'],
    { ...KEPT, gone: { answers: 0, state: 'AUTO_DISABLED' } },
  ],
  ['no shipment', ['recorded: acknowledged shipment'], { ...KEPT, shipmentIds: [] }],
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
    'nothing that succeeded',
    ['taken: delivery that succeeded'],
    {
      ...KEPT,
      deliveries: KEPT.deliveries.map(({ eventId, ...rest }) => ({
        ...{ ...rest, eventId, attempts: FAILED, status: 'EXHAUSTED' },
        completedAt: eventId === CREATED.id || eventId === APPROVED.id ? (FAILED[0]?.startedAt ?? null) : null,
      })),
    },
  ],
  [
    'shipments of one event each',
    ['order: attempt after another event of its shipment', 'arrival: request after another event of its shipment'],
    {
      ...KEPT,
      events: [OTHER, ALONE, CREATED],
      shipmentIds: ['b', 'a'],
      deliveries: [delivery(OTHER, takenAt(4)), delivery(ALONE, takenAt(5)), delivery(CREATED, takenAt(1))],
      arrivals: [arrival(CREATED, 1), arrival(OTHER, 4), arrival(ALONE, 5)],
    },
  ],
];

/** What the verdict says it could not judge, and nothing else is wrong. */
const lackingIn = (evidence: WebhookEvidence) =>
  judge(evidence).map(({ rule, detail }) => detail.replace('there was nothing to judge: no', `${rule}:`));

describe('the verdict on webhooks that had nothing to judge', () => {
  test('names every rule when there is nothing at all', () => {
    const objections = judge(NOTHING);
    expect(objections.map(({ rule }) => rule)).toEqual(Object.keys(RULES));
    expect(objections.filter(({ detail }) => !detail.startsWith('there was nothing to judge: no '))).toEqual([]);
  });

  test.each(EMPTY)('names the rules of %s', (_name, lacking, evidence) => {
    expect(lackingIn(evidence)).toEqual(lacking);
  });
});
