import { createHmac } from 'node:crypto';
import type { WebhookRequest } from '../../../../src/ports/webhook.ts';
import { addTo, type KnownDelivery, type KnownEndpoint, type Ledger } from '../ledger.ts';
import type { CommittedUnit, Values } from '../watched-rows.ts';
import { hold, object } from './objection.ts';

/** As many attempts as the contract's schedule has. */
const ATTEMPTS_MAX = 10;
/** Failed attempts after which a delivery holds nobody up. */
const PATIENCE = 3;
const isOpen = (status: string) => status === 'PENDING' || status === 'RETRYING';

/** Endpoints, what is owed to them, and how it ends. */
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
  const isWanted = ({ state, eventTypes }: KnownEndpoint) =>
    state !== 'DELETED' && (eventTypes.includes('*') || eventTypes.includes(type));
  const wanting = (ledger.endpointsOf.get(companyId) ?? []).filter(isWanted);
  hold(made.length === wanting.length, 'fanOut', () => `${type} ${id} has ${made.length} of ${wanting.length}`);
  for (const endpoint of wanting) {
    const delivery = made.find((candidate) => candidate.endpointId === endpoint.id);
    const status = endpoint.state === 'ENABLED' ? 'PENDING' : 'SKIPPED';
    hold(delivery?.status === status, 'fanOut', () => `${type} ${id} is ${delivery?.status} for ${endpoint.id}`);
  }
}

function followDelivery(change: Values, ledger: Ledger): void {
  const [id, from, to, attempts] = [change.text(1), change.text(2), change.text(3), change.number(4)];
  const known = ledger.deliveries.get(id);
  if (known === undefined) return object('outcome', `${id} was changed before it was created`);
  hold(known.status === from && (isOpen(from) || from === to), 'outcome', () => `${id} was ${from} and is ${to}`);
  known.status = to;
  if (from !== to) ledger.see(`delivery ${to}`);
  if (to === 'RETRYING') known.failures = attempts;
  if (to === 'SUCCEEDED') hold(known.wasReceived, 'receipt', () => `${id} succeeded, and nobody has received it`);
  const endpoint = ledger.endpoints.get(known.endpointId);
  if (to === 'EXHAUSTED' && from !== to) {
    hold(
      attempts === ATTEMPTS_MAX || endpoint?.url.includes('gone') === true,
      'outcome',
      () => `${id} after ${attempts}`,
    );
  }
  if (to === 'SKIPPED' && from !== to) {
    hold(endpoint?.state !== 'ENABLED', 'outcome', () => `${id} was skipped, and its endpoint takes events`);
  }
}

/** A request that has come to a receiver. Answers what deliveries it may be of. */
export function checkArrival(request: WebhookRequest, ledger: Ledger): readonly KnownDelivery[] {
  const eventId = request.headers['webhook-id'] ?? '';
  const url = String(request.url);
  const endpoint = [...ledger.endpoints.values()].find((candidate) => candidate.url === url);
  if (endpoint === undefined) return object('receipt', `nobody has registered ${url}`);
  const event = ledger.events.get(eventId);
  // The events that a merchant has sent to try his endpoint are kept nowhere.
  if (event === undefined) return object('receipt', `${eventId} was sent, and never committed`);
  hold(event.body === request.body, 'receipt', () => `${eventId} was sent with other bytes than its own`);
  checkSignature(request, endpoint);
  const deliveries = ledger.lines.get(lineOf(endpoint.id, eventId)) ?? [];
  hold(deliveries.length > 0, 'receipt', () => `${eventId} was sent to ${endpoint.id}, for which it is not`);
  const isOnlyInLine = deliveries.every(({ isReplay }) => !isReplay);
  for (const delivery of deliveries) if (isOnlyInLine) checkOrder(delivery, ledger);
  return deliveries;
}

function checkSignature({ headers, body }: WebhookRequest, { id, secret }: KnownEndpoint): void {
  if (secret === undefined) return;
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  hold(
    signatures.includes(expected),
    'receipt',
    () => `${headers['webhook-id']} to ${id} is not signed with its secret`,
  );
}

function checkOrder(delivery: KnownDelivery, ledger: Ledger): void {
  if (delivery.line === null) return;
  for (const earlier of ledger.lines.get(`${delivery.endpointId} ${delivery.line}`) ?? []) {
    if (earlier === delivery) return;
    const isInTheWay = isOpen(earlier.status) && earlier.failures < PATIENCE;
    hold(
      !isInTheWay,
      'order',
      () => `sequence ${delivery.sequence} of ${delivery.line} before ${earlier.sequence} (${earlier.status})`,
    );
  }
}
