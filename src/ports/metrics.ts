import { PROBLEM_CODES } from '../core/catalogue.ts';

/*
 * All metrics of the service in one table. A label is a word from a short list in the code or the configuration (a
 * route's template, a problem's code, a database), never a path, an id, a name or other text from a caller. So metrics
 * have no personal data, and the number of series is limited.
 */

interface Counter {
  readonly kind: 'counter';
  readonly labels: readonly string[];
  readonly help: string;
  /** Labels that are counted as 0 from the start, because an alert on growth misses a series that starts at 1. */
  readonly zeros?: readonly (readonly string[])[];
}

/** Values that are measured together. */
interface Measure {
  readonly kind: 'measure';
  readonly labels: readonly string[];
  readonly values: readonly { readonly name: string; readonly buckets: readonly number[]; readonly help: string }[];
}

/** The present value of something. */
interface Gauge {
  readonly kind: 'gauge';
  readonly labels: readonly string[];
  readonly values: readonly { readonly name: string; readonly help: string }[];
}

/** Upper bounds in seconds: fine for normal answers, coarse up to the longest time limit. */
const CALLS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10] as const;
const WAITS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3] as const;
/** Up to 15 s, the time limit of a receiver. */
const RECEIVERS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const;
const LATENESS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800] as const;
const SWEEPS = [0.05, 0.1, 0.5, 1, 5, 15, 60] as const;
/** Powers of two, up to the limits of one group and of the queue. */
const GROUPS = [1, 2, 4, 8, 16, 32, 64] as const;
const QUEUES = [0, 16, 64, 256, 512, 1024, 2048] as const;

export const METRICS = {
  starts: { kind: 'counter', labels: [], help: 'Processes or isolates that were started.' },
  build: {
    kind: 'gauge',
    labels: ['version'],
    values: [{ name: 'info', help: '1, with the version that runs.' }],
  },
  http_request: {
    kind: 'measure',
    labels: ['method', 'route', 'status'],
    values: [{ name: 'duration_seconds', buckets: CALLS, help: 'Requests, until their answer began.' }],
  },
  problems: {
    kind: 'counter',
    labels: ['code'],
    help: 'Problems in responses, by code.',
    zeros: PROBLEM_CODES.map((code) => [code]),
  },
  address_checks: {
    kind: 'counter',
    labels: ['result'],
    help: 'Short codes that the national registry was asked for; UNVERIFIED if it did not answer.',
  },
  rate_limited: { kind: 'counter', labels: ['budget'], help: 'Calls above their rate limit.' },
  idempotent_replays: {
    kind: 'counter',
    labels: [],
    help: 'Requests answered with the first answer of their idempotency key.',
  },
  request_log_dropped: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Requests that the request log lost: full, or its database did not take them.',
    zeros: [['full'], ['not_written']],
  },
  commit: {
    kind: 'measure',
    labels: ['database'],
    values: [
      { name: 'duration_seconds', buckets: CALLS, help: 'Group commits, including retries.' },
      { name: 'wait_seconds', buckets: WAITS, help: 'How long the first unit of a group waited.' },
      { name: 'group_units', buckets: GROUPS, help: 'Units in a group.' },
      { name: 'queue_units', buckets: QUEUES, help: 'Units left waiting when a group was taken.' },
    ],
  },
  commit_units: { kind: 'counter', labels: ['database', 'outcome'], help: 'Units of SQL by outcome.' },
  database_failures: {
    kind: 'counter',
    labels: ['database', 'kind'],
    help: 'Requests to a database that got no usable answer, or were not sent because too many were in progress.',
  },
  lane_wait: {
    kind: 'measure',
    labels: ['outcome'],
    values: [
      { name: 'seconds', buckets: WAITS, help: 'How long commands waited for other commands of their shipment.' },
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
    help: 'Messages to people: accepted or not accepted by a carrier.',
  },
  webhook_attempt: {
    kind: 'measure',
    labels: ['outcome'],
    values: [{ name: 'duration_seconds', buckets: RECEIVERS, help: 'Delivery attempts by outcome.' }],
  },
  webhook_first_attempt: {
    kind: 'measure',
    labels: [],
    values: [
      {
        name: 'lag_seconds',
        buckets: LATENESS,
        help: 'Time from an event to its first attempt, for the oldest delivery of each claim.',
      },
    ],
  },
  webhook_exhausted: { kind: 'counter', labels: [], help: 'Deliveries that failed at their last attempt.' },
  webhook_endpoints_disabled: {
    kind: 'counter',
    labels: ['reason'],
    help: 'Endpoints that the service disabled.',
    zeros: [['GONE'], ['FAILING']],
  },
  webhook_backlog: {
    kind: 'gauge',
    labels: ['database'],
    values: [
      { name: 'deliveries', help: 'Due deliveries without an attempt, at the last sweep.' },
      { name: 'oldest_seconds', help: 'How long the oldest of them has been due.' },
    ],
  },
  dispatch_due: {
    kind: 'measure',
    labels: ['database'],
    values: [{ name: 'lateness_seconds', buckets: LATENESS, help: 'How late a batch of due work started.' }],
  },
  dispatch_put_aside: { kind: 'counter', labels: [], help: 'Due shipments in a state that no rule covers.' },
  operator_queue: {
    kind: 'gauge',
    labels: ['database', 'queue'],
    values: [
      { name: 'shipments', help: 'Shipments that wait for an operator, at the last sweep.' },
      { name: 'oldest_seconds', help: 'How long the first of them has waited.' },
    ],
  },
  operator_cases: {
    kind: 'gauge',
    labels: ['database'],
    values: [
      { name: 'waiting', help: 'Complaints that wait for an answer, at the last sweep.' },
      { name: 'overdue', help: 'Those of them whose time has passed.' },
      { name: 'overdue_seconds', help: 'How long the first of them has been overdue.' },
    ],
  },
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

/** Records metrics. No method throws, waits or keeps its arguments, because requests call them. */
export interface Metrics {
  /** Adds `by` to a counter. With 0 it registers the series: see `zeros`. */
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Records one observation. Values and labels are in the table's order, times in seconds. */
  measure<Name extends MeasureName>(name: Name, values: ValuesOf<Name>, labels: LabelsOf<Name>): void;
  /** Sets the present values of a gauge. */
  set<Name extends GaugeName>(name: Name, values: ValuesOf<Name>, labels: LabelsOf<Name>): void;
}
