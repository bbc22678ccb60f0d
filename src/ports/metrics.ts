import { PROBLEM_CODES } from '../core/catalogue.ts';

/*
 * Everything that the service measures, in one table. A label is a word out of a short list that the code or the
 * configuration knows (a route's template, a problem's code, a database): never a path, an id, a name or anything that a
 * caller can make up. So nothing personal can be in a metric, and the number of series has a bound.
 */

interface Counter {
  readonly kind: 'counter';
  readonly labels: readonly string[];
  readonly help: string;
  /** Labels that are shown as 0 from the start: what first appears as 1 did not grow for whoever watches it. */
  readonly zeros?: readonly (readonly string[])[];
}

/** Things that are measured together: each is one of these values. */
interface Measure {
  readonly kind: 'measure';
  readonly labels: readonly string[];
  readonly values: readonly { readonly name: string; readonly buckets: readonly number[]; readonly help: string }[];
}

/** What stands somewhere at the moment it is looked at. */
interface Gauge {
  readonly kind: 'gauge';
  readonly labels: readonly string[];
  readonly values: readonly { readonly name: string; readonly help: string }[];
}

/** Upper bounds, in seconds: finest where a good answer is, coarse up to the longest that the time limits allow. */
const CALLS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10] as const;
const WAITS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3] as const;
/** Up to the 15 s that a receiver has. */
const RECEIVERS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;
const LATENESS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800] as const;
const SWEEPS = [0.05, 0.1, 0.5, 1, 5, 15, 60] as const;
/** Powers of two up to what one group may hold, and what may wait. */
const GROUPS = [1, 2, 4, 8, 16, 32, 64] as const;
const QUEUES = [0, 16, 64, 256, 512, 1024, 2048] as const;

export const METRICS = {
  starts: { kind: 'counter', labels: [], help: 'Processes or isolates that were started.' },
  http_request: {
    kind: 'measure',
    labels: ['method', 'route', 'status'],
    values: [{ name: 'duration_seconds', buckets: CALLS, help: 'Requests, until their answer began.' }],
  },
  problems: {
    kind: 'counter',
    labels: ['code'],
    help: 'Problems that callers were told, by their code.',
    zeros: PROBLEM_CODES.map((code) => [code]),
  },
  rate_limited: { kind: 'counter', labels: ['budget'], help: 'Calls past their allowance of a minute.' },
  idempotent_replays: { kind: 'counter', labels: [], help: 'Creations answered with the first answer of their key.' },
  commit: {
    kind: 'measure',
    labels: ['database'],
    values: [
      { name: 'duration_seconds', buckets: CALLS, help: 'Group commits, tries of one group included.' },
      { name: 'wait_seconds', buckets: WAITS, help: 'How long the first unit of a group had waited.' },
      { name: 'group_units', buckets: GROUPS, help: 'Units in a group.' },
      { name: 'queue_units', buckets: QUEUES, help: 'Units left waiting when a group was taken.' },
    ],
  },
  commit_units: { kind: 'counter', labels: ['database', 'outcome'], help: 'Units of SQL by how they ended.' },
  database_failures: {
    kind: 'counter',
    labels: ['database', 'kind'],
    help: 'Requests to a database that got no usable answer, or no place among the reads.',
  },
  lane_wait: {
    kind: 'measure',
    labels: ['outcome'],
    values: [
      { name: 'seconds', buckets: WAITS, help: 'Commands that found others on their shipment: how long they waited.' },
    ],
  },
  provider_call: {
    kind: 'measure',
    labels: ['provider', 'outcome'],
    values: [
      { name: 'duration_seconds', buckets: CALLS, help: 'Calls of providers; not_tried while the breaker is open.' },
    ],
  },
  messages: {
    kind: 'counter',
    labels: ['channel', 'outcome'],
    help: 'Messages to people: sent, or taken over by nobody.',
  },
  webhook_attempt: {
    kind: 'measure',
    labels: ['outcome'],
    values: [{ name: 'duration_seconds', buckets: RECEIVERS, help: 'Attempts to deliver, by how they ended.' }],
  },
  webhook_first_attempt: {
    kind: 'measure',
    labels: [],
    values: [
      { name: 'lag_seconds', buckets: LATENESS, help: 'From an event to the first attempt: the oldest of each claim.' },
    ],
  },
  webhook_exhausted: { kind: 'counter', labels: [], help: 'Deliveries given up after their last attempt.' },
  webhook_endpoints_disabled: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Endpoints that were given up.',
    zeros: [['GONE'], ['FAILING']],
  },
  webhook_backlog: {
    kind: 'gauge',
    labels: ['database'],
    values: [
      { name: 'deliveries', help: 'Deliveries that are due and were never tried, at the last sweep.' },
      { name: 'oldest_seconds', help: 'How long the first of them has been due.' },
    ],
  },
  dispatch_due: {
    kind: 'measure',
    labels: ['database'],
    values: [{ name: 'lateness_seconds', buckets: LATENESS, help: 'How late a batch of what fell due was taken up.' }],
  },
  dispatch_put_aside: { kind: 'counter', labels: [], help: 'Shipments that were due in a state that no rule knows.' },
  sweep: {
    kind: 'measure',
    labels: ['database', 'outcome'],
    values: [{ name: 'duration_seconds', buckets: SWEEPS, help: 'Sweeps of a database, each minute.' }],
  },
} as const satisfies Readonly<Record<string, Counter | Measure | Gauge>>;

export type Metric = Counter | Measure | Gauge;
type Table = typeof METRICS;
type NameOf<Kind extends Metric['kind']> = {
  [Name in keyof Table]: Table[Name]['kind'] extends Kind ? Name : never;
}[keyof Table];
export type CounterName = NameOf<'counter'>;
export type MeasureName = NameOf<'measure'>;
export type GaugeName = NameOf<'gauge'>;
export type MetricName = keyof Table;

type EachAs<Items extends readonly unknown[], Value> = { readonly [Index in keyof Items]: Value };
export type LabelsOf<Name extends MetricName> = EachAs<Table[Name]['labels'], string>;
export type ValuesOf<Name extends MeasureName | GaugeName> = EachAs<Table[Name]['values'], number>;

/** Takes measurements. None of these throws, waits or keeps what it was given: they may stand in the way of a request. */
export interface Metrics {
  /** `by` more of something. With 0 it registers the series: see `zeros`. */
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Something that took place once. Values and labels in the table's order, times in seconds. */
  measure<Name extends MeasureName>(name: Name, values: ValuesOf<Name>, labels: LabelsOf<Name>): void;
  /** What stands there now. */
  set<Name extends GaugeName>(name: Name, values: ValuesOf<Name>, labels: LabelsOf<Name>): void;
}
