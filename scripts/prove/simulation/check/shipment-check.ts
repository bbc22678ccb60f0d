import { ownerRules, refusalRules } from '../../rules/requests.ts';
import { changeRules, sequenceRules } from '../../rules/shipments.ts';
import type { Ledger } from './ledger.ts';
import { hold, object, requireNone } from './rule-broken.ts';
import type { CommittedUnit, Values } from './watched-rows.ts';

/** Lifecycle, versions, and the history and events of each change. */
export function checkShipments(unit: CommittedUnit, ledger: Ledger): void {
  for (const gone of unit.of('gone')) object('forever', `${gone.text(1)} ${gone.text(2)}`);
  const [history, events] = [unit.of('history'), unit.of('event')];
  let changes = 0;
  for (const change of unit.of('standing')) {
    if (!followStanding(change, ledger, unit.shard)) continue;
    changes += 1;
    checkChange(change, { history, events, ledger });
  }
  for (const created of unit.of('shipment')) checkCreated(created, { history, events });
  const expected = changes + unit.of('shipment').length;
  hold(history.length === expected, 'event', () => `${history.length} steps of history for ${expected} changes`);
  for (const [index, event] of events.entries()) {
    // The row counts all events of the unit: a delivery may have a second one.
    const later = events.slice(index + 1).filter((other) => other.textOrNull(5) === event.textOrNull(5)).length;
    checkEvent(event, { ledger, shard: unit.shard, later });
  }
  for (const step of history) {
    const name = `${step.text(3)} of ${step.text(1)}`;
    checkCause(ledger, step.text(7), name);
    const owner = ledger.shipment(step.text(1))?.companyId;
    requireNone(ownerRules({ name, thing: step.text(1), owner, companyId: step.text(8) }));
  }
}

/** Records which request made a change. No client may have been answered that this request was refused. */
function checkCause(ledger: Ledger, correlationId: string, change: string): void {
  ledger.changes.set(correlationId, change);
  if (ledger.refused.has(correlationId)) requireNone(refusalRules({ name: 'a refused request', changes: [change] }));
}

/** True for a change of state. False if an event or a new due time leaves the state unchanged. */
function followStanding(change: Values, ledger: Ledger, shard: string): boolean {
  const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
  const [before, after, eventCount] = [change.number(4), change.number(5), change.number(6)];
  const known = ledger.shipment(id);
  if (known === undefined) return object('whole', `${id} was changed in ${shard} before it was created`);
  hold(known.states.at(-1) === from, 'edge', () => `${id} was ${known.states.at(-1)}, and is changed as ${from}`);
  const isChange = from !== to || before !== after;
  const added = eventCount - known.eventCount;
  const isCounted = isChange ? added === 1 : added <= 1;
  hold(isCounted, 'sequence', () => `${id} counts ${eventCount} events after ${known.eventCount}`);
  known.eventCount = eventCount;
  if (isChange) {
    hold(before === known.states.length - 1, 'version', () => `${id} goes on from version ${before}`);
    known.states.push(to);
  }
  return isChange;
}

interface Written {
  readonly history: readonly Values[];
  readonly events: readonly Values[];
}

function checkChange(change: Values, { history, events, ledger }: Written & { ledger: Ledger }): void {
  const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
  const steps = history.filter((step) => step.text(1) === id).map(stepOf);
  const type = steps[0]?.type;
  ledger.see(`${from} to ${to}: ${type}`);
  requireNone(
    changeRules({
      shipmentId: id,
      before: { state: from, version: change.number(4) },
      after: { state: to, version: change.number(5) },
      steps,
      events: events.filter((event) => event.textOrNull(5) === id && event.text(4) === type).map(toldIn),
    }),
  );
}

function checkCreated(created: Values, { history, events }: Written): void {
  const id = created.text(1);
  requireNone(
    changeRules({
      shipmentId: id,
      before: undefined,
      after: { state: created.text(5), version: created.number(6) },
      steps: history.filter((step) => step.text(1) === id).map(stepOf),
      events: events.filter((event) => event.textOrNull(5) === id).map(toldIn),
    }),
  );
}

function stepOf(row: Values) {
  return {
    sequence: row.number(2),
    type: row.text(3),
    previousState: row.textOrNull(4),
    state: row.text(5),
    actor: row.text(6),
    correlationId: row.text(7),
  };
}

interface EventBody {
  readonly sequence: number;
  readonly correlationId: string;
  readonly data: { readonly shipment?: { readonly version: number; readonly state: string } };
}

function toldIn(row: Values) {
  const { correlationId, data } = JSON.parse(row.text(7)) as EventBody;
  return {
    type: row.text(4),
    version: data.shipment?.version ?? null,
    state: data.shipment?.state ?? null,
    correlationId,
  };
}

interface Counted {
  readonly ledger: Ledger;
  readonly shard: string;
  /** Events of the same shipment that follow in the unit. */
  readonly later: number;
}

function checkEvent(event: Values, { ledger, shard, later }: Counted): void {
  const [position, id, type] = [event.number(1), event.text(2), event.text(4)];
  const [shipmentId, sequence, body] = [event.textOrNull(5), event.number(6), event.text(7)];
  const last = ledger.positions.get(shard) ?? 0;
  hold(position > last, 'sequence', () => `event ${id} has position ${position} after ${last}`);
  ledger.positions.set(shard, position);
  const known = shipmentId === null ? undefined : ledger.shipment(shipmentId);
  const told = JSON.parse(body) as EventBody;
  const name = `${type} of ${shipmentId}`;
  requireNone(
    sequenceRules({ name, sequence, due: known === undefined ? 0 : known.eventCount - later, told: told.sequence }),
  );
  requireNone(ownerRules({ name, thing: String(shipmentId), owner: known?.companyId, companyId: event.text(3) }));
  ledger.events.set(id, { body, shipmentId });
  if (type.startsWith('tracking_link.')) checkCause(ledger, told.correlationId, name);
}
