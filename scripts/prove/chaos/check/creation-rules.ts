import { type Objection, objection, unless } from '../../rules/promises.ts';
import { replayRules } from '../../rules/requests.ts';
import { conflictRules, keyRules, referenceRules, wholeRules } from '../../rules/shipments.ts';
import { type CreationBody, isReplay, memberOf, type RecordedCall, readExactly } from '../load/history.ts';
import type { CaseFile } from './evidence.ts';
import type { ShipmentRow } from './rows.ts';

/* Creations: the requests, the answers and the rows. */

export function creationRules(file: CaseFile): Objection[] {
  const created = file.calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
  return [
    ...created.flatMap((call) => creationOf(file, call)),
    ...boundRules(file, created),
    ...uniqueRules(file),
    ...file.rows.shipments.flatMap((row) => partRules(file, row)),
  ];
}

function creationOf(file: CaseFile, call: RecordedCall): Objection[] {
  const shipmentId = memberOf(call.answer, 'shipmentId') ?? '';
  const row = file.shipments.get(shipmentId);
  if (row === undefined) {
    return [
      objection(
        'acknowledged',
        `${nameOf(call)} was answered ${call.status} with ${shipmentId}, of which there is no row`,
        shipmentId,
      ),
    ];
  }
  const own = file.of(call);
  const isOwn = own.length === 1 && own[0]?.type === 'shipment.created' && own[0].shipment_id === shipmentId;
  const holds = isReplay(call) ? own.length === 0 : isOwn;
  return [
    ...unless(
      holds,
      'acknowledged',
      () => `${nameOf(call)} was answered ${call.status}, and caused ${own.length} events`,
      shipmentId,
    ),
    ...exactRules(call, row),
  ];
}

function exactRules({ draft, answer, ...call }: RecordedCall, row: ShipmentRow): Objection[] {
  if (draft === undefined) return [];
  const wrong = [...storedFaults(row, draft), ...differences(answer, shownOf(draft))];
  return unless(wrong.length === 0, 'exact', () => `of ${call.key}: ${wrong.join('; ')}`, row.id);
}

/** What the row has other than the request. */
export function storedFaults(row: ShipmentRow, draft: CreationBody): string[] {
  return differences(storedOf(row), expectedOf(draft));
}

/** The names of members that differ, with both values. */
export function differences(actual: unknown, expected: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const found: unknown = typeof actual === 'object' && actual !== null ? Reflect.get(actual, name) : undefined;
    const [is, shouldBe] = [JSON.stringify(found), JSON.stringify(value)];
    return is === shouldBe ? [] : [`${name} is ${is} instead of ${shouldBe}`];
  });
}

/** The values of a row, named as in a draft. */
function storedOf(row: ShipmentRow) {
  return {
    externalReference: row.external_reference,
    recipientName: row.recipient_name,
    phone: row.recipient_phone,
    branchCode: row.branch_code,
    pickupLocationCode: row.pickup_location_code,
    declaredValue: row.declared_value,
    codAmount: row.cod_amount,
    currency: row.currency,
    paymentMethod: row.payment_method,
    totalWeightKilograms: row.total_weight_kilograms,
    pickupWindowStart: formatMicros(row.pickup_window_start),
    pickupWindowEnd: formatMicros(row.pickup_window_end),
    destination: readExactly(row.destination),
    items: readExactly(row.items),
    requirements: readExactly(row.requirements),
  };
}

function expectedOf(draft: CreationBody) {
  const { recipient, ...rest } = draft;
  const totalWeightKilograms = totalWeightOf(draft.items);
  return { ...rest, recipientName: recipient.name, phone: `+966${recipient.phone.slice(1)}`, totalWeightKilograms };
}

/** The members that every answer about a shipment must have. */
export function shownOf(draft: CreationBody) {
  const { recipient, branchCode: _branch, pickupLocationCode: _location, ...rest } = draft;
  const maskedRecipientPhone = `********${recipient.phone.slice(-4)}`;
  return {
    ...rest,
    recipientName: recipient.name,
    maskedRecipientPhone,
    totalWeightKilograms: totalWeightOf(draft.items),
  };
}

/** Calculated in whole millionths, because drafts have six decimals. */
function totalWeightOf(items: CreationBody['items']): string {
  const millionths = items.reduce(
    (sum, { quantity, weightKilograms }) => sum + BigInt(quantity) * BigInt(weightKilograms.replace('.', '')),
    0n,
  );
  const digits = millionths.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

/** Microseconds since 1970 in the format of answers. */
export function formatMicros(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000).padStart(6, '0');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

function boundRules(file: CaseFile, created: readonly RecordedCall[]): Objection[] {
  const byKey = Map.groupBy(created, ({ companyId, key }) => `${companyId} ${key}`);
  const records = Map.groupBy(file.rows.keys, (row) => `${row.company_id} ${row.key}`);
  return [...byKey].flatMap(([name, calls]) => {
    const ids = calls.map(({ answer }) => memberOf(answer, 'shipmentId') ?? '');
    const firsts = calls.filter((call) => !isReplay(call)).length;
    const [record] = records.get(name) ?? [];
    const [id = ''] = ids;
    const first = calls[0]?.text ?? '';
    return [
      ...keyRules(name, ids, record?.location.slice(record.location.lastIndexOf('/') + 1)),
      ...calls.flatMap(({ text }) => replayRules(name, first, text, id)),
      ...unless(firsts < 2, 'replay', () => `${name} was answered 201 ${firsts} times`, id),
      ...unless(
        record?.response === undefined || sameBody(record.response, calls[0]?.answer),
        'replay',
        () => `${name} would be replayed with another body`,
        id,
      ),
    ];
  });
}

/** Compares a stored body, in which decimals are strings, with an answer, which is parsed so that they are strings too. */
function sameBody(stored: string, answer: unknown): boolean {
  return JSON.stringify(readExactly(stored)) === JSON.stringify(answer);
}

function uniqueRules(file: CaseFile): Objection[] {
  const rows = Map.groupBy(file.rows.shipments, (row) => `${row.company_id} ${row.external_reference}`);
  const conflicts = file.calls.filter(({ answer }) => memberOf(answer, 'code') === 'EXTERNAL_REFERENCE_CONFLICT');
  return [
    ...[...rows].flatMap(([name, ofOne]) =>
      referenceRules(
        name,
        ofOne.map((row) => row.id),
      ),
    ),
    ...conflicts.flatMap((call) => {
      const named: unknown = Reflect.get(Object(call.answer), 'existing');
      const [row] = rows.get(`${call.companyId} ${call.draft?.externalReference}`) ?? [];
      return conflictRules(nameOf(call), memberOf(named, 'shipmentId'), row?.id);
    }),
  ];
}

/** The parts that a creation writes. */
function partRules(file: CaseFile, row: ShipmentRow): Objection[] {
  const [first] = file.steps.get(row.id) ?? [];
  const events = file.rows.events.filter((event) => event.shipment_id === row.id && event.type === 'shipment.created');
  const keys = file.rows.keys.filter(({ location }) => location.endsWith(row.id));
  const parts = {
    'first step': first?.type === 'shipment.created' ? 1 : 0,
    event: events.length,
    key: keys.length,
    terms: row.terms,
  };
  return wholeRules(row.id, parts);
}

/** A request by the name that it has in the printed history. */
export function nameOf(call: RecordedCall): string {
  return `#${call.index} ${call.operation} of client ${call.client}`;
}
