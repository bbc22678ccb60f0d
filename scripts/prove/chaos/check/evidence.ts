import type { Objection } from '../../rules/promises.ts';
import type { Fault } from '../cluster/faults.ts';
import { memberOf, type RecordedCall, type SeenShipment, shipmentsSeenIn } from '../load/history.ts';
import type { Watched } from '../load/watcher.ts';
import type { EventRow, ShardRows, ShipmentRow, StepRow } from './rows.ts';

/** The time from the repair of a fault until the service worked again. */
export interface Recovery {
  readonly fault: string;
  readonly ms: number;
}

/** The evidence of a round. */
export interface Evidence {
  /** In the order of sending. */
  readonly calls: readonly RecordedCall[];
  readonly rows: ShardRows;
  /** Ids of the events that a receiver got and answered with 200. */
  readonly received: readonly string[];
  readonly recoveries: readonly Recovery[];
  readonly watched: readonly Watched[];
}

export interface Round {
  readonly number: number;
  readonly faults: readonly Fault[];
  readonly evidence: Evidence;
  /** How often the service was killed when some items of a batch had ended and others had not. */
  readonly batchKills: number;
  /** How often it was killed between the end of a shipment and its answer, and answered the repeat. */
  readonly doorKills: number;
  readonly objections: readonly Objection[];
}

/** The evidence, with indexes for the rules. */
export class CaseFile {
  readonly calls: readonly RecordedCall[];
  readonly rows: ShardRows;
  readonly received: ReadonlySet<string>;
  readonly recoveries: readonly Recovery[];
  readonly watched: readonly Watched[];
  readonly shipments: ReadonlyMap<string, ShipmentRow>;
  /** Each shipment's history, in order. */
  readonly steps: ReadonlyMap<string, readonly StepRow[]>;
  /** Events by the request that caused them. */
  readonly causedBy: ReadonlyMap<string, readonly EventRow[]>;
  readonly told: readonly SeenShipment[];
  /** The first answer that acknowledged each shipment: a creation or a replay. */
  readonly created: ReadonlyMap<string, RecordedCall>;

  constructor({ calls, rows, received, recoveries, watched }: Evidence) {
    this.calls = calls;
    this.rows = rows;
    this.received = new Set(received);
    this.recoveries = recoveries;
    this.watched = watched;
    this.shipments = new Map(rows.shipments.map((row) => [row.id, row]));
    this.steps = Map.groupBy(rows.steps, ({ shipment_id: id }) => id);
    this.causedBy = Map.groupBy(rows.events, ({ correlation_id: id }) => id);
    this.told = calls.flatMap(shipmentsSeenIn);
    this.created = acknowledgedBy(calls);
  }

  of(call: RecordedCall): readonly EventRow[] {
    return this.causedBy.get(call.correlationId) ?? [];
  }
}

function acknowledgedBy(calls: readonly RecordedCall[]): Map<string, RecordedCall> {
  const created = new Map<string, RecordedCall>();
  const ended = calls.filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok');
  for (const call of ended.toSorted((one, other) => other.endedAt - one.endedAt)) {
    created.set(memberOf(call.answer, 'shipmentId') ?? '', call);
  }
  return created;
}
