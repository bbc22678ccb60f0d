import { EDGES } from '../../simulation/rules/edges.ts';
import type { CaseFile } from './evidence.ts';
import type { EventRow, ShipmentRow, StepRow } from './rows.ts';
import { type Objection, objection, unless } from './rules.ts';

/* What the databases hold, judged without anybody's word. */

export function chainRules(file: CaseFile): Objection[] {
  const eventsOf = Map.groupBy(file.rows.events, ({ shipment_id: id }) => id);
  return [
    ...file.rows.shipments.flatMap((row) => {
      const steps = file.steps.get(row.id) ?? [];
      const events = eventsOf.get(row.id) ?? [];
      return [...standingRules(row, steps, events), ...edgeRules(row, steps), ...eventRules(row, steps, events)];
    }),
    ...orphans(file),
    ...deliveryRules(file),
    ...owedRules(file),
  ];
}

function standingRules(row: ShipmentRow, steps: readonly StepRow[], events: readonly EventRow[]): Objection[] {
  const sequences = steps.map(({ sequence }) => sequence);
  const told = events.map(({ sequence }) => sequence);
  const isWhole = (numbers: readonly number[]) => numbers.every((number, index) => number === index + 1);
  return [
    ...unless(isWhole(sequences), 'version', () => `the steps of ${row.id} are ${sequences.join()}`, row.id),
    ...unless(
      row.version === steps.length - 1,
      'version',
      () => `${row.id} has version ${row.version} after ${steps.length} steps`,
      row.id,
    ),
    ...unless(
      steps.at(-1)?.state === row.state,
      'version',
      () => `${row.id} is ${row.state}, its last step says ${steps.at(-1)?.state}`,
      row.id,
    ),
    ...unless(isWhole(told), 'version', () => `the events of ${row.id} are ${told.join()} in their order`, row.id),
    ...unless(
      row.event_count === events.length,
      'version',
      () => `${row.id} counts ${row.event_count} events, and has ${events.length}`,
      row.id,
    ),
  ];
}

function edgeRules(row: ShipmentRow, steps: readonly StepRow[]): Objection[] {
  return steps.flatMap((step, index) => {
    const from = steps[index - 1]?.state ?? null;
    const [type, { previous_state: previous, state, actor }] = [step.type.replace('shipment.', ''), step];
    const isFirst = index === 0 && type === 'created' && state === 'PENDING_APPROVAL' && actor === 'MERCHANT';
    const isEdge = EDGES.some(
      ([one, other, name, actors]) =>
        one === previous && other === state && name === type && actors.split(' ').includes(actor),
    );
    const holds = previous === from && (index === 0 ? isFirst : isEdge);
    return unless(
      holds,
      'edge',
      () => `${row.id} went from ${from} (${previous}) to ${state} by ${type} of ${actor}`,
      row.id,
    );
  });
}

function eventRules(row: ShipmentRow, steps: readonly StepRow[], events: readonly EventRow[]): Objection[] {
  const byId = Map.groupBy(events, ({ id }) => id);
  const ofSteps = new Set(steps.map(({ id }) => id));
  const missing = steps.flatMap((step, index) => {
    const [event, ...others] = byId.get(step.id) ?? [];
    const isRight =
      event !== undefined &&
      others.length === 0 &&
      event.type === step.type &&
      event.told_state === step.state &&
      event.told_version === index &&
      event.correlation_id === step.correlation_id &&
      event.told_sequence === event.sequence;
    return unless(
      isRight,
      'event',
      () =>
        `${step.type} of ${row.id} is told ${others.length + (event ? 1 : 0)} times, of version ${event?.told_version}`,
      row.id,
    );
  });
  const beside = events.filter(({ id, type }) => !ofSteps.has(id) && !type.startsWith('tracking_link.'));
  return [
    ...missing,
    ...beside.map(({ type }) => objection('event', `${type} of ${row.id} tells of no change`, row.id)),
  ];
}

/** What hangs on a shipment that is not there. */
function orphans({ rows, shipments }: CaseFile): Objection[] {
  const steps = rows.steps.filter(({ shipment_id: id }) => !shipments.has(id));
  const events = rows.events.filter(({ shipment_id: id }) => id !== null && !shipments.has(id));
  const keys = rows.keys.filter(({ location }) => !shipments.has(location.slice(location.lastIndexOf('/') + 1)));
  const links = rows.links.filter(({ shipment_id: id }) => !shipments.has(id));
  const name = `${steps.length} steps, ${events.length} events, ${keys.length} keys and ${links.length} links`;
  const count = steps.length + events.length + keys.length + links.length;
  return unless(count === 0, 'whole', () => `${name} are of shipments that are not there`, steps[0]?.shipment_id);
}

function deliveryRules({ rows, received }: CaseFile): Objection[] {
  const byEvent = Map.groupBy(rows.deliveries, ({ event_id: event, endpoint_id: endpoint }) => `${event} ${endpoint}`);
  const faults = rows.events.flatMap((event) =>
    rows.endpoints.flatMap((endpoint) => {
      const isOwn = endpoint.company_id === event.company_id;
      const types: unknown = JSON.parse(endpoint.event_types);
      const isWanted = isOwn && Array.isArray(types) && (types.includes('*') || types.includes(event.type));
      const count = byEvent.get(`${event.id} ${endpoint.id}`)?.length ?? 0;
      const holds = count === (isWanted ? 1 : 0);
      return unless(
        holds,
        'delivery',
        () => `${event.type} ${event.id} has ${count} deliveries`,
        event.shipment_id ?? undefined,
      );
    }),
  );
  const known = new Set(rows.events.map(({ id }) => id));
  const idle = rows.deliveries.filter(({ event_id: id }) => !known.has(id));
  const unheard = rows.deliveries.filter(({ status, event_id: id }) => status === 'SUCCEEDED' && !received.has(id));
  return [
    ...faults,
    ...idle.map(({ id }) => objection('delivery', `${id} delivers no event`)),
    ...unheard.map(({ id, event_id: event }) =>
      objection('receipt', `${id} SUCCEEDED, and ${event} was never received`),
    ),
  ];
}

/** Longer than the two seconds in which everything is approved: by then all of a round is over. */
function owedRules({ rows }: CaseFile): Objection[] {
  return rows.shipments
    .filter(({ state }) => state === 'PENDING_APPROVAL')
    .map(({ id }) => objection('owed', `${id} is not approved`, id));
}
