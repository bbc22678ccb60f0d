import { type Measured, rateOf } from './load.ts';
import { type Measurement, OPERATIONS, type Operation } from './operations.ts';
import { decimals, isQuiet, type Table, type Verdict } from './result.ts';
import { median, medianRatio, sum } from './statistics.ts';

/** One operation of one peer: medians of its rounds. */
export interface Row {
  readonly operation: Operation;
  readonly peer: Measurement['peer'];
  readonly rounds: number;
  /** Undisturbed rounds. If there are any, only they count for rates and times. */
  readonly quietRounds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Counted in all rounds, like stalls. */
  readonly errors: number;
  readonly silentSeconds: number;
  readonly slowRequests: number;
  readonly toLimit: number | undefined;
  readonly toUsual: number | undefined;
  /** The limit's processor time of a request, divided by this peer's. Other programs disturb it less than rates. */
  readonly cpuToLimit: number | undefined;
  /** Processor time of one request. */
  readonly workerdMs: number | undefined;
  readonly sqldMs: number | undefined;
  readonly rssMegabytes: number | undefined;
  readonly webhooksPerSecond: number | undefined;
}

/** A variant of an operation is compared with that operation, others with themselves. */
const COMPARED_WITH: Readonly<Partial<Record<Operation, Operation>>> = {
  'list of 25, large': 'list of 25',
  'create, manual approval': 'create',
  'create, 1 endpoint': 'create',
  'create, 5 endpoints': 'create',
};

export function summarize(measurements: readonly Measurement[]): Row[] {
  return OPERATIONS.flatMap((operation) =>
    (['mirsal', 'limit', 'usual'] as const).flatMap((peer) => {
      const side = sideOf(measurements, operation, peer);
      return side.rounds.length === 0 ? [] : [rowOf(operation, peer, side, measurements)];
    }),
  );
}

interface Side {
  readonly rounds: readonly Measured[];
  /**
   * Rounds that other programs did not disturb. A peer's rounds in which it stalled for a second are left out too, so
   * that its problems do not make the service look better. The service's own such rounds always count.
   */
  readonly undisturbed: readonly Measured[];
}

function sideOf(measurements: readonly Measurement[], operation: Operation, peer: Measurement['peer']): Side {
  const own = measurements.filter((one) => one.operation === operation && one.peer === peer);
  const rounds = own.map(({ measured }) => measured);
  const isCounted = ({ silentSeconds }: Measured) => peer === 'mirsal' || silentSeconds === 0;
  return { rounds, undisturbed: rounds.filter((round) => isQuiet(round) && isCounted(round)) };
}

/** Disturbed rounds are left out if there are others. */
function countedOf({ rounds, undisturbed }: Side): readonly Measured[] {
  return undisturbed.length === 0 ? rounds : undisturbed;
}

/** Of undisturbed rounds if both sides have some. Otherwise the median of each round's own ratio. */
function ratio(numerator: Side, denominator: Side, of: (measured: Measured) => number): number | undefined {
  if (numerator.undisturbed.length === 0 || denominator.undisturbed.length === 0)
    return medianRatio(numerator.rounds.map(of), denominator.rounds.map(of));
  return medianRatio([median(numerator.undisturbed.map(of))], [median(denominator.undisturbed.map(of))]);
}

function rowOf(operation: Operation, peer: Row['peer'], side: Side, measurements: readonly Measurement[]): Row {
  const others = (other: Row['peer']) => sideOf(measurements, COMPARED_WITH[operation] ?? operation, other);
  const rateTo = (other: Row['peer']) => (other === peer ? undefined : ratio(side, others(other), rateOf));
  const { rounds, undisturbed } = side;
  const counted = countedOf(side);
  return {
    operation,
    peer,
    rounds: rounds.length,
    quietRounds: undisturbed.length,
    requestsPerSecond: median(counted.map(rateOf)),
    p50Ms: median(counted.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(counted.map(({ p95Ms }) => p95Ms)),
    p99Ms: median(counted.map(({ p99Ms }) => p99Ms)),
    errors: sum(rounds.map(({ errors }) => errors)),
    silentSeconds: sum(rounds.map(({ silentSeconds }) => silentSeconds)),
    slowRequests: sum(rounds.map(({ slowRequests }) => slowRequests)),
    toLimit: rateTo('limit'),
    toUsual: rateTo('usual'),
    cpuToLimit: peer === 'limit' ? undefined : ratio(others('limit'), side, cpuOfOne),
    workerdMs: cpuOf(counted, 'workerd'),
    sqldMs: cpuOf(counted, 'sqld'),
    rssMegabytes: megabytesOf(rounds),
    webhooksPerSecond: webhooksOf(measurements, operation, peer),
  };
}

function webhooksOf(measurements: readonly Measurement[], operation: Operation, peer: Row['peer']): number | undefined {
  const each = measurements.flatMap((one) =>
    one.operation === operation && one.peer === peer ? (one.webhooksPerSecond ?? []) : [],
  );
  return each.length === 0 ? undefined : median(each);
}

/** The most memory of workerd in any round. Undefined where the system has no figure. */
function megabytesOf(rounds: readonly Measured[]): number | undefined {
  const all = rounds.flatMap(({ rssMegabytes }) => rssMegabytes['workerd'] ?? []);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** Processor time of a request in workerd and sqld together. */
function cpuOfOne({ cpuMs, succeeded }: Measured): number {
  return sum(Object.values(cpuMs)) / Math.max(1, succeeded);
}

function cpuOf(rounds: readonly Measured[], name: string): number | undefined {
  const each = rounds.flatMap(({ cpuMs, succeeded }) => {
    const spent = cpuMs[name];
    return spent === undefined || succeeded === 0 ? [] : [spent / succeeded];
  });
  return each.length === 0 ? undefined : median(each);
}

/** The table of docs/benchmarks.md. */
export function tableOf(rows: readonly Row[]): Table {
  const headings = ['operation', 'peer', 'quiet', 'req/s', 'p50 ms', 'p95 ms', 'p99 ms', 'errors', 'stalls'];
  const ratios = ['to limit', 'to usual stack', 'CPU to limit', 'workerd ms', 'sqld ms'];
  return {
    headings: [...headings, ...ratios, 'MB', 'webhooks/s'],
    rows: rows.map((row) => [
      row.operation,
      row.peer,
      `${row.quietRounds}/${row.rounds}`,
      ...[row.requestsPerSecond, row.p50Ms, row.p95Ms, row.p99Ms, row.errors].map((value) => decimals(value)),
      `${row.silentSeconds} + ${row.slowRequests}`,
      ...[row.toLimit, row.toUsual, row.cpuToLimit, row.workerdMs, row.sqldMs].map((value) => decimals(value, 2)),
      ...[row.rssMegabytes, row.webhooksPerSecond].map((value) => decimals(value)),
    ]),
  };
}

/** The service's targets: at least `least`, or at most `most`, for the figure that `of` returns. */
interface Target {
  readonly what: string;
  readonly least?: number;
  readonly most?: number;
  readonly of: (rows: readonly Row[]) => number | undefined;
}

const TARGETS: readonly Target[] = [
  { what: 'GET by id, to the limit', least: 0.8, of: (rows) => find(rows, 'GET by id')?.toLimit },
  { what: 'list of 25, to the limit', least: 0.75, of: (rows) => find(rows, 'list of 25')?.toLimit },
  { what: 'estimate, to the limit', least: 0.7, of: (rows) => find(rows, 'estimate')?.toLimit },
  {
    what: 'create with manual approval, to the usual stack, which does the same',
    least: 5,
    of: (rows) => find(rows, 'create, manual approval')?.toUsual,
  },
  {
    what: 'create with automatic approval and the search for drivers, to the usual stack',
    least: 5,
    of: (rows) => find(rows, 'create')?.toUsual,
  },
  { what: 'errors and stalls of the service', most: 0, of: (rows) => sum(rows.map(troublesOf)) },
  { what: 'time of a list of the large company, to the small one', most: 1.2, of: timeOfLarge },
  {
    what: 'MB of memory',
    most: 250,
    of: (rows) => Math.max(...rows.map(({ rssMegabytes = Number.NaN }) => rssMegabytes)),
  },
];
const BUNDLE_KILOBYTES_MAX = 150;

export function judge(rows: readonly Row[], bundleGzipKilobytes: number): Verdict[] {
  const own = rows.filter(({ peer }) => peer === 'mirsal');
  const bundle = { what: 'kB of the bundle, gzipped', most: BUNDLE_KILOBYTES_MAX, of: () => bundleGzipKilobytes };
  return [...TARGETS, bundle].map(({ what, least, most, of }: Target) => {
    const reached = of(own);
    const aim = least === undefined ? `at most ${most}` : `at least ${least}`;
    if (reached === undefined || Number.isNaN(reached)) return { what, told: aim, isReached: undefined };
    const isReached = reached >= (least ?? Number.NEGATIVE_INFINITY) && reached <= (most ?? Number.POSITIVE_INFINITY);
    return { what, told: `${Number(reached.toFixed(2))}, ${aim}`, isReached };
  });
}

function find(rows: readonly Row[], operation: Operation): Row | undefined {
  return rows.find((row) => row.operation === operation);
}

function troublesOf({ errors, silentSeconds, slowRequests }: Row): number {
  return errors + silentSeconds + slowRequests;
}

function timeOfLarge(rows: readonly Row[]): number | undefined {
  const [small, large] = [find(rows, 'list of 25'), find(rows, 'list of 25, large')];
  return small && large && small.requestsPerSecond / large.requestsPerSecond;
}
