import { fanOutRules, receiptRules } from '../../rules/deliveries.ts';
import { type Objection, objection, unless } from '../../rules/promises.ts';
import { changeRules, eventCountRules, latestRowRules, sequenceRules } from '../../rules/shipments.ts';
import { isOfAnEnd } from './end-rules.ts';
import type { CaseFile } from './evidence.ts';
import type { EventRow, ShipmentRow, StepRow } from './rows.ts';

/* The rules for the rows of the databases, independent of what clients were answered. */

export function chainRules(file: CaseFile): Objection[] {
  const eventsOf = Map.groupBy(file.rows.events, ({ shipment_id: id }) => id);
  return [
    ...file.rows.shipments.flatMap((row) =>
      shipmentRules(row, file.steps.get(row.id) ?? [], eventsOf.get(row.id) ?? []),
    ),
    ...orphans(file),
    ...deliveryRules(file),
    ...owedRules(file),
  ];
}

function shipmentRules(row: ShipmentRow, steps: readonly StepRow[], events: readonly EventRow[]): Objection[] {
  const eventsByStep = Map.groupBy(events, ({ id }) => id);
  const stepIds = new Set(steps.map(({ id }) => id));
  const stray = events.filter(
    ({ id, type }) => !stepIds.has(id) && !isOfAnEnd(type) && !type.startsWith('tracking_link.'),
  );
  const { id: shipmentId } = row;
  return [
    ...steps.flatMap((step, index) =>
      changeRules({
        shipmentId,
        before: standingAfter(steps[index - 1]),
        after: { state: step.state, version: step.sequence - 1 },
        steps: [stepOf(step)],
        events: (eventsByStep.get(step.id) ?? []).map(toldIn),
      }),
    ),
    ...latestRowRules({ ...row, shipmentId }, standingAfter(steps.at(-1))),
    ...events.flatMap(({ type, sequence, told_sequence: told }, index) =>
      sequenceRules({ name: `${type} of ${shipmentId}`, sequence, due: index + 1, told, shipmentId }),
    ),
    ...eventCountRules(shipmentId, row.event_count, events.length),
    ...stray.map(({ type }) => objection('event', `${type} of ${shipmentId} belongs to no change`, shipmentId)),
  ];
}

function standingAfter(step: StepRow | undefined) {
  return step && { state: step.state, version: step.sequence - 1 };
}

function stepOf({ previous_state: previousState, correlation_id: correlationId, ...step }: StepRow) {
  return { ...step, previousState, correlationId };
}

function toldIn(event: EventRow) {
  const { type, told_version: version, told_state: state, correlation_id: correlationId } = event;
  return { type, version, state, correlationId };
}

/** Rows that belong to a shipment that does not exist. */
function orphans({ rows, shipments }: CaseFile): Objection[] {
  const steps = rows.steps.filter(({ shipment_id: id }) => !shipments.has(id));
  const events = rows.events.filter(({ shipment_id: id }) => id !== null && !shipments.has(id));
  const keys = rows.keys.filter(({ location }) => !shipments.has(location.slice(location.lastIndexOf('/') + 1)));
  const links = rows.links.filter(({ shipment_id: id }) => !shipments.has(id));
  const name = `${steps.length} steps, ${events.length} events, ${keys.length} keys and ${links.length} links`;
  const count = steps.length + events.length + keys.length + links.length;
  return unless(count === 0, 'whole', () => `${name} belong to no shipment`, steps[0]?.shipment_id);
}

function deliveryRules({ rows, received }: CaseFile): Objection[] {
  const endpoints = rows.endpoints.map(({ id, company_id: companyId, event_types: eventTypes }) => ({
    ...{ id, companyId, isDeleted: false },
    eventTypes: JSON.parse(eventTypes) as string[],
  }));
  const deliveries = rows.deliveries.map(({ endpoint_id: endpointId, event_id: eventId }) => ({ endpointId, eventId }));
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  const known = new Set(rows.events.map(({ id }) => id));
  const stray = rows.deliveries.filter(({ event_id: id }) => !known.has(id));
  return [
    ...rows.events.flatMap(({ id, type, company_id: companyId, shipment_id: shipmentId }) =>
      fanOutRules({ id, type, companyId, shipmentId }, endpoints, byEvent.get(id) ?? []),
    ),
    ...stray.map(({ id }) => objection('delivery', `${id} delivers no event`)),
    ...rows.deliveries.flatMap(({ id, status, event_id: eventId }) =>
      receiptRules({ name: id, status, wasTaken: received.has(eventId) }),
    ),
  ];
}

/** The round waits longer than the two seconds in which every shipment must be approved. */
function owedRules({ rows }: CaseFile): Objection[] {
  return rows.shipments
    .filter(({ state }) => state === 'PENDING_APPROVAL')
    .map(({ id }) => objection('owed', `${id} is not approved`, id));
}
