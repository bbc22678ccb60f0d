import type { Evidence } from '../../../scripts/prove/chaos/check/evidence.ts';
import type { ShardRows } from '../../../scripts/prove/chaos/check/rows.ts';
import { AUDITOR, entriesOf, memberOf, type RecordedCall } from '../../../scripts/prove/chaos/load/history.ts';
import type { Rule } from '../../../scripts/prove/rules/promises.ts';

/*
 * Negative controls: the evidence of a good round, changed into what a broken service or database would leave behind.
 * A rule that does not object to it proves nothing.
 */

export interface PlantedLie {
  readonly name: string;
  readonly rule: Rule;
  /** Undefined if the round has nothing to change. */
  readonly plant: (evidence: Evidence) => Evidence | undefined;
}

type RowOf<Name extends keyof ShardRows> = ShardRows[Name][number];

export const FORGED = '0192f0c1-2e4b-7aaa-8bbb-0123456789ab';

export function lie(name: string, rule: Rule, plant: PlantedLie['plant']): PlantedLie {
  return { name, rule, plant };
}

export function isAcknowledged({ operation, status }: RecordedCall): boolean {
  return operation === 'create' && status === 201;
}

/** A retry or cancellation that named its version and changed it. */
export function changedNamed({ operation, outcome, ifMatch, answer }: RecordedCall): boolean {
  const isCommand = operation === 'cancel' || operation === 'retry';
  return isCommand && outcome === 'ok' && Number(memberOf(answer, 'version')) === Number(ifMatch) + 1;
}

export function acknowledgedRow({ calls }: Evidence): (row: RowOf<'shipments'>) => boolean {
  const ids = new Set(calls.filter(isAcknowledged).map(({ answer }) => memberOf(answer, 'shipmentId')));
  return ({ id }) => ids.has(id);
}

export function withRows<Name extends keyof ShardRows>(
  evidence: Evidence,
  name: Name,
  rows: ShardRows[Name],
): Evidence {
  return { ...evidence, rows: { ...evidence.rows, [name]: rows } };
}

/** The evidence with the first such row changed. */
export function inRows<Name extends keyof ShardRows>(
  evidence: Evidence,
  name: Name,
  isMeant: (row: RowOf<Name>) => boolean,
  change: (row: RowOf<Name>) => Partial<RowOf<Name>>,
): Evidence | undefined {
  const rows: readonly RowOf<Name>[] = evidence.rows[name];
  const at = rows.findIndex(isMeant);
  const row = rows[at];
  return row && { ...evidence, rows: { ...evidence.rows, [name]: rows.with(at, { ...row, ...change(row) }) } };
}

/** The evidence without the first such row. */
export function withoutRow<Name extends keyof ShardRows>(
  evidence: Evidence,
  name: Name,
  isMeant: (row: RowOf<Name>) => boolean = () => true,
): Evidence | undefined {
  const rows: readonly RowOf<Name>[] = evidence.rows[name];
  return rows.some(isMeant)
    ? { ...evidence, rows: { ...evidence.rows, [name]: withoutFirst(rows, isMeant) } }
    : undefined;
}

export function inCalls(
  evidence: Evidence,
  isMeant: (call: RecordedCall) => boolean,
  change: (call: RecordedCall) => Partial<RecordedCall>,
): Evidence | undefined {
  const at = evidence.calls.findIndex(isMeant);
  const call = evidence.calls[at];
  return call && { ...evidence, calls: evidence.calls.with(at, { ...call, ...change(call) }) };
}

/** The evidence with other entries in the auditor's first page of a list that has such an entry. */
export function inList(
  evidence: Evidence,
  change: (data: unknown[]) => unknown[],
  isMeantEntry: (entry: unknown) => boolean = () => true,
): Evidence | undefined {
  const isMeant = ({ client, operation, answer }: RecordedCall) =>
    client === AUDITOR && operation === 'list' && entriesOf(answer).length > 1 && entriesOf(answer).some(isMeantEntry);
  return inCalls(evidence, isMeant, ({ answer }) => ({
    answer: { ...Object(answer), data: change(entriesOf(answer)) },
  }));
}

export function withoutFirst<Value>(values: readonly Value[], isMeant: (value: Value) => boolean): Value[] {
  const at = values.findIndex(isMeant);
  return at < 0 ? [...values] : values.toSpliced(at, 1);
}

/** The evidence without the rows of one shipment. */
export function without({ rows, ...evidence }: Evidence, shipmentId: string): Evidence {
  const isOther = (row: { readonly shipment_id: string | null }) => row.shipment_id !== shipmentId;
  const events = rows.events.filter(isOther);
  const known = new Set(events.map(({ id }) => id));
  return {
    ...evidence,
    rows: {
      ...rows,
      shipments: rows.shipments.filter(({ id }) => id !== shipmentId),
      steps: rows.steps.filter(isOther),
      events,
      keys: rows.keys.filter(({ location }) => !location.endsWith(shipmentId)),
      links: rows.links.filter(isOther),
      deliveries: rows.deliveries.filter(({ event_id: id }) => known.has(id)),
    },
  };
}
