import type { Ledger } from '../ledger.ts';
import type { CommittedUnit, Values } from '../watched-rows.ts';
import { EDGES } from './edges.ts';
import { hold, object } from './objection.ts';

/** Lifecycle, versions and the history of each change. */
export function checkShipments(unit: CommittedUnit, ledger: Ledger): void {
  for (const gone of unit.of('gone')) object('forever', `${gone.text(1)} ${gone.text(2)}`);
  const history = unit.of('history');
  const events = unit.of('event');
  let edges = 0;
  for (const change of unit.of('standing')) {
    if (followStanding(change, ledger, unit.shard)) {
      edges += 1;
      checkHistory(change, { history, events, ledger });
    }
  }
  const created = unit.of('shipment').length;
  hold(history.length === edges + created, 'event', () => `${history.length} steps of history for ${edges} edges`);
  for (const event of events) checkSequence(event, ledger, unit.shard);
  for (const step of history) {
    checkCause(ledger, step.text(7), `${step.text(3)} of ${step.text(1)}`);
    hold(step.text(8) === ledger.shipment(step.text(1))?.companyId, 'tenancy', () => `history of ${step.text(1)}`);
  }
}

/** Whose request a change is, which nobody may have been told was refused. */
function checkCause(ledger: Ledger, correlationId: string, change: string): void {
  ledger.changes.set(correlationId, change);
  hold(!ledger.refused.has(correlationId), 'refused', () => `${change} is of a refused request`);
}

/** True for an edge; an event that moves nothing on, or another due time, is none. */
function followStanding(change: Values, ledger: Ledger, shard: string): boolean {
  const [id, from, to] = [change.text(1), change.text(2), change.text(3)];
  const [before, after, eventCount] = [change.number(4), change.number(5), change.number(6)];
  const known = ledger.shipment(id);
  if (known === undefined) return object('whole', `${id} was changed in ${shard} before it was created`);
  hold(known.states.at(-1) === from, 'edge', () => `${id} was ${known.states.at(-1)}, and is changed as ${from}`);
  if (from === to && before === after) {
    hold(eventCount - known.eventCount <= 1, 'sequence', () => `${id} counts ${eventCount} after ${known.eventCount}`);
    known.eventCount = eventCount;
    return false;
  }
  hold(
    after === before + 1 && before === known.states.length - 1,
    'version',
    () => `${id} goes from ${before} to ${after}`,
  );
  hold(
    EDGES.some((edge) => edge[0] === from && edge[1] === to),
    'edge',
    () => `${id} goes from ${from} to ${to}`,
  );
  hold(eventCount === known.eventCount + 1, 'sequence', () => `${id} counts ${eventCount} after ${known.eventCount}`);
  known.states.push(to);
  known.eventCount = eventCount;
  return true;
}

/** One step of history and one event for an edge, both of which say just that. */
function checkHistory(
  change: Values,
  { history, events, ledger }: { history: readonly Values[]; events: readonly Values[]; ledger: Ledger },
): void {
  const [id, from, to, version] = [change.text(1), change.text(2), change.text(3), change.number(5)];
  const steps = history.filter((step) => step.text(1) === id);
  const [step] = steps;
  hold(steps.length === 1, 'event', () => `${id} went to version ${version} with ${steps.length} steps of history`);
  if (step === undefined) return;
  const [type, actor] = [step.text(3), step.text(6)];
  const isRight = step.number(2) === version + 1 && step.textOrNull(4) === from && step.text(5) === to;
  hold(isRight, 'event', () => `the history of ${id} at version ${version} says ${type} to ${step.text(5)}`);
  ledger.see(`${from} to ${to}: ${type}`);
  const edge = EDGES.find(
    (candidate) => candidate[0] === from && candidate[1] === to && type === `shipment.${candidate[2]}`,
  );
  hold(
    edge?.[3].split(' ').includes(actor) === true,
    'edge',
    () => `${type} of ${id} from ${from} to ${to} by ${actor}`,
  );
  const told = events.filter((event) => event.textOrNull(5) === id && event.text(4) === type);
  hold(told.length === 1, 'event', () => `${type} of ${id} was told ${told.length} times`);
  const body = told[0]?.text(7) ?? '';
  const isTrue = body.includes(`"state":"${to}"`) && body.includes(`"version":${version},`);
  hold(isTrue, 'event', () => `${type} of ${id} tells of something else than version ${version}, ${to}`);
}

function checkSequence(event: Values, ledger: Ledger, shard: string): void {
  const [position, id, type, shipmentId, sequence] = [
    event.number(1),
    event.text(2),
    event.text(4),
    event.textOrNull(5),
    event.number(6),
  ];
  const last = ledger.positions.get(shard) ?? 0;
  hold(position > last, 'sequence', () => `event ${id} has position ${position} after ${last}`);
  ledger.positions.set(shard, position);
  const known = shipmentId === null ? undefined : ledger.shipment(shipmentId);
  hold(sequence === (known?.eventCount ?? 0), 'sequence', () => `${type} of ${shipmentId} has sequence ${sequence}`);
  hold(event.text(7).includes(`"sequence":${sequence},`), 'sequence', () => `${type} of ${shipmentId} tells another`);
  hold(known === undefined || known.companyId === event.text(3), 'tenancy', () => `${type} of ${shipmentId}`);
  ledger.events.set(id, { body: event.text(7), shipmentId });
  const cause = /"correlationId":"([^"]+)"/.exec(event.text(7))?.[1];
  if (type.startsWith('tracking_link.') && cause !== undefined) checkCause(ledger, cause, `${type} of ${shipmentId}`);
}
