import { memberOf } from '../../../scripts/prove/chaos/load/history.ts';
import {
  acknowledgedRow,
  FORGED,
  inCalls,
  inRows,
  isAcknowledged,
  lie,
  type PlantedLie,
  without,
  withoutFirst,
  withoutRow,
  withRows,
} from './plant.ts';

/** Rows that break a rule. */
export const LIES_OF_ROWS: readonly PlantedLie[] = [
  lie('a shipment that was acknowledged and is gone', 'acknowledged', (evidence) => {
    const id = memberOf(evidence.calls.find(isAcknowledged)?.answer, 'shipmentId');
    return id === undefined ? undefined : without(evidence, id);
  }),
  lie('a change that was acknowledged and is taken back', 'acknowledged', (evidence) => {
    const call = evidence.calls.find(
      ({ operation, answer }) => operation === 'cancel' && memberOf(answer, 'state') === 'CANCELLED',
    );
    const steps = evidence.rows.steps.filter(({ shipment_id: id }) => id === call?.shipmentId);
    const [last, before] = [steps.at(-1), steps.at(-2)];
    if (last === undefined || before === undefined) return undefined;
    const rest = {
      ...evidence.rows,
      steps: evidence.rows.steps.filter((step) => step !== last),
      events: evidence.rows.events.filter(({ id }) => id !== last.id),
    };
    return inRows(
      { ...evidence, rows: rest },
      'shipments',
      ({ id }) => id === last.shipment_id,
      (row) => ({ state: before.state, version: row.version - 1 }),
    );
  }),
  lie('an amendment that was acknowledged and is gone', 'acknowledged', (evidence) => {
    const { calls, rows } = evidence;
    const call = calls.find(({ operation, outcome }) => operation === 'amend' && outcome === 'ok');
    const kept = rows.amendments.filter(({ instructions }) => instructions !== call?.instructions);
    return call && withRows(evidence, 'amendments', kept);
  }),
  lie('an amendment that was made twice', 'once', (evidence) => {
    const [row] = evidence.rows.amendments;
    return row && withRows(evidence, 'amendments', [...evidence.rows.amendments, row]);
  }),
  lie('a link whose revocation was acknowledged, and which stands', 'acknowledged', (evidence) => {
    const linkId = evidence.calls.find(({ operation, outcome }) => operation === 'revoke' && outcome === 'ok')?.linkId;
    return inRows(
      evidence,
      'links',
      ({ id }) => id === linkId,
      () => ({ revoked_at: null }),
    );
  }),
  lie('a value that was rounded when it was stored', 'exact', (evidence) =>
    inRows(evidence, 'shipments', acknowledgedRow(evidence), (row) => ({
      declared_value: row.declared_value.replace(/.$/, ''),
    })),
  ),
  lie('a second shipment of a reference', 'reference', (evidence) => {
    const [row] = evidence.rows.shipments;
    return row && withRows(evidence, 'shipments', [...evidence.rows.shipments, { ...row, id: FORGED }]);
  }),
  lie('a key that is bound to another shipment', 'key', (evidence) => {
    const keys = new Set(evidence.calls.filter(isAcknowledged).map(({ key }) => key));
    return inRows(
      evidence,
      'keys',
      ({ key }) => keys.has(key),
      () => ({ location: `/v2/external/shipments/${FORGED}` }),
    );
  }),
  lie('one request that caused two events', 'once', (evidence) => {
    const own = new Set(evidence.calls.map(({ correlationId }) => correlationId));
    const cause = evidence.rows.events.find(({ correlation_id: id }) => own.has(id))?.correlation_id;
    const of = evidence.rows.events.filter(({ correlation_id: id }) => id !== cause);
    return cause === undefined
      ? undefined
      : inRows(
          evidence,
          'events',
          ({ id }) => id === of[0]?.id,
          () => ({ correlation_id: cause }),
        );
  }),
  lie('an action of a phone that was done twice', 'once', (evidence) => {
    const { calls, rows } = evidence;
    const [first, second] = rows.steps.filter(({ type, correlation_id: id }) => {
      const call = calls.find(({ correlationId }) => correlationId === id);
      return type === 'shipment.picked_up' && call?.actionId !== undefined;
    });
    const actionId = calls.find(({ correlationId }) => correlationId === first?.correlation_id)?.actionId;
    return actionId === undefined
      ? undefined
      : inCalls(
          evidence,
          ({ correlationId }) => correlationId === second?.correlation_id,
          () => ({ actionId }),
        );
  }),
  lie('a collection that is gone', 'collected', (evidence) => withoutRow(evidence, 'collections')),
  lie('a parcel that was paid twice', 'collected', (evidence) => {
    const [row] = evidence.rows.collections;
    return row && withRows(evidence, 'collections', [...evidence.rows.collections, row]);
  }),
  lie('a collection that was told by another request', 'collected', (evidence) =>
    inRows(
      evidence,
      'events',
      ({ type }) => type === 'cod.collected',
      () => ({ correlation_id: FORGED }),
    ),
  ),
  lie('a signed delivery without its record', 'proven', (evidence) =>
    withoutRow(evidence, 'proofs', ({ kind }) => kind === 'DELIVERY'),
  ),
  lie('a failure after which nobody decides', 'resolved', (evidence) => withoutRow(evidence, 'resolutions')),
  lie('a lost parcel without a complaint', 'complaint', (evidence) => withoutRow(evidence, 'complaints')),
  lie('a creation without its key', 'whole', (evidence) => withRows(evidence, 'keys', evidence.rows.keys.slice(1))),
  lie('a creation without its price', 'whole', (evidence) =>
    inRows(
      evidence,
      'shipments',
      () => true,
      () => ({ terms: 0 }),
    ),
  ),
  lie('a history of no shipment', 'whole', (evidence) =>
    withRows(evidence, 'shipments', evidence.rows.shipments.slice(1)),
  ),
  lie('a merchant who approved a shipment', 'edge', (evidence) =>
    inRows(
      evidence,
      'steps',
      ({ type }) => type === 'shipment.approved',
      () => ({ actor: 'MERCHANT' }),
    ),
  ),
  lie('a shipment that was offered before it was approved', 'edge', (evidence) => {
    const approval = evidence.rows.steps.find(({ type }) => type === 'shipment.approved');
    return (
      approval &&
      inRows(
        evidence,
        'steps',
        (step) => step === approval,
        () => ({ state: 'OFFERED', type: 'shipment.offered' }),
      )
    );
  }),
  lie('a version that no step led to', 'version', (evidence) =>
    inRows(
      evidence,
      'shipments',
      () => true,
      ({ version }) => ({ version: version + 1 }),
    ),
  ),
  lie('a step that is missing in the middle', 'version', (evidence) =>
    withRows(
      evidence,
      'steps',
      withoutFirst(evidence.rows.steps, ({ sequence }) => sequence === 2),
    ),
  ),
  lie('a gap in the numbers of events', 'sequence', (evidence) =>
    inRows(
      evidence,
      'events',
      ({ sequence }) => sequence === 2,
      () => ({ sequence: 5 }),
    ),
  ),
  lie('a change of which nobody was told', 'event', (evidence) =>
    withRows(
      evidence,
      'events',
      withoutFirst(evidence.rows.events, ({ type }) => type === 'shipment.approved'),
    ),
  ),
  lie('a change that was told twice', 'event', (evidence) => {
    const event = evidence.rows.events.find(({ type }) => type === 'shipment.approved');
    return event && withRows(evidence, 'events', [...evidence.rows.events, event]);
  }),
  lie('an event that tells of another version', 'event', (evidence) =>
    inRows(
      evidence,
      'events',
      ({ type }) => type === 'shipment.approved',
      () => ({ told_version: 7 }),
    ),
  ),
  lie('an event that was not put down for an endpoint', 'delivery', (evidence) =>
    withRows(evidence, 'deliveries', evidence.rows.deliveries.slice(1)),
  ),
  lie('an event that was put down twice for an endpoint', 'delivery', (evidence) => {
    const [row] = evidence.rows.deliveries;
    return row && withRows(evidence, 'deliveries', [...evidence.rows.deliveries, { ...row, id: FORGED }]);
  }),
  lie('a delivery that succeeded and never came', 'receipt', (evidence) => {
    const sent = evidence.rows.deliveries.find(({ status }) => status === 'SUCCEEDED')?.event_id;
    return sent === undefined ? undefined : { ...evidence, received: evidence.received.filter((id) => id !== sent) };
  }),
  lie('a shipment that nobody approved', 'owed', (evidence) =>
    inRows(
      evidence,
      'shipments',
      () => true,
      () => ({ state: 'PENDING_APPROVAL' }),
    ),
  ),
  lie('an item that created the shipment of another one', 'batch', (evidence) => {
    const created = evidence.rows.items.find(({ state }) => state === 'CREATED');
    return inRows(
      evidence,
      'items',
      ({ state, key }) => state === 'CREATED' && key !== created?.key,
      () => ({ shipment_id: created?.shipment_id ?? null }),
    );
  }),
  lie('an item that has not ended', 'batch', (evidence) =>
    inRows(
      evidence,
      'items',
      ({ state }) => state === 'REPLAYED',
      () => ({ state: 'PENDING', shipment_id: null }),
    ),
  ),
  lie('an item that is gone', 'batch', (evidence) => withRows(evidence, 'items', evidence.rows.items.slice(1))),
  lie('an item that was refused without a reason', 'batch', (evidence) =>
    inRows(
      evidence,
      'items',
      ({ state }) => state === 'REPLAYED',
      () => ({ state: 'REFUSED', shipment_id: null, code: 'EXTERNAL_REFERENCE_CONFLICT' }),
    ),
  ),
  lie('a shipment that no item of its batch tells of', 'batch', (evidence) => {
    const [batch] = evidence.rows.batches;
    const made = new Set(evidence.rows.items.map(({ shipment_id: id }) => id));
    return inRows(
      evidence,
      'events',
      ({ type, shipment_id: id }) => type === 'shipment.created' && !made.has(id),
      () => ({ correlation_id: batch?.correlation_id ?? '' }),
    );
  }),
  lie('a batch that goes on for ever', 'batch', (evidence) =>
    inRows(
      evidence,
      'batches',
      () => true,
      () => ({ state: 'RUNNING' }),
    ),
  ),
  lie('a batch of which nobody was told', 'batch', (evidence) =>
    withRows(
      evidence,
      'events',
      withoutFirst(evidence.rows.events, ({ type }) => type === 'shipment_batch.completed'),
    ),
  ),
  lie('a batch that was told with other counts', 'batch', (evidence) =>
    inRows(
      evidence,
      'events',
      ({ type }) => type === 'shipment_batch.completed',
      ({ batch_counts: counts }) => ({ batch_counts: counts?.replace(/"created":\d+/, '"created":99') ?? null }),
    ),
  ),
  lie('a key that started two batches', 'batch', (evidence) => {
    const [row] = evidence.rows.batches;
    return row && withRows(evidence, 'batches', [...evidence.rows.batches, { ...row, id: FORGED }]);
  }),
  lie('a batch that was acknowledged and is gone', 'batch', (evidence) =>
    withRows(evidence, 'batches', evidence.rows.batches.slice(1)),
  ),
  lie('a batch that was sent again and created once more', 'batch', (evidence) => {
    const again = evidence.calls.find(
      ({ operation, batchId, outcome }) => operation === 'batch' && batchId !== undefined && outcome === 'ok',
    );
    return inRows(
      evidence,
      'items',
      (item) => item.batch_id === memberOf(again?.answer, 'batchId') && item.state === 'REPLAYED',
      () => ({ state: 'CREATED' }),
    );
  }),
  lie('a revocation of which nobody was told', 'link', (evidence) =>
    withRows(
      evidence,
      'events',
      withoutFirst(evidence.rows.events, ({ type }) => type === 'tracking_link.revoked'),
    ),
  ),
];
