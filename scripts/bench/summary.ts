import type { Peer } from './arena.ts';
import type { Measured } from './load.ts';
import { type Column, type Table, tableOf, type Verdict } from './result.ts';
import { cpuRatio, OTHERS, RATES, type Rounds, rateRatio, roundsOf } from './rounds.ts';
import { median, sum } from './statistics.ts';

export const OPERATIONS = [
  'GET by id',
  'list of 25',
  'list of 25, large',
  'estimate',
  'create',
  'create, manual approval',
  'create, 5 % replays',
  'create, 1 endpoint',
  'create, 5 endpoints',
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
  /** Webhooks that were received meanwhile. */
  readonly webhooksPerSecond?: number;
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
  readonly webhooksPerSecond: number | undefined;
}

/** A variant of an operation is compared with that operation, others with themselves. */
const COMPARED_WITH: Readonly<Partial<Record<BenchOperation, BenchOperation>>> = {
  'list of 25, large': 'list of 25',
  'create, manual approval': 'create',
  'create, 5 % replays': 'create',
  'create, 1 endpoint': 'create',
  'create, 5 endpoints': 'create',
};

export function summarize(measurements: readonly Measurement[]): Row[] {
  return OPERATIONS.flatMap((operation) =>
    (['mirsal', 'limit', 'usual'] as const).flatMap((peer) => {
      const own = findRounds(measurements, operation, peer);
      if (own === undefined) return [];
      const [limit, usual] = (['limit', 'usual'] as const).map((other) =>
        other === peer ? undefined : findRounds(measurements, COMPARED_WITH[operation] ?? operation, other),
      );
      const webhooks = measurements.flatMap((one) =>
        one.operation === operation ? (one.webhooksPerSecond ?? []) : [],
      );
      return {
        operation,
        peer,
        ...own,
        toLimit: rateRatio(own, limit),
        toUsual: rateRatio(own, usual),
        cpuToLimit: cpuRatio(own, limit),
        cpuToUsual: cpuRatio(own, usual),
        webhooksPerSecond: webhooks.length === 0 ? undefined : median(webhooks),
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

/** The table of docs/benchmarks.md. */
export function tableOfRows(rows: readonly Row[]): Table {
  const columns: readonly Column<Row>[] = [
    ['operation', ({ operation }) => operation],
    ['peer', ({ peer }) => peer],
    ...RATES,
    ['stalls', ({ silentSeconds, slowRequests }) => `${silentSeconds} + ${slowRequests}`],
    ['to limit', ({ toLimit }) => toLimit, 2],
    ['CPU to limit', ({ cpuToLimit }) => cpuToLimit, 2],
    ['to usual', ({ toUsual }) => toUsual, 2],
    ['CPU to usual', ({ cpuToUsual }) => cpuToUsual, 2],
    ['MB', ({ rssMegabytes }) => rssMegabytes],
    ['webhooks/s', ({ webhooksPerSecond }) => webhooksPerSecond],
    OTHERS,
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
