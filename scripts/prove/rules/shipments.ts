import { EDGES } from './edges.ts';
import { type Objection, unless } from './promises.ts';

/* The rules for the rows of a shipment, independent of what clients were answered. */

export interface ShipmentSnapshot {
  readonly state: string;
  readonly version: number;
}

/** A row of a shipment's history. */
export interface HistoryRow {
  readonly sequence: number;
  readonly type: string;
  readonly previousState: string | null;
  readonly state: string;
  readonly actor: string;
  readonly correlationId: string;
}

/** A row of the event feed, with the shipment's data from its body. */
export interface FeedRow {
  readonly type: string;
  readonly version: number | null;
  readonly state: string | null;
  readonly correlationId: string;
}

export interface ShipmentChange {
  readonly shipmentId: string;
  /** Undefined for a creation. */
  readonly before: ShipmentSnapshot | undefined;
  readonly after: ShipmentSnapshot;
  /** The rows that were written with the change. */
  readonly steps: readonly HistoryRow[];
  readonly events: readonly FeedRow[];
}

/** A creation or one change of a shipment: its version, its edge, its step and its event. */
export function changeRules({ shipmentId: id, before, after, steps, events }: ShipmentChange): Objection[] {
  const from = before?.state ?? null;
  const name = `${id} from ${from} to ${after.state}`;
  const versionDue = before === undefined ? 0 : before.version + 1;
  const [step, ...otherSteps] = steps;
  const isStepRight =
    step !== undefined &&
    otherSteps.length === 0 &&
    step.sequence === after.version + 1 &&
    step.previousState === from &&
    step.state === after.state;
  const [event, ...otherEvents] = events;
  const isEventRight =
    event !== undefined &&
    otherEvents.length === 0 &&
    event.type === step?.type &&
    event.version === after.version &&
    event.state === after.state &&
    event.correlationId === step.correlationId;
  return [
    ...unless(after.version === versionDue, 'version', () => `${name} has version ${after.version}`, id),
    ...unless(isEdge(from, after.state, step), 'edge', () => `${name} by ${step?.type} of ${step?.actor}`, id),
    ...unless(isStepRight, 'event', () => `${name} has ${steps.length} steps: ${JSON.stringify(step)}`, id),
    ...unless(isEventRight, 'event', () => `${name} has ${events.length} events: ${JSON.stringify(event)}`, id),
  ];
}

/** Without a history row only the states can be judged. The missing row is a separate objection. */
function isEdge(from: string | null, to: string, step: HistoryRow | undefined): boolean {
  if (from === null) return step === undefined ? BEGINNINGS.includes(to) : isCreation(step.type, step.actor, to);
  return EDGES.some(
    ([one, other, type, actors]) =>
      one === from &&
      other === to &&
      (step === undefined || (step.type === `shipment.${type}` && actors.split(' ').includes(step.actor))),
  );
}

/** A follow-up begins with the driver who has its parcel. */
const BEGINNINGS = ['PENDING_APPROVAL', 'PICKED_UP'];

function isCreation(type: string, actor: string, state: string): boolean {
  const actors = state === 'PICKED_UP' ? ['MERCHANT', 'DRIVER', 'SYSTEM', 'OPERATOR'] : ['MERCHANT'];
  return type === 'shipment.created' && BEGINNINGS.includes(state) && actors.includes(actor);
}

/** The row equals the result of its last change. */
export function latestRowRules(
  row: ShipmentSnapshot & { readonly shipmentId: string },
  last: ShipmentSnapshot | undefined,
): Objection[] {
  const holds = last?.state === row.state && last.version === row.version;
  const detail = () =>
    `${row.shipmentId} is ${row.state} at version ${row.version}, its last change made it ${last?.state} at version ${last?.version}`;
  return unless(holds, 'version', detail, row.shipmentId);
}

/** An event has the expected sequence, in its row and in its body. */
export function sequenceRules(event: {
  readonly name: string;
  readonly sequence: number;
  readonly due: number;
  readonly told: number;
  readonly shipmentId?: string | undefined;
}): Objection[] {
  const { name, sequence, due, told, shipmentId } = event;
  const holds = sequence === due && told === sequence;
  return unless(holds, 'sequence', () => `${name} has sequence ${sequence}, ${due} is due`, shipmentId);
}

/** The row has the right number of events. */
export function eventCountRules(shipmentId: string, counted: number, found: number): Objection[] {
  return unless(counted === found, 'sequence', () => `${shipmentId} counts ${counted} events of ${found}`, shipmentId);
}

/** A creation writes one row of each of its parts. */
export function wholeRules(shipmentId: string, parts: Readonly<Record<string, number>>): Objection[] {
  const wrong = Object.entries(parts).filter(([, count]) => count !== 1);
  const detail = () => `${shipmentId} has ${wrong.map(([name, count]) => `${count} of ${name}`).join(', ')}`;
  return unless(wrong.length === 0, 'whole', detail, shipmentId);
}

/** `shipmentIds` are all shipments of one reference, or of one number. */
export function referenceRules(name: string, shipmentIds: readonly string[]): Objection[] {
  return unless(
    shipmentIds.length < 2,
    'reference',
    () => `${name} is of ${shipmentIds.join(' and ')}`,
    shipmentIds[0],
  );
}

/** A refused creation names the shipment that has the reference. */
export function conflictRules(name: string, named: string | undefined, holder: string | undefined): Objection[] {
  const holds = holder !== undefined && named === holder;
  return unless(holds, 'reference', () => `${name} was answered with ${named}, its reference is of ${holder}`, named);
}

/** `made` are the shipments that were created under a key; the key is bound to the only one. */
export function keyRules(name: string, made: readonly string[], boundTo: string | undefined): Objection[] {
  const ids = new Set(made);
  const holds = ids.size === 1 && boundTo !== undefined && ids.has(boundTo);
  return unless(holds, 'key', () => `${name} made ${[...ids].join(', ')} and is bound to ${boundTo}`, boundTo);
}
