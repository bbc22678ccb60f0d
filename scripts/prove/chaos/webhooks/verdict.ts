import type { MirsalEvent, MirsalOutputs } from '../../../../src/client.ts';
import {
  bytesRules,
  endRules,
  fanOutRules,
  givenUpRules,
  isAttempt,
  orderRules,
  receiptRules,
} from '../../rules/deliveries.ts';
import { type Objection, objection, type Rule, rulesOf } from '../../rules/promises.ts';
import { sequenceRules } from '../../rules/shipments.ts';

/* Judges the events of a company by the feed, the lists of deliveries and the receivers. */

export type Listed = Pick<MirsalEvent, 'id' | 'type' | 'shipmentId' | 'sequence'>;
type Delivery = MirsalOutputs['webhookDeliveries']['get'];
export type Delivered = Pick<Delivery, 'endpointId' | 'eventId' | 'status' | 'completedAt'> & {
  readonly attempts: readonly Pick<
    Delivery['attempts'][number],
    'startedAt' | 'durationMs' | 'responseStatus' | 'error'
  >[];
};

/** A request with a valid signature. */
export interface ReceivedWebhook {
  readonly event: Listed;
  readonly body: string;
  /** Milliseconds since 1970, by the same clock as the service's. */
  readonly atMs: number;
  /** Whether the receiver answered 2xx. */
  readonly isTaken: boolean;
}

export interface WebhookEvidence {
  readonly endpointId: string;
  /** The length of the schedule. */
  readonly attemptsMax: number;
  /** Shipments whose creation was acknowledged. */
  readonly shipmentIds: readonly string[];
  /** The whole feed, in order. */
  readonly events: readonly Listed[];
  readonly deliveries: readonly Delivered[];
  /** In order of arrival. */
  readonly arrivals: readonly ReceivedWebhook[];
  /** The faults in signatures of other requests. */
  readonly forged: readonly string[];
  /** The deliveries of an endpoint that accepts nothing. */
  readonly refused: readonly Delivered[];
  /** The endpoint that answers 410: how often it did, and its state. */
  readonly gone: { readonly answers: number; readonly state: string };
}

export function judge(evidence: WebhookEvidence): Objection[] {
  return [
    ...evidence.forged.map((forged) => objection('signed', forged)),
    ...foreign(evidence),
    ...lost(evidence),
    ...evidence.events.flatMap((event) => endOf(event, evidence)),
    ...endless(evidence),
    ...different(evidence),
    ...unnumbered(evidence),
    ...outOfOrder(evidence),
    ...(evidence.gone.answers > 0 && evidence.gone.state !== 'AUTO_DISABLED'
      ? [objection('gone', `it is ${evidence.gone.state} after ${evidence.gone.answers} answers of 410`)]
      : []),
    ...unjudged(evidence).map(({ rule, lacking }) => objection(rule, `there was nothing to judge: no ${lacking}`)),
  ];
}

function nameOf({ type, id }: Listed): string {
  return `${type} ${id}`;
}

function foreign({ endpointId, deliveries, arrivals }: WebhookEvidence): Objection[] {
  const own = deliveries.filter((delivery) => delivery.endpointId === endpointId);
  const expected = new Set(own.map(({ eventId }) => eventId));
  const unasked = new Map(
    arrivals.filter(({ event }) => !expected.has(event.id)).map(({ event }) => [event.id, event]),
  );
  return [...unasked.values()].map((event) => objection('foreign', `${nameOf(event)} came without a delivery`));
}

function lost({ shipmentIds, events }: WebhookEvidence): Objection[] {
  const created = new Set(events.flatMap(({ type, shipmentId }) => (type === 'shipment.created' ? [shipmentId] : [])));
  return shipmentIds
    .filter((shipmentId) => !created.has(shipmentId))
    .map((shipmentId) => objection('acknowledged', `the feed has no creation of ${shipmentId}`));
}

/** Each event was delivered at least once, or given up visibly. The endpoint is never disabled, so nothing is skipped. */
function endOf(event: Listed, { endpointId, deliveries, arrivals, attemptsMax }: WebhookEvidence): Objection[] {
  const own = deliveries.filter((one) => one.endpointId === endpointId && one.eventId === event.id);
  const endpoint = { id: endpointId, companyId: '', eventTypes: ['*'], isDeleted: false };
  const fanOut = fanOutRules({ ...event, companyId: '' }, [endpoint], own);
  const [delivery] = own;
  if (delivery === undefined || fanOut.length > 0) return fanOut;
  const { status } = delivery;
  const name = nameOf(event);
  const wasTaken = arrivals.some((arrival) => arrival.isTaken && arrival.event.id === event.id);
  return [
    ...receiptRules({ name, status, wasTaken }),
    ...endRules({ name, status, wasDisabled: false, isOver: true }),
    ...(status === 'EXHAUSTED' ? givenUpRules({ name, ...countsOf(delivery), attemptsMax, isGone: false }) : []),
  ];
}

/** With luck every delivery of the other endpoint succeeds, so this endpoint takes nothing. */
function endless({ refused, attemptsMax }: WebhookEvidence): Objection[] {
  return refused.flatMap((delivery) => {
    const { status, eventId } = delivery;
    const name = `${eventId} is ${status} where nothing is taken, it`;
    const rightly = givenUpRules({ name, ...countsOf(delivery), attemptsMax, isGone: false });
    return status === 'EXHAUSTED' ? rightly : [objection('exhausted', `${name} was not given up`)];
  });
}

function countsOf(delivery: Delivered): { readonly attempts: number; readonly failures: number } {
  const attempts = delivery.attempts.filter(isAttempt);
  return { attempts: attempts.length, failures: attempts.filter(({ error }) => error !== null).length };
}

function different({ events, arrivals }: WebhookEvidence): Objection[] {
  const listed = new Map(events.map((event) => [event.id, event]));
  const first = new Map<string, ReceivedWebhook>();
  return arrivals.flatMap((arrival) => {
    const { event, body } = arrival;
    const known = first.get(event.id);
    if (known !== undefined) return bytesRules(nameOf(event), body, known.body);
    first.set(event.id, arrival);
    const shown = listed.get(event.id);
    // An event that the feed does not have is an objection of the rule `foreign`.
    if (shown === undefined) return [];
    const { type, shipmentId, sequence } = shown;
    const isSame = type === event.type && shipmentId === event.shipmentId && sequence === event.sequence;
    return isSame ? [] : [objection('same', `${nameOf(event)} is not what the feed shows`)];
  });
}

function unnumbered({ events }: WebhookEvidence): Objection[] {
  const last = new Map<string, number>();
  return events.flatMap((event) => {
    const { shipmentId, sequence } = event;
    if (shipmentId === null) return [];
    const due = (last.get(shipmentId) ?? 0) + 1;
    last.set(shipmentId, sequence);
    return sequenceRules({ name: nameOf(event), sequence, due, told: sequence, shipmentId });
  });
}

/** Judged twice: by the attempts that the service has stored, and by what the receiver saw. Either could be wrong. */
function outOfOrder({ endpointId, events, deliveries, arrivals }: WebhookEvidence): Objection[] {
  const byEvent = new Map(
    deliveries.filter((one) => one.endpointId === endpointId).map((delivery) => [delivery.eventId, delivery]),
  );
  const cameAt = firstBy(arrivals);
  const takenAt = firstBy(arrivals, ({ isTaken }) => isTaken);
  return neighbours(events).flatMap(([before, after]) => {
    const delivery = byEvent.get(before.id);
    const attempted = byEvent.get(after.id)?.attempts[0]?.startedAt;
    const came = cameAt.get(after.id);
    const took = takenAt.get(before.id);
    const names = { later: nameOf(after), earlier: nameOf(before) };
    const isOver = (at: string) => typeof delivery?.completedAt === 'string' && delivery.completedAt <= at;
    const isTakenBefore = (index: number) => took !== undefined && took.index < index;
    const failuresAt = (atMs: number) => (delivery === undefined ? 0 : failuresBy(delivery, atMs));
    return [
      ...(attempted === undefined || delivery === undefined
        ? []
        : orderRules('order', {
            ...names,
            isEarlierOver: isOver(attempted),
            earlierFailures: failuresAt(Date.parse(attempted)),
          })),
      ...(came === undefined
        ? []
        : orderRules('arrival', {
            ...names,
            isEarlierOver: isTakenBefore(came.index),
            earlierFailures: failuresAt(came.atMs),
          })),
    ];
  });
}

/** Starts are cut to milliseconds and durations are rounded, so an end may seem to be this much later than it was. */
const ROUNDING_MS = 1;

/** Attempts that had failed by an instant. One that hangs has not failed yet, however early it began. */
function failuresBy({ attempts }: Delivered, atMs: number): number {
  const failed = attempts.filter((attempt) => attempt.error !== null && isAttempt(attempt));
  return failed.filter(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs - ROUNDING_MS <= atMs).length;
}

interface Moment {
  readonly index: number;
  readonly atMs: number;
}

/** The first arrival of each event, among the given arrivals. */
function firstBy(
  arrivals: readonly ReceivedWebhook[],
  isMeant: (arrival: ReceivedWebhook) => boolean = () => true,
): Map<string, Moment> {
  const first = new Map<string, Moment>();
  for (const [index, arrival] of arrivals.entries()) {
    if (isMeant(arrival) && !first.has(arrival.event.id)) first.set(arrival.event.id, { index, atMs: arrival.atMs });
  }
  return first;
}

/* A rule that had nothing to judge has not shown anything, so it counts as an objection. */

interface Subject {
  /** The evidence must have at least one of these. */
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

/** The rules that had nothing to judge, and what was missing. */
function unjudged(evidence: WebhookEvidence): { readonly rule: Rule; readonly lacking: string }[] {
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

/** Each event of a shipment with its successor. */
function neighbours(events: readonly Listed[]): (readonly [before: Listed, after: Listed])[] {
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
