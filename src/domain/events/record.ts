import type { WriteStatement } from '../../../db/statement.ts';
import { type Event, event } from '../../contract/event.ts';
import type { EventType } from '../../contract/event-type.ts';
import { decimalPlacesOf, toRest } from '../../contract/rest-numbers.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addMillis, formatInstant, type Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { FirstLease } from '../../core/webhook-terms.ts';
import { deliveriesInsert, type EventRow, eventInsert, type HistoryStep, sequenceTaken } from './record-store.ts';

export interface EventConfig {
  readonly deployment: Deployment;
  /** Without one, a delivery begins free. */
  readonly firstLease?: FirstLease | undefined;
}

/** The facts of an event before it is stored. */
export interface EventDraft {
  readonly id: Uuid;
  readonly type: EventType;
  readonly companyId: Uuid;
  readonly shipmentId: Uuid | null;
  readonly occurredAt: Instant;
  readonly previousState: ShipmentState | null;
  readonly correlationId: Uuid;
  /** How far the company's clock is ahead of the real time. */
  readonly offsetSeconds: number;
  readonly data: Event['data'];
  readonly isTest?: boolean;
}

/**
 * An event that does not change a shipment's state, for example of a tracking link or an endpoint. Add both parts to
 * the unit.
 */
export function recordEvent(config: EventConfig, draft: EventDraft): WriteStatement[] {
  const { companyId, shipmentId } = draft;
  const count = shipmentId === null ? [] : [sequenceTaken(companyId, shipmentId)];
  return [...count, ...recorded(config, draft)];
}

/**
 * The event of a transition or a creation, with its step of the history. The statement of the transition comes before it and
 * has increased the sequence.
 */
export function recordTransition(config: EventConfig, draft: EventDraft, step: HistoryStep): WriteStatement[] {
  return recorded(config, draft, step);
}

function recorded({ deployment, firstLease }: EventConfig, draft: EventDraft, step?: HistoryStep): WriteStatement[] {
  const row = { ...rowOf(deployment, draft), step };
  const { id, occurredAt, offsetSeconds } = draft;
  const leaseUntil = firstLease && addMillis(occurredAt, firstLease.ms - offsetSeconds * 1000);
  const deliveries = deliveriesInsert({
    eventId: id,
    holder: firstLease?.holder ?? null,
    leaseUntil: leaseUntil ?? null,
  });
  return [eventInsert(row), deliveries];
}

const PLACES = decimalPlacesOf(event);
/** A placeholder that the database replaces by the sequence. No member before it can contain an unquoted number. */
const SEQUENCE = '"sequence":0';

function rowOf(deployment: Deployment, draft: EventDraft): Omit<EventRow, 'step'> {
  const { id, companyId, type, shipmentId, occurredAt, previousState, correlationId } = draft;
  const text = envelopeText(deployment, draft);
  const at = text.indexOf(SEQUENCE) + SEQUENCE.length - 1;
  const facts = { id, companyId, type, shipmentId, occurredAt, previousState, correlationId };
  return { ...facts, before: text.slice(0, at), after: text.slice(at + 1) };
}

/** The envelope as it is signed and sent, with sequence 0. Decimals are bare numbers, as in every response on REST. */
export function envelopeText(deployment: Deployment, draft: EventDraft): string {
  const { id, type, companyId, shipmentId, occurredAt, previousState, correlationId, isTest = false } = draft;
  const { data, offsetSeconds } = draft;
  const timestamp = formatInstant(occurredAt);
  const head = { id, type, timestamp, apiVersion: 'v2', deployment, companyId, shipmentId } as const;
  const envelope = {
    ...head,
    sequence: 0,
    previousState,
    correlationId,
    ...(isTest ? { test: true as const } : {}),
    data: offsetSeconds === 0 ? data : { ...data, sandboxClock: { offsetSeconds } },
  } satisfies Event;
  return JSON.stringify(toRest(envelope, PLACES));
}
