import { type Objection, unless } from '../../rules/promises.ts';
import { freshnessRules, shownStateRules } from '../../rules/requests.ts';
import { AUDITOR, entriesOf, memberOf, nextCursorOf, type RecordedCall, type SeenShipment } from '../load/history.ts';
import { differences, formatMicros, nameOf, shownOf } from './creation-rules.ts';
import type { CaseFile } from './evidence.ts';

/* Compares the answers of clients with earlier answers and with the rows. */

export function readRules(file: CaseFile): Objection[] {
  return [
    ...file.told.flatMap((told) => sightRules(file, told)),
    ...backRules(file),
    ...deniedRules(file),
    ...listRules(file),
  ];
}

/** Answers to drivers have other members. All answers have a version and a state, which the shipment must have had. */
function sightRules(file: CaseFile, { call, shipmentId, version, state, value }: SeenShipment): Objection[] {
  const row = file.shipments.get(shipmentId);
  const stateThen = file.steps.get(shipmentId)?.[version]?.state;
  const isMerchant = call.operation !== 'drive' && call.operation !== 'carried';
  const draft = file.created.get(shipmentId)?.draft;
  const expected = !isMerchant || draft === undefined ? {} : shownOf(draft);
  const stored =
    !isMerchant || row === undefined
      ? {}
      : { shipmentNumber: row.shipment_number, createdAt: formatMicros(row.created_at) };
  const wrong = differences(value, { ...expected, ...stored });
  return [
    ...shownStateRules({ name: nameOf(call), shipmentId, version, state, stateThen }),
    ...unless(
      wrong.length === 0,
      'exact',
      () => `${nameOf(call)} was told of ${shipmentId}: ${wrong.join('; ')}`,
      shipmentId,
    ),
  ];
}

/** A request that is sent after another one was answered must see at least the version of that answer. */
function backRules(file: CaseFile): Objection[] {
  const sights = [...file.told, ...file.calls.flatMap(currentIn)];
  const byShipment = Map.groupBy(sights, ({ shipmentId }) => shipmentId);
  return [...byShipment.values()].flatMap((ofOne) => {
    const answered = ofOne.toSorted((one, other) => one.call.endedAt - other.call.endedAt);
    const asked = ofOne.toSorted((one, other) => one.call.askedAt - other.call.askedAt);
    let next = 0;
    let newest: Sight | undefined;
    return asked.flatMap(({ call, shipmentId, version }) => {
      for (; (answered[next]?.call.endedAt ?? Number.POSITIVE_INFINITY) < call.askedAt; next += 1) {
        if ((answered[next]?.version ?? -1) >= (newest?.version ?? 0)) newest = answered[next];
      }
      if (newest === undefined) return [];
      const name = `${nameOf(call)}, after ${nameOf(newest.call)},`;
      return freshnessRules({ name, shipmentId, version, versionBefore: newest.version });
    });
  });
}

type Sight = Pick<SeenShipment, 'call' | 'shipmentId' | 'version'>;

/** A 412 answers with the current version of the shipment, or of a link, which is not compared here. */
function currentIn(call: RecordedCall): Sight[] {
  const version = memberOf(call.answer, 'currentVersion');
  if (call.shipmentId === undefined || call.linkId !== undefined || version === undefined) return [];
  return [{ call, shipmentId: call.shipmentId, version: Number(version) }];
}

function deniedRules(file: CaseFile): Objection[] {
  const isMerchant = ({ path }: RecordedCall) => !path.startsWith('/v2/driver');
  const answers = [...file.told, ...[...file.created].map(([shipmentId, call]) => ({ shipmentId, call }))].filter(
    ({ call }) => isMerchant(call),
  );
  const byShipment = Map.groupBy(answers, ({ shipmentId }) => shipmentId);
  return file.calls.flatMap((call) => {
    const isDenied =
      call.status === 403 &&
      isMerchant(call) &&
      (byShipment.get(call.shipmentId ?? '') ?? []).some(
        ({ call: before }) => before.companyId === call.companyId && before.endedAt < call.askedAt,
      );
    return unless(!isDenied, 'back', () => `${nameOf(call)} was denied what was acknowledged before`, call.shipmentId);
  });
}

function listRules(file: CaseFile): Objection[] {
  const walks = Map.groupBy(
    file.calls.filter(({ walk }) => walk !== undefined),
    ({ walk }) => walk,
  );
  return [...walks.values()].flatMap((pages) => {
    const last = pages.at(-1);
    const [first] = pages;
    if (first === undefined || last === undefined) return [];
    const entries = pages.flatMap(({ answer, outcome }) => (outcome === 'ok' ? entriesOf(answer) : []));
    const ids = entries.map((entry) => memberOf(entry, 'shipmentId') ?? '');
    const moments = entries.map((entry) => `${memberOf(entry, 'createdAt')} ${memberOf(entry, 'shipmentId')}`);
    const isOrdered = moments.every((moment, index) => index === 0 || moment < (moments[index - 1] ?? ''));
    const isWhole = last.outcome === 'ok' && nextCursorOf(last.answer) === undefined;
    const missing = isWhole ? acknowledgedBefore(file, first).filter((id) => !ids.includes(id)) : [];
    const name = `the list of ${nameOf(first)}`;
    return [
      ...unless(
        new Set(ids).size === ids.length,
        'listed',
        () => `${name} has a shipment twice`,
        ids.find((id, index) => ids.indexOf(id) !== index),
      ),
      ...unless(isOrdered, 'listed', () => `${name} is not in its order`, ids[0]),
      ...unless(missing.length === 0, 'listed', () => `${name} lacks ${missing.join(', ')}`, missing[0]),
      ...(isWhole && first.client === AUDITOR ? readableRules(file, first, ids) : []),
    ];
  });
}

/** The shipments that match the filter and were acknowledged before the list was requested. */
function acknowledgedBefore(file: CaseFile, list: RecordedCall): string[] {
  return file.calls.flatMap(({ operation, outcome, companyId, endedAt, draft, answer }) => {
    const isMeant = list.reference === undefined || draft?.externalReference === list.reference;
    const isMade = operation === 'create' && outcome === 'ok' && companyId === list.companyId && endedAt < list.askedAt;
    return isMade && isMeant ? [memberOf(answer, 'shipmentId') ?? ''] : [];
  });
}

/** When all work is finished, the list equals the database. */
function readableRules(file: CaseFile, list: RecordedCall, ids: readonly string[]): Objection[] {
  const stored = file.rows.shipments
    .filter(({ company_id: company }) => company === list.companyId)
    .map(({ id }) => id);
  const hidden = stored.filter((id) => !ids.includes(id));
  const made = ids.filter((id) => !stored.includes(id));
  return unless(
    hidden.length + made.length === 0,
    'readable',
    () => `of ${list.companyId} ${hidden.join(', ')} cannot be read, and ${made.join(', ')} only be read`,
    hidden[0] ?? made[0],
  );
}
