import type { Peer } from './arena.ts';
import { type Measured, rateOf } from './load.ts';
import { type Column, isQuiet, type Table, tableOf, type Verdict } from './result.ts';
import { median, sum } from './statistics.ts';

export const OPERATIONS = [
  'GET by id',
  'list of 25',
  'list of 25, large',
  'estimate',
  'create',
  'create, manual approval',
  'create, 5 % replays',
  'cancel',
  'driver pick-up',
  'driver position',
  'public tracking',
  'token',
] as const;
export type BenchOperation = (typeof OPERATIONS)[number];

/** One peer under one load for some seconds. */
export interface Measurement {
  readonly operation: BenchOperation;
  readonly peer: Peer['name'];
  readonly round: number;
  readonly measured: Measured;
  /** Descriptions of incidents during the measurement. */
  readonly notes: readonly string[];
}

/** One operation of one peer, compared with the other peers. */
export interface Row extends Rounds {
  readonly operation: BenchOperation;
  readonly peer: Measurement['peer'];
  /** Rates compared. Undefined if there was no quiet round to judge. */
  readonly toLimit: number | undefined;
  readonly toUsual: number | undefined;
  /** The other's processor time of a request, divided by this one's. Other programs disturb it less than rates. */
  readonly cpuToLimit: number | undefined;
  readonly cpuToUsual: number | undefined;
}

/** A variant of an operation is compared with that operation, others with themselves. */
const COMPARED_WITH: Readonly<Partial<Record<BenchOperation, BenchOperation>>> = {
  'list of 25, large': 'list of 25',
  'create, manual approval': 'create',
  'create, 5 % replays': 'create',
};

export function summarize(measurements: readonly Measurement[]): Row[] {
  return OPERATIONS.flatMap((operation) =>
    (['mirsal', 'limit', 'usual'] as const).flatMap((peer) => {
      const own = findRounds(measurements, operation, peer);
      if (own === undefined) return [];
      const [limit, usual] = (['limit', 'usual'] as const).map((other) =>
        other === peer ? undefined : findRounds(measurements, COMPARED_WITH[operation] ?? operation, other),
      );
      return {
        operation,
        peer,
        ...own,
        toLimit: rateRatio(own, limit),
        toUsual: rateRatio(own, usual),
        cpuToLimit: cpuRatio(own, limit),
        cpuToUsual: cpuRatio(own, usual),
      };
    }),
  );
}

/**
 * A peer's rounds in which it stalled for a second are left out if it has others, so that its problems do not make the
 * service look better. The service's own such rounds always count.
 */
function findRounds(
  measurements: readonly Measurement[],
  operation: BenchOperation,
  peer: Row['peer'],
): Rounds | undefined {
  const own = measurements.filter((one) => one.operation === operation && one.peer === peer);
  const isCounted = ({ silentSeconds }: Measurement['measured']) => peer === 'mirsal' || silentSeconds === 0;
  return own.length === 0
    ? undefined
    : roundsOf(
        own.map(({ measured }) => measured),
        isCounted,
      );
}

/** The rounds of one load: medians of its quiet rounds, or of all rounds if other programs disturbed all. */
interface Rounds {
  readonly rounds: number;
  readonly quietRounds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** In all rounds, as well as the stalls: seconds without an answer, and requests over two seconds. */
  readonly errors: number;
  readonly silentSeconds: number;
  readonly slowRequests: number;
  /** Processor time of one request. NaN where the system has no figure. */
  readonly serviceMs: number;
  readonly sqldMs: number;
  readonly driverPercent: number;
  readonly othersPercent: number;
  /** The most memory of the service in any round. */
  readonly rssMegabytes: number | undefined;
}

/** `isCounted` leaves out more rounds, as long as others are left. */
function roundsOf(measured: readonly Measured[], isCounted: (one: Measured) => boolean): Rounds {
  const quiet = measured.filter((one) => isQuiet(one) && isCounted(one));
  const counted = quiet.length === 0 ? measured : quiet;
  const middle = (of: (one: Measured) => number) => median(counted.map(of));
  const all = (of: (one: Measured) => number) => sum(measured.map(of));
  const megabytes = measured.flatMap(({ rssMegabytes }) => rssMegabytes['service'] ?? []);
  return {
    rounds: measured.length,
    quietRounds: quiet.length,
    requestsPerSecond: middle(rateOf),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p95Ms: middle(({ p95Ms }) => p95Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    errors: all(({ errorsInAll }) => errorsInAll),
    silentSeconds: all(({ silentSeconds }) => silentSeconds),
    slowRequests: all(({ slowRequests }) => slowRequests),
    serviceMs: middle((one) => cpuMsOf(one, 'service')),
    sqldMs: middle((one) => cpuMsOf(one, 'sqld')),
    driverPercent: middle(({ driverPercent }) => driverPercent),
    othersPercent: middle(({ othersPercent }) => othersPercent ?? Number.NaN),
    rssMegabytes: megabytes.length === 0 ? undefined : Math.max(...megabytes),
  };
}

function cpuMsOf({ cpuMs, succeeded }: Measured, name: string): number {
  return (cpuMs[name] ?? Number.NaN) / Math.max(1, succeeded);
}

/** How many times as fast as another. Undefined if other programs disturbed every round of one of them. */
function rateRatio(one: Rounds, other: Rounds | undefined): number | undefined {
  if (other === undefined || one.quietRounds === 0 || other.quietRounds === 0) return undefined;
  return one.requestsPerSecond / other.requestsPerSecond;
}

/** How many times as much processor time another needs for a request, databases included. */
function cpuRatio(one: Rounds, other: Rounds | undefined): number | undefined {
  return other === undefined ? undefined : (other.serviceMs + other.sqldMs) / (one.serviceMs + one.sqldMs);
}

/** The table of docs/benchmarks.md. */
export function tableOfRows(rows: readonly Row[]): Table {
  const columns: readonly Column<Row>[] = [
    ['operation', ({ operation }) => operation],
    ['peer', ({ peer }) => peer],
    ['quiet', ({ quietRounds, rounds }) => `${quietRounds}/${rounds}`],
    ['req/s', ({ requestsPerSecond }) => requestsPerSecond],
    ['service ms', ({ serviceMs }) => serviceMs, 2],
    ['sqld ms', ({ sqldMs }) => sqldMs, 2],
    ['p50 ms', ({ p50Ms }) => p50Ms],
    ['p95 ms', ({ p95Ms }) => p95Ms],
    ['p99 ms', ({ p99Ms }) => p99Ms],
    ['errors', ({ errors }) => errors],
    ['stalls', ({ silentSeconds, slowRequests }) => `${silentSeconds} + ${slowRequests}`],
    ['to limit', ({ toLimit }) => toLimit, 2],
    ['CPU to limit', ({ cpuToLimit }) => cpuToLimit, 2],
    ['to usual', ({ toUsual }) => toUsual, 2],
    ['CPU to usual', ({ cpuToUsual }) => cpuToUsual, 2],
    ['MB', ({ rssMegabytes }) => rssMegabytes],
    ['others %', ({ othersPercent }) => othersPercent],
  ];
  return tableOf(rows, columns);
}

/** The service's targets: at least `least`, or at most `most`, for the figure that `of` returns. */
interface Target {
  readonly what: string;
  readonly least?: number;
  readonly most?: number;
  readonly of: (rows: readonly Row[]) => number | undefined;
}

const TARGETS: readonly Target[] = [
  { what: 'GET by id, CPU to the limit', least: 0.85, of: (rows) => find(rows, 'GET by id')?.cpuToLimit },
  { what: 'list of 25, CPU to the limit', least: 0.9, of: (rows) => find(rows, 'list of 25')?.cpuToLimit },
  { what: 'estimate, CPU to the limit', least: 0.55, of: (rows) => find(rows, 'estimate')?.cpuToLimit },
  { what: 'public tracking, CPU to the limit', least: 0.85, of: (rows) => find(rows, 'public tracking')?.cpuToLimit },
  { what: 'token, CPU to the limit', least: 0.85, of: (rows) => find(rows, 'token')?.cpuToLimit },
  {
    what: 'create with manual approval, CPU to the usual stack, which does the same',
    least: 5,
    of: (rows) => find(rows, 'create, manual approval')?.cpuToUsual,
  },
  {
    what: 'create with manual approval, rate to the usual stack',
    least: 5,
    of: (rows) => find(rows, 'create, manual approval')?.toUsual,
  },
  {
    what: 'create with manual approval and 5 % replays, CPU to the usual stack',
    least: 5,
    of: (rows) => find(rows, 'create, 5 % replays')?.cpuToUsual,
  },
  { what: 'CPU of a creation without replays, to one with 5 % among them', least: 0.9, of: cpuOfReplays },
  { what: 'cancel, CPU to the usual stack', least: 4, of: (rows) => find(rows, 'cancel')?.cpuToUsual },
  { what: 'errors of the service', most: 0, of: (rows) => sum(rows.map(({ errors }) => errors)) },
  { what: 'stalls of the service', most: 0, of: stallsOf },
  { what: 'CPU of a list of the large company, to the small one', most: 1.2, of: cpuOfLarge },
  {
    what: 'MB of memory',
    most: 350,
    of: (rows) => Math.max(...rows.map(({ rssMegabytes = Number.NaN }) => rssMegabytes)),
  },
];
const BUNDLE_KILOBYTES_MAX = 150;

export function judge(rows: readonly Row[], bundleGzipKilobytes: number): Verdict[] {
  const own = rows.filter(({ peer }) => peer === 'mirsal');
  const bundle = {
    what: 'kB that an isolate loads at its start, gzipped',
    most: BUNDLE_KILOBYTES_MAX,
    of: () => bundleGzipKilobytes,
  };
  return [...TARGETS, bundle].map(({ what, least, most, of }: Target) => {
    const reached = of(own);
    const aim = least === undefined ? `at most ${most}` : `at least ${least}`;
    if (reached === undefined || Number.isNaN(reached)) return { what, told: aim, isReached: undefined };
    const isReached = reached >= (least ?? Number.NEGATIVE_INFINITY) && reached <= (most ?? Number.POSITIVE_INFINITY);
    return { what, told: `${Number(reached.toFixed(3))}, ${aim}`, isReached };
  });
}

function find(rows: readonly Row[], operation: BenchOperation): Row | undefined {
  return rows.find((row) => row.operation === operation);
}

/** Not judged if other programs disturbed all rounds of an operation, because they may have caused its stalls. */
function stallsOf(rows: readonly Row[]): number | undefined {
  if (rows.some(({ quietRounds }) => quietRounds === 0)) return undefined;
  return sum(rows.map(({ silentSeconds, slowRequests }) => silentSeconds + slowRequests));
}

function cpuOfReplays(rows: readonly Row[]): number | undefined {
  const [without, among] = [find(rows, 'create, manual approval'), find(rows, 'create, 5 % replays')];
  return among && cpuRatio(among, without);
}

function cpuOfLarge(rows: readonly Row[]): number | undefined {
  const [small, large] = [find(rows, 'list of 25'), find(rows, 'list of 25, large')];
  return small && cpuRatio(small, large);
}
