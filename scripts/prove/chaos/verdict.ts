import type { MirsalEvent, MirsalOutputs } from '../../../src/client.ts';
import { neighbours, unjudged } from './subjects.ts';

/* Judges what became of a company's events by what everybody was told. Pure: the tests hand it lies. */

/** What has to hold of one endpoint's events, and how it is called. */
export const RULES = {
  signed: 'every request is signed with the secret of its endpoint',
  foreign: 'an endpoint is sent what it has a delivery for, and nothing else',
  recorded: 'a shipment that was acknowledged has its event',
  delivery: 'each event has one delivery',
  ended: 'each delivery has come to its end',
  taken: 'a delivery that succeeded was taken',
  exhausted: 'a delivery is given up after all its attempts have failed, and not before',
  same: 'an event comes with the same text each time, and is the one that the feed shows',
  sequence: 'the events of a shipment are numbered without a gap, and listed in that order',
  order: 'the next event of a shipment is attempted when the one before was taken, or has failed three times',
  arrival: 'the next event of a shipment comes when the one before was taken, or has failed three times',
  gone: 'an endpoint that says it is gone is given up',
} as const;
export type Rule = keyof typeof RULES;

export interface Objection {
  readonly rule: Rule;
  readonly detail: string;
}

export type Listed = Pick<MirsalEvent, 'id' | 'type' | 'shipmentId' | 'sequence'>;
type Delivery = MirsalOutputs['webhookDeliveries']['get'];
export type Delivered = Pick<Delivery, 'endpointId' | 'eventId' | 'status' | 'completedAt'> & {
  readonly attempts: readonly Pick<Delivery['attempts'][number], 'startedAt' | 'durationMs' | 'error'>[];
};

/** A request that was signed as it should be. */
export interface Arrival {
  readonly event: Listed;
  readonly body: string;
  /** Since 1970, by the clock of the machine that the service runs on too. */
  readonly atMs: number;
  /** Whether it was answered with 2xx. */
  readonly isTaken: boolean;
}

export interface WebhookEvidence {
  readonly endpointId: string;
  /** As many as the schedule has. */
  readonly attemptsMax: number;
  /** Shipments whose creation was answered. */
  readonly shipmentIds: readonly string[];
  /** All that the feed has, in its order. */
  readonly events: readonly Listed[];
  readonly deliveries: readonly Delivered[];
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  /** What was wrong with requests that were not signed as they should be. */
  readonly forged: readonly string[];
  /** Those of an endpoint that takes nothing. */
  readonly refused: readonly Delivered[];
  /** The endpoint that says it is gone: how often it could say so, and what the service thinks of it. */
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

function objection(rule: Rule, detail: string): Objection {
  return { rule, detail };
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
    .map((shipmentId) => objection('recorded', `the feed has no creation of ${shipmentId}`));
}

/** At least once, or told that it was not. */
function endOf(event: Listed, { endpointId, deliveries, arrivals, attemptsMax }: WebhookEvidence): Objection[] {
  const own = deliveries.filter((one) => one.endpointId === endpointId && one.eventId === event.id);
  const [delivery] = own;
  if (delivery === undefined || own.length > 1)
    return [objection('delivery', `${nameOf(event)} has ${own.length} deliveries`)];
  const { status } = delivery;
  const isTaken = arrivals.some((arrival) => arrival.isTaken && arrival.event.id === event.id);
  if (status === 'SUCCEEDED')
    return isTaken ? [] : [objection('taken', `${nameOf(event)} is SUCCEEDED and was never taken`)];
  // Its endpoint was never disabled, so nothing is skipped.
  if (status !== 'EXHAUSTED') return [objection('ended', `${nameOf(event)} is ${status}`)];
  return isExhausted(delivery, attemptsMax)
    ? []
    : [objection('exhausted', `${nameOf(event)} failed ${failuresOf(delivery)}`)];
}

/** Chance alone gives hardly anything up, so one endpoint sees to it. */
function endless({ refused, attemptsMax }: WebhookEvidence): Objection[] {
  return refused
    .filter((delivery) => delivery.status !== 'EXHAUSTED' || !isExhausted(delivery, attemptsMax))
    .map((delivery) => {
      const detail = `${delivery.eventId} is ${delivery.status} where nothing is taken, failed ${failuresOf(delivery)}`;
      return objection('exhausted', detail);
    });
}

function isExhausted({ attempts }: Delivered, attemptsMax: number): boolean {
  return attempts.length === attemptsMax && attempts.every(({ error }) => error !== null);
}

function failuresOf({ attempts }: Delivered): string {
  return `in ${attempts.filter(({ error }) => error !== null).length} of ${attempts.length} attempts`;
}

function different({ events, arrivals }: WebhookEvidence): Objection[] {
  const listed = new Map(events.map((event) => [event.id, event]));
  const first = new Map<string, Arrival>();
  return arrivals.flatMap((arrival) => {
    const { event, body } = arrival;
    const known = first.get(event.id);
    if (known !== undefined)
      return known.body === body ? [] : [objection('same', `${nameOf(event)} came with two texts`)];
    first.set(event.id, arrival);
    const shown = listed.get(event.id);
    // What the feed does not have is foreign.
    if (shown === undefined) return [];
    const { type, shipmentId, sequence } = shown;
    const isSame = type === event.type && shipmentId === event.shipmentId && sequence === event.sequence;
    return isSame ? [] : [objection('same', `${nameOf(event)} is not what the feed shows`)];
  });
}

function unnumbered({ events }: WebhookEvidence): Objection[] {
  const last = new Map<string, number>();
  return events.flatMap(({ shipmentId, sequence }) => {
    if (shipmentId === null) return [];
    const before = last.get(shipmentId) ?? 0;
    last.set(shipmentId, sequence);
    return sequence === before + 1 ? [] : [objection('sequence', `${shipmentId} goes from ${before} to ${sequence}`)];
  });
}

/** Failed attempts after which a delivery does not hold up the next event of its shipment. */
const PATIENCE = 3;

/** By what the service has written down, and by what the receiver saw: the one could be as wrong as the other. */
function outOfOrder({ endpointId, events, deliveries, arrivals }: WebhookEvidence): Objection[] {
  const byEvent = new Map(
    deliveries.filter((one) => one.endpointId === endpointId).map((delivery) => [delivery.eventId, delivery]),
  );
  const cameAt = firstBy(arrivals);
  const takenAt = firstBy(arrivals, ({ isTaken }) => isTaken);
  return neighbours(events).flatMap(([before, after]) => {
    const earlier = byEvent.get(before.id);
    const attempted = byEvent.get(after.id)?.attempts[0]?.startedAt;
    const came = cameAt.get(after.id);
    const took = takenAt.get(before.id);
    const isOver = (at: string) => typeof earlier?.completedAt === 'string' && earlier.completedAt <= at;
    const hasFailed = (atMs: number) => earlier !== undefined && failedMs(earlier) <= atMs;
    const detail = `${nameOf(after)} overtook ${nameOf(before)}`;
    return [
      ...(attempted === undefined || earlier === undefined || isOver(attempted) || hasFailed(Date.parse(attempted))
        ? []
        : [objection('order', detail)]),
      ...(came === undefined || (took !== undefined && took.index < came.index) || hasFailed(came.atMs)
        ? []
        : [objection('arrival', detail)]),
    ];
  });
}

/** Starts are cut to milliseconds and durations rounded: an end may seem to be this much later than it was. */
const ROUNDING_MS = 1;

/** When the attempt that ended a delivery's patience had failed: one that hangs has not, however early it began. */
function failedMs({ attempts }: Delivered): number {
  const last = attempts.filter(({ error }) => error !== null)[PATIENCE - 1];
  return last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.startedAt) + last.durationMs - ROUNDING_MS;
}

interface Moment {
  readonly index: number;
  readonly atMs: number;
}

/** When each event came for the first time, among the requests that are asked for. */
function firstBy(
  arrivals: readonly Arrival[],
  isMeant: (arrival: Arrival) => boolean = () => true,
): Map<string, Moment> {
  const first = new Map<string, Moment>();
  for (const [index, arrival] of arrivals.entries()) {
    if (isMeant(arrival) && !first.has(arrival.event.id)) first.set(arrival.event.id, { index, atMs: arrival.atMs });
  }
  return first;
}
