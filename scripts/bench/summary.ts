import type { Measured } from './load.ts';
import { type Measurement, OPERATIONS, type Operation } from './rounds.ts';
import { median, medianRatio } from './statistics.ts';

/** One operation of one peer: the medians of its rounds. */
export interface Row {
  readonly operation: Operation;
  readonly peer: Measurement['peer'];
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Over all rounds, like stalls. */
  readonly errors: Readonly<Record<string, number>>;
  readonly silentSeconds: number;
  readonly slowRequests: number;
  readonly toLimit: number | undefined;
  readonly toUsual: number | undefined;
  /** The limit's processor time of a request to this peer's: like `toLimit`, and less swayed by what else runs. */
  readonly cpuToLimit: number | undefined;
  /** Processor time of one request. */
  readonly workerdMs: number | undefined;
  readonly sqldMs: number | undefined;
  readonly rssMegabytes: number | undefined;
  readonly driverPercent: number;
}

/** What a ratio is taken to: the same operation, or the one that it is a variant of. */
const COMPARED_WITH: Readonly<Record<Operation, Operation>> = {
  'GET by id': 'GET by id',
  'list of 25': 'list of 25',
  'list of 25, large': 'list of 25',
  create: 'create',
  'create, manual approval': 'create',
};

export function summarize(measurements: readonly Measurement[]): Row[] {
  return OPERATIONS.flatMap((operation) =>
    (['mirsal', 'limit', 'usual'] as const).flatMap((peer) => {
      const rounds = roundsOf(measurements, operation, peer);
      return rounds.length === 0 ? [] : [rowOf(operation, peer, rounds, measurements)];
    }),
  );
}

/** Requests a second of the large list to those of the small one. */
export function ratioOfLarge(measurements: readonly Measurement[]): number | undefined {
  const [small, large] = (['list of 25', 'list of 25, large'] as const).map((operation) =>
    roundsOf(measurements, operation, 'mirsal'),
  );
  return medianRatio((small ?? []).map(rate), (large ?? []).map(rate));
}

function roundsOf(measurements: readonly Measurement[], operation: Operation, peer: Measurement['peer']): Measured[] {
  return measurements.filter((one) => one.operation === operation && one.peer === peer).map(({ measured }) => measured);
}

function rate({ succeeded, seconds }: Measured): number {
  return succeeded / seconds;
}

function rowOf(
  operation: Operation,
  peer: Row['peer'],
  rounds: readonly Measured[],
  measurements: readonly Measurement[],
): Row {
  const rates = rounds.map(rate);
  const ratioTo = (other: Row['peer']) =>
    other === peer ? undefined : medianRatio(rates, roundsOf(measurements, COMPARED_WITH[operation], other).map(rate));
  return {
    operation,
    peer,
    requestsPerSecond: median(rates),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    errors: sumOfErrors(rounds),
    silentSeconds: sum(rounds.map(({ silentSeconds }) => silentSeconds)),
    slowRequests: sum(rounds.map(({ slowRequests }) => slowRequests)),
    toLimit: ratioTo('limit'),
    toUsual: ratioTo('usual'),
    cpuToLimit:
      peer === 'limit'
        ? undefined
        : medianRatio(roundsOf(measurements, COMPARED_WITH[operation], 'limit').map(cpuOfOne), rounds.map(cpuOfOne)),
    workerdMs: cpuOf(rounds, 'workerd'),
    sqldMs: cpuOf(rounds, 'sqld'),
    rssMegabytes: largest(rounds.flatMap(({ rssMegabytes }) => rssMegabytes['workerd'] ?? [])),
    driverPercent: median(rounds.map(({ driverPercent }) => driverPercent)),
  };
}

/** Of workerd and sqld together. */
function cpuOfOne({ cpuMs, succeeded }: Measured): number {
  return sum(Object.values(cpuMs)) / Math.max(1, succeeded);
}

function sumOfErrors(rounds: readonly Measured[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [kind, count] of rounds.flatMap(({ errors }) => Object.entries(errors)))
    total[kind] = (total[kind] ?? 0) + count;
  return total;
}

function cpuOf(rounds: readonly Measured[], name: string): number | undefined {
  const each = rounds.flatMap(({ cpuMs, succeeded }) => {
    const spent = cpuMs[name];
    return spent === undefined || succeeded === 0 ? [] : [spent / succeeded];
  });
  return each.length === 0 ? undefined : median(each);
}

/** What all other programs took of the machine: the median of all measurements, and the most. */
export function othersOf(
  measurements: readonly Measurement[],
): { medianPercent: number; mostPercent: number } | undefined {
  const each = measurements.flatMap(({ measured: { othersPercent } }) =>
    othersPercent === undefined ? [] : [othersPercent],
  );
  return each.length === 0 ? undefined : { medianPercent: median(each), mostPercent: Math.max(...each) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function largest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values);
}

/** Resident memory of the service at three times of a longer load. */
export interface Memory {
  readonly startMegabytes: number;
  readonly middleMegabytes: number;
  readonly endMegabytes: number;
  readonly largestMegabytes: number;
}

/** How many looks make one of the three: a median of them passes over a collection that is just due. */
const LOOKS = 5;

/** Undefined where the system does not tell. */
export function memoryOf({ rssMegabytes }: Measured): Memory | undefined {
  const looks = rssMegabytes['workerd'] ?? [];
  if (looks.length === 0) return undefined;
  const middle = Math.max(0, Math.floor((looks.length - LOOKS) / 2));
  return {
    startMegabytes: median(looks.slice(0, LOOKS)),
    middleMegabytes: median(looks.slice(middle, middle + LOOKS)),
    endMegabytes: median(looks.slice(-LOOKS)),
    largestMegabytes: Math.max(...looks),
  };
}
