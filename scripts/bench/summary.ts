import type { Measured } from './load.ts';
import { isQuiet } from './quiet.ts';
import { type Measurement, OPERATIONS, type Operation } from './rounds.ts';
import { median, medianRatio, sum } from './statistics.ts';

/** One operation of one peer: medians of its rounds. */
export interface Row {
  readonly operation: Operation;
  readonly peer: Measurement['peer'];
  readonly rounds: number;
  /** Undisturbed ones. If there are any, only they count for rates and times. */
  readonly quietRounds: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
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
  /** Webhooks received a second meanwhile. */
  readonly heardPerSecond: number | undefined;
}

/** What a ratio is taken to: the same operation, or the one that it is a variant of. */
const COMPARED_WITH: Readonly<Record<Operation, Operation>> = {
  'GET by id': 'GET by id',
  'list of 25': 'list of 25',
  'list of 25, large': 'list of 25',
  estimate: 'estimate',
  create: 'create',
  'create, manual approval': 'create',
  'create, 1 endpoint': 'create',
  'create, 5 endpoints': 'create',
  cancel: 'cancel',
  'driver pick-up': 'driver pick-up',
  'driver position': 'driver position',
  'public tracking': 'public tracking',
  token: 'token',
};

export function summarize(measurements: readonly Measurement[]): Row[] {
  return OPERATIONS.flatMap((operation) =>
    (['mirsal', 'limit', 'usual'] as const).flatMap((peer) => {
      const side = sideOf(measurements, operation, peer);
      return side.rounds.length === 0 ? [] : [rowOf(operation, peer, side, measurements)];
    }),
  );
}

/** How many times as long a list of the large company takes. */
export function ratioOfLarge(measurements: readonly Measurement[]): number | undefined {
  const small = sideOf(measurements, 'list of 25', 'mirsal');
  return ratio(small, sideOf(measurements, 'list of 25, large', 'mirsal'), rate);
}

interface Side {
  readonly rounds: readonly Measured[];
  /**
   * Those in which other programs left the machine alone, and, of a peer, those in which it did not stand still for a
   * second: its trouble must not flatter the service, whose own always counts.
   */
  readonly undisturbed: readonly Measured[];
}

function sideOf(measurements: readonly Measurement[], operation: Operation, peer: Measurement['peer']): Side {
  const own = measurements.filter((one) => one.operation === operation && one.peer === peer);
  const rounds = own.map(({ measured }) => measured);
  const isCounted = ({ silentSeconds }: Measured) => peer === 'mirsal' || silentSeconds === 0;
  return { rounds, undisturbed: rounds.filter((round) => isQuiet(round) && isCounted(round)) };
}

/** Disturbed rounds are passed over, as long as anything is left. */
function countedOf({ rounds, undisturbed }: Side): readonly Measured[] {
  return undisturbed.length === 0 ? rounds : undisturbed;
}

/** Between undisturbed rounds when both sides have some; else the rounds' own, both sides of which met like weather. */
function ratio(numerator: Side, denominator: Side, of: (measured: Measured) => number): number | undefined {
  if (numerator.undisturbed.length === 0 || denominator.undisturbed.length === 0)
    return medianRatio(numerator.rounds.map(of), denominator.rounds.map(of));
  return medianRatio([median(numerator.undisturbed.map(of))], [median(denominator.undisturbed.map(of))]);
}

function rate({ succeeded, seconds }: Measured): number {
  return succeeded / seconds;
}

function rowOf(operation: Operation, peer: Row['peer'], side: Side, measurements: readonly Measurement[]): Row {
  const others = (other: Row['peer']) => sideOf(measurements, COMPARED_WITH[operation], other);
  const rateTo = (other: Row['peer']) => (other === peer ? undefined : ratio(side, others(other), rate));
  const { rounds, undisturbed } = side;
  const counted = countedOf(side);
  return {
    operation,
    peer,
    rounds: rounds.length,
    quietRounds: undisturbed.length,
    requestsPerSecond: median(counted.map(rate)),
    p50Ms: median(counted.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(counted.map(({ p95Ms }) => p95Ms)),
    p99Ms: median(counted.map(({ p99Ms }) => p99Ms)),
    errors: sumOfErrors(rounds),
    silentSeconds: sum(rounds.map(({ silentSeconds }) => silentSeconds)),
    slowRequests: sum(rounds.map(({ slowRequests }) => slowRequests)),
    toLimit: rateTo('limit'),
    toUsual: rateTo('usual'),
    cpuToLimit: peer === 'limit' ? undefined : ratio(others('limit'), side, cpuOfOne),
    workerdMs: cpuOf(counted, 'workerd'),
    sqldMs: cpuOf(counted, 'sqld'),
    rssMegabytes: largest(rounds.flatMap(({ rssMegabytes }) => rssMegabytes['workerd'] ?? [])),
    driverPercent: median(counted.map(({ driverPercent }) => driverPercent)),
    heardPerSecond: heardOf(measurements, operation, peer),
  };
}

function heardOf(measurements: readonly Measurement[], operation: Operation, peer: Row['peer']): number | undefined {
  const each = measurements.flatMap((one) =>
    one.operation === operation && one.peer === peer && one.heardPerSecond !== undefined ? [one.heardPerSecond] : [],
  );
  return each.length === 0 ? undefined : median(each);
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
