import { type Objection, objection, unless } from '../../rules/promises.ts';
import { AUDITOR, type BatchItemBody, entriesOf, memberOf, type RecordedCall } from '../load/history.ts';
import { nameOf, storedFaults } from './creation-rules.ts';
import type { CaseFile } from './evidence.ts';
import type { BatchRow, ItemRow } from './rows.ts';

/* Batches: the requests, the answers and the rows. */

export function batchRules(file: CaseFile): Objection[] {
  const items = Map.groupBy(file.rows.items, ({ batch_id: id }) => id);
  const sent = file.calls.filter(({ operation }) => operation === 'batch');
  const known = new Set(file.rows.batches.map(({ id }) => id));
  const stray = file.rows.items.filter(({ batch_id: id }) => !known.has(id));
  return [
    ...sentRules(file, sent),
    ...file.rows.batches.flatMap((row) => {
      const own = items.get(row.id) ?? [];
      const call = sent.find(({ correlationId }) => correlationId === row.correlation_id);
      return [...endRules(file, row, own), ...shipmentRules(file, row, own), ...itemsRules(file, row, own, call)];
    }),
    ...onceRules(file),
    ...stray.map(({ key, batch_id: id }) => objection('batch', `${key} belongs to no batch ${id}`)),
    ...file.calls.flatMap((call) => answerRules(file, items, call)),
    ...sent.flatMap((call) => repeatRules(items, call)),
  ];
}

/** An acknowledged batch is stored, a refused one is not, and a key starts one batch. */
function sentRules(file: CaseFile, sent: readonly RecordedCall[]): Objection[] {
  const started = Map.groupBy(file.rows.batches, ({ correlation_id: id }) => id);
  const byKey = Map.groupBy(sent, ({ companyId, key }) => `${companyId} ${key}`);
  return [...byKey].flatMap(([name, calls]) => {
    const rows = calls.flatMap(({ correlationId }) => started.get(correlationId) ?? []);
    const told = calls.flatMap(({ outcome, answer }) => (outcome === 'ok' ? [memberOf(answer, 'batchId') ?? ''] : []));
    const refused = calls.filter(({ outcome, correlationId }) => outcome === 'refused' && started.has(correlationId));
    return [
      ...unless(rows.length <= 1, 'batch', () => `${name} started ${rows.length} batches`),
      ...unless(
        told.every((id) => rows.length === 1 && rows[0]?.id === id),
        'batch',
        () => `${name} was answered with ${told.join()}, and there is ${rows.map(({ id }) => id).join()}`,
      ),
      ...refused.map((call) => objection('batch', `${nameOf(call)} was refused, and there is a batch`)),
    ];
  });
}

/** Once everything is quiet, every batch has ended, and its one event has the counts of its items. */
function endRules({ rows }: CaseFile, row: BatchRow, items: readonly ItemRow[]): Objection[] {
  const name = `batch ${row.id}`;
  const events = rows.events.filter(({ batch_id: id }) => id === row.id);
  const pending = items.filter(({ state, request }) => state === 'PENDING' || request !== null);
  const stops = row.mode === 'CREATE' && row.on_invalid === 'STOP' && items.some(({ state }) => state === 'REFUSED');
  const isComplete = items.length === row.total && items.every(({ position }, index) => position === index);
  const told = events.map(({ batch_counts: json }) => spelt(countsIn(JSON.parse(json ?? 'null'))));
  const counts = countsOf(items);
  return [
    ...unless(row.state === (stops ? 'STOPPED' : 'COMPLETED'), 'batch', () => `${name} is ${row.state}`),
    ...unless(isComplete, 'batch', () => `${name} has ${items.length} of ${row.total} items`),
    ...unless(pending.length === 0, 'batch', () => `${name} has ${pending.length} pending items`),
    ...unless(stops || counts['skipped'] === 0, 'batch', () => `${name} has skipped ${counts['skipped']} items`),
    ...unless(told.join() === spelt(counts), 'batch', () => `the events of ${name} tell ${told.join(' and ')}`),
  ];
}

/** The items that it created are those shipments that were created in its name. */
function shipmentRules({ causedBy }: CaseFile, row: BatchRow, items: readonly ItemRow[]): Objection[] {
  const events = (causedBy.get(row.correlation_id) ?? []).filter(({ type }) => type === 'shipment.created');
  const made = events.map(({ shipment_id: id }) => id ?? '').toSorted();
  const told = items.flatMap(({ state, shipment_id: id }) => (state === 'CREATED' ? [id ?? ''] : [])).toSorted();
  const mayMake = row.mode === 'CREATE' ? told : [];
  const detail = () => `batch ${row.id} created ${made.length} shipments and has ${told.length} created items`;
  return unless(made.join() === mayMake.join(), 'batch', detail);
}

/** Each item is what was sent, and has ended as the databases show. */
function itemsRules(
  file: CaseFile,
  row: BatchRow,
  items: readonly ItemRow[],
  call: RecordedCall | undefined,
): Objection[] {
  const sent = call?.batch?.items;
  if (call === undefined || sent === undefined) return [objection('batch', `nobody has sent batch ${row.id}`)];
  const isSame = sent.length === items.length && sent.every(({ key }, index) => key === items[index]?.key);
  if (!isSame) return [objection('batch', `batch ${row.id} has other items than ${nameOf(call)}`)];
  return items.flatMap((item, index) => itemRules(file, item, sent[index], sent));
}

function itemRules(
  file: CaseFile,
  item: ItemRow,
  sent: BatchItemBody | undefined,
  all: readonly BatchItemBody[],
): Objection[] {
  const { state, key, code, company_id: companyId, shipment_id: shipmentId } = item;
  const name = `item ${key} of batch ${item.batch_id}`;
  if (sent === undefined) return [];
  if (state === 'REFUSED')
    return unless(isRefusedRightly(file, item, sent, all), 'batch', () => `${name} is refused: ${code}`);
  if (state !== 'CREATED' && state !== 'REPLAYED')
    return unless(shipmentId === null, 'batch', () => `${name} is ${state} and has a shipment`);
  const shipment = file.shipments.get(shipmentId ?? '');
  const location = keyOf(file, item)?.location;
  if (shipment?.company_id !== companyId || location?.endsWith(shipment.id) !== true)
    return [objection('batch', `${name} is ${state} as ${shipmentId}, and its key stands for ${location}`)];
  const wrong = storedFaults(shipment, sent.shipment);
  return unless(wrong.length === 0, 'exact', () => `of ${name}: ${wrong.join('; ')}`, shipment.id);
}

function keyOf({ rows }: CaseFile, { company_id: companyId, key }: ItemRow) {
  return rows.keys.find((row) => row.company_id === companyId && row.key === key);
}

/** Its body is wrong, its reference is taken or comes twice in the batch, or its key was used with another body. */
function isRefusedRightly(
  file: CaseFile,
  item: ItemRow,
  { shipment }: BatchItemBody,
  all: readonly BatchItemBody[],
): boolean {
  const { externalReference: reference, items } = shipment;
  const location = keyOf(file, item)?.location ?? '';
  const holders = file.rows.shipments.filter(
    (row) => row.company_id === item.company_id && row.external_reference === reference,
  );
  const isTwice = all.filter((other) => other.shipment.externalReference === reference).length > 1;
  if (item.code === 'VALIDATION_FAILED') return items.length === 0 || isTwice;
  if (item.code === 'EXTERNAL_REFERENCE_CONFLICT') return holders.some(({ id }) => !location.endsWith(id));
  return item.code === 'IDEMPOTENCY_KEY_REUSED' && location !== '' && !holders.some(({ id }) => location.endsWith(id));
}

/** No shipment is the creation of two items, in whichever batches. */
function onceRules({ rows }: CaseFile): Objection[] {
  const created = rows.items.filter(({ state }) => state === 'CREATED');
  return [...Map.groupBy(created, ({ shipment_id: id }) => id)].flatMap(([id, items]) =>
    unless(items.length === 1, 'batch', () => `${items.length} items created ${id}`, id ?? undefined),
  );
}

/** When all work is finished, the answers equal the rows. Counts add up at any time. */
function answerRules(file: CaseFile, all: ReadonlyMap<string, readonly ItemRow[]>, call: RecordedCall): Objection[] {
  const { operation, outcome, answer, client, batchId = '' } = call;
  if (operation !== 'batchState' && operation !== 'batchItems') return [];
  if (outcome !== 'ok')
    return unless(client !== AUDITOR, 'readable', () => `${nameOf(call)} was answered ${call.status}: ${call.text}`);
  const rows = all.get(batchId) ?? [];
  if (operation === 'batchItems') {
    const shown = entriesOf(answer).map((entry) =>
      ['index', 'key', 'state', 'shipmentId'].map((name) => memberOf(entry, name) ?? '').join(' '),
    );
    const stored = rows.map(({ position, key, state, shipment_id: id }) => [position, key, state, id ?? ''].join(' '));
    return unless(shown.join() === stored.join(), 'batch', () => `${nameOf(call)} has other items than the database`);
  }
  const counts = countsIn(Reflect.get(Object(answer), 'counts'));
  const { total, ...states } = counts;
  const sum = Object.values(states).reduce((one, other) => one + other, 0);
  const isOver = memberOf(answer, 'state') !== 'RUNNING';
  return [
    ...unless(sum === total, 'batch', () => `${nameOf(call)} was answered with counts ${spelt(counts)}`),
    ...unless(
      !isOver || spelt(counts) === spelt(countsOf(rows)),
      'batch',
      () => `${nameOf(call)} was answered that batch ${batchId} has ended with ${spelt(counts)}`,
    ),
  ];
}

/** What existed before a batch with the same items is replayed in it. */
function repeatRules(all: ReadonlyMap<string, readonly ItemRow[]>, call: RecordedCall): Objection[] {
  if (call.batchId === undefined || call.outcome !== 'ok') return [];
  const again = all.get(memberOf(call.answer, 'batchId') ?? '') ?? [];
  const before = (all.get(call.batchId) ?? []).filter(({ shipment_id: id }) => id !== null);
  return before.flatMap(({ key, shipment_id: id }) => {
    const item = again.find((one) => one.key === key);
    const holds = item?.state === 'REPLAYED' && item.shipment_id === id;
    return unless(holds, 'batch', () => `${key} of ${id} was sent again and is ${item?.state} of ${item?.shipment_id}`);
  });
}

type Counts = Readonly<Record<string, number>>;
const COUNTS = ['total', 'created', 'replayed', 'refused', 'skipped', 'pending', 'valid'] as const;

function countsOf(items: readonly ItemRow[]): Counts {
  return countsBy((name) =>
    name === 'total' ? items.length : items.filter(({ state }) => state.toLowerCase() === name).length,
  );
}

/** The counts in an answer, or in an event. */
function countsIn(value: unknown): Counts {
  return countsBy((name) => Number(Reflect.get(Object(value), name)));
}

function countsBy(countOf: (name: string) => number): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, countOf(name)]));
}

function spelt(counts: Counts): string {
  return COUNTS.map((name) => `${counts[name]} ${name}`).join(', ');
}
