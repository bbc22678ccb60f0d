import { type Rule, rulesOf } from '../rules/promises.ts';
import type { Delivered, Listed, WebhookEvidence } from './verdict.ts';

/* A rule that had nothing to judge has not shown anything, so it counts as an objection. */

interface Subject {
  /** What there has to be at least one of. */
  readonly name: string;
  readonly isIn: (evidence: WebhookEvidence) => boolean;
}

const SUBJECTS: Readonly<Partial<Record<Rule, Subject>>> = {
  signed: { name: 'request', isIn: ({ arrivals, forged }) => arrivals.length + forged.length > 0 },
  foreign: { name: 'signed request', isIn: ({ arrivals }) => arrivals.length > 0 },
  acknowledged: { name: 'acknowledged shipment', isIn: ({ shipmentIds }) => shipmentIds.length > 0 },
  delivery: { name: 'event', isIn: ({ events }) => events.length > 0 },
  ended: { name: 'delivery of an event', isIn: (evidence) => deliveriesOf(evidence).length > 0 },
  receipt: { name: 'delivery that succeeded', isIn: (evidence) => hasEnded(deliveriesOf(evidence), 'SUCCEEDED') },
  exhausted: {
    name: 'delivery that was given up',
    isIn: (evidence) => evidence.refused.length > 0 || hasEnded(deliveriesOf(evidence), 'EXHAUSTED'),
  },
  same: { name: 'request with an event of the feed', isIn: (evidence) => evidence.events.some(cameIn(evidence)) },
  sequence: { name: 'event of a shipment', isIn: ({ events }) => events.some(({ shipmentId }) => shipmentId !== null) },
  order: { name: 'attempt after another event of its shipment', isIn: hasAttemptedPair },
  arrival: {
    name: 'request after another event of its shipment',
    isIn: (evidence) => neighbours(evidence.events).some(([, after]) => cameIn(evidence)(after)),
  },
  gone: { name: 'answer of 410', isIn: ({ gone }) => gone.answers > 0 },
};

/** The rules that nothing could have broken, and what was lacking. */
export function unjudged(evidence: WebhookEvidence): { readonly rule: Rule; readonly lacking: string }[] {
  return rulesOf('webhooks').flatMap((rule) => {
    const subject = SUBJECTS[rule];
    if (subject === undefined) return [{ rule, lacking: 'subject' }];
    return subject.isIn(evidence) ? [] : [{ rule, lacking: subject.name }];
  });
}

function deliveriesOf({ endpointId, events, deliveries }: WebhookEvidence): Delivered[] {
  const listed = new Set(events.map(({ id }) => id));
  return deliveries.filter((one) => one.endpointId === endpointId && listed.has(one.eventId));
}

function hasEnded(deliveries: readonly Delivered[], end: Delivered['status']): boolean {
  return deliveries.some(({ status }) => status === end);
}

function cameIn({ arrivals }: WebhookEvidence): (event: Listed) => boolean {
  const came = new Set(arrivals.map(({ event }) => event.id));
  return ({ id }) => came.has(id);
}

function hasAttemptedPair(evidence: WebhookEvidence): boolean {
  const byEvent = new Map(deliveriesOf(evidence).map((delivery) => [delivery.eventId, delivery]));
  return neighbours(evidence.events).some(
    ([before, after]) => byEvent.has(before.id) && (byEvent.get(after.id)?.attempts.length ?? 0) > 0,
  );
}

/** Each event of a shipment with the one that comes after it. */
export function neighbours(events: readonly Listed[]): (readonly [before: Listed, after: Listed])[] {
  const shipments = Map.groupBy(
    events.filter(({ shipmentId }) => shipmentId !== null),
    ({ shipmentId }) => shipmentId,
  );
  return [...shipments.values()].flatMap((ofOne) => {
    const ordered = ofOne.toSorted((one, other) => one.sequence - other.sequence);
    return ordered.slice(1).flatMap((after, index) => {
      const before = ordered[index];
      return before === undefined ? [] : [[before, after] as const];
    });
  });
}
