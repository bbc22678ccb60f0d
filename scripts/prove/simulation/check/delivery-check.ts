import { createHmac } from 'node:crypto';
import type { OutgoingWebhook } from '../../../../src/ports/webhook.ts';
import {
  bytesRules,
  endRules,
  fanOutRules,
  givenUpRules,
  isOpen,
  orderRules,
  receiptRules,
} from '../../rules/deliveries.ts';
import { addTo, type KnownDelivery, type KnownEndpoint, type Ledger } from './ledger.ts';
import { checkSilent } from './proof-check.ts';
import { hold, object, requireNone } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/** The length of the contract's schedule. */
const ATTEMPTS_MAX = 10;

/** Endpoints, their deliveries, and how deliveries end. */
export function checkDeliveries(unit: CommittedUnit, ledger: Ledger): void {
  for (const row of unit.of('endpoint')) learnEndpoint(row, ledger);
  const made = unit.of('delivery').map((row) => learnDelivery(row, unit, ledger));
  for (const event of unit.of('event')) {
    checkFanOut(
      event,
      made.filter((delivery) => delivery.eventId === event.text(2) && !delivery.isReplay),
      ledger,
    );
  }
  for (const change of unit.of('delivery_changed')) followDelivery(change, ledger);
  for (const gone of unit.of('delivery_gone')) {
    hold(!isOpen(gone.text(2)), 'forever', () => `delivery ${gone.text(1)} was forgotten while ${gone.text(2)}`);
  }
}

function learnEndpoint(row: Values, ledger: Ledger): void {
  const [id, companyId, state, url] = [row.text(1), row.text(2), row.text(3), row.text(5)];
  const eventTypes = JSON.parse(row.text(4)) as string[];
  const known = ledger.endpoints.get(id);
  if (known !== undefined) {
    known.state = state;
    known.eventTypes = eventTypes;
    return;
  }
  const endpoint = { id, companyId, url, state, eventTypes, secret: undefined };
  ledger.endpoints.set(id, endpoint);
  addTo(ledger.endpointsOf, companyId, endpoint);
}

function learnDelivery(row: Values, unit: CommittedUnit, ledger: Ledger): KnownDelivery {
  const [id, endpointId, eventId, line] = [row.text(1), row.text(2), row.text(3), row.textOrNull(4)];
  const event = unit.of('event').find((candidate) => candidate.text(2) === eventId);
  const shipmentId = ledger.events.get(eventId)?.shipmentId ?? null;
  const delivery = {
    ...{ id, endpointId, eventId, line, shipmentId, sequence: event?.number(6) ?? 0 },
    ...{ isReplay: row.textOrNull(6) !== null, status: row.text(5), failures: 0, wasReceived: false },
  };
  ledger.deliveries.set(id, delivery);
  addTo(ledger.lines, lineOf(endpointId, eventId), delivery);
  if (line !== null) addTo(ledger.lines, `${endpointId} ${line}`, delivery);
  return delivery;
}

const lineOf = (endpointId: string, eventId: string) => `${endpointId} event ${eventId}`;

function checkFanOut(event: Values, made: readonly KnownDelivery[], ledger: Ledger): void {
  const [id, companyId, type] = [event.text(2), event.text(3), event.text(4)];
  const endpoints = ledger.endpointsOf.get(companyId) ?? [];
  const subscribers = endpoints.map((endpoint) => ({ ...endpoint, isDeleted: endpoint.state === 'DELETED' }));
  requireNone(fanOutRules({ id, type, companyId }, subscribers, made));
  for (const { endpointId, status } of made) {
    const due = ledger.endpoints.get(endpointId)?.state === 'ENABLED' ? 'PENDING' : 'SKIPPED';
    hold(status === due, 'delivery', () => `${type} ${id} begins as ${status} for ${endpointId}, ${due} is due`);
  }
}

function followDelivery(change: Values, ledger: Ledger): void {
  const [id, from, to, attempts] = [change.text(1), change.text(2), change.text(3), change.number(4)];
  const known = ledger.deliveries.get(id);
  if (known === undefined) return object('ended', `${id} was changed before it was created`);
  hold(known.status === from && (isOpen(from) || from === to), 'ended', () => `${id} was ${from} and is ${to}`);
  known.status = to;
  if (change.number(5) === 1) ledger.see('an endpoint pauses');
  if (to === 'RETRYING') known.failures = attempts;
  if (from === to) return;
  ledger.see(`delivery ${to}`);
  const endpoint = ledger.endpoints.get(known.endpointId);
  const wasDisabled = endpoint?.state !== 'ENABLED';
  requireNone([
    ...receiptRules({ name: id, status: to, wasTaken: known.wasReceived }),
    ...endRules({ name: id, status: to, wasDisabled, isOver: false }),
  ]);
  const isGone = endpoint?.url.includes('gone') === true;
  if (to === 'EXHAUSTED')
    requireNone(givenUpRules({ name: id, attempts, failures: attempts, attemptsMax: ATTEMPTS_MAX, isGone }));
}

/** A webhook has reached a receiver. Returns the deliveries that it may be of. */
export function checkArrival(request: OutgoingWebhook, ledger: Ledger): readonly KnownDelivery[] {
  const eventId = request.headers['webhook-id'] ?? '';
  const url = String(request.url);
  const endpoint = [...ledger.endpoints.values()].find((candidate) => candidate.url === url);
  if (endpoint === undefined) return object('receipt', `nobody has registered ${url}`);
  const event = ledger.events.get(eventId);
  // The service does not store the events that merchants send to test an endpoint.
  if (event === undefined) return object('receipt', `${eventId} was sent, and never committed`);
  requireNone(bytesRules(eventId, request.body, event.body));
  checkSilent(url, request.body, ledger);
  checkSignature(request, endpoint);
  const deliveries = ledger.lines.get(lineOf(endpoint.id, eventId)) ?? [];
  hold(deliveries.length > 0, 'receipt', () => `${eventId} was sent to ${endpoint.id} without a delivery`);
  const isOnlyInLine = deliveries.every(({ isReplay }) => !isReplay);
  for (const delivery of deliveries) if (isOnlyInLine) checkOrder(delivery, ledger);
  return deliveries;
}

function checkSignature({ headers, body }: OutgoingWebhook, { id, secret }: KnownEndpoint): void {
  if (secret === undefined) return;
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  hold(signatures.includes(expected), 'signed', () => `${headers['webhook-id']} to ${id} is signed otherwise`);
}

function checkOrder(delivery: KnownDelivery, ledger: Ledger): void {
  if (delivery.line === null) return;
  for (const earlier of ledger.lines.get(`${delivery.endpointId} ${delivery.line}`) ?? []) {
    if (earlier === delivery) return;
    requireNone(
      orderRules('order', {
        later: `sequence ${delivery.sequence} of ${delivery.line}`,
        earlier: `sequence ${earlier.sequence} (${earlier.status})`,
        isEarlierOver: !isOpen(earlier.status),
        earlierFailures: earlier.failures,
      }),
    );
  }
}
