import { type Measured, rateOf } from './load.ts';
import { type Column, isQuiet } from './result.ts';
import { median, sum } from './statistics.ts';

/** The rounds of one load: medians of its quiet rounds, or of all rounds if other programs disturbed all. */
export interface Rounds {
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
export function roundsOf(measured: readonly Measured[], isCounted: (one: Measured) => boolean = () => true): Rounds {
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
export function rateRatio(one: Rounds, other: Rounds | undefined): number | undefined {
  if (other === undefined || one.quietRounds === 0 || other.quietRounds === 0) return undefined;
  return one.requestsPerSecond / other.requestsPerSecond;
}

/** How many times as much processor time another needs for a request, databases included. */
export function cpuRatio(one: Rounds, other: Rounds | undefined): number | undefined {
  return other === undefined ? undefined : (other.serviceMs + other.sqldMs) / (one.serviceMs + one.sqldMs);
}

export const RATES: readonly Column<Rounds>[] = [
  ['quiet', ({ quietRounds, rounds }) => `${quietRounds}/${rounds}`],
  ['req/s', ({ requestsPerSecond }) => requestsPerSecond],
  ['service ms', ({ serviceMs }) => serviceMs, 2],
  ['sqld ms', ({ sqldMs }) => sqldMs, 2],
  ['p50 ms', ({ p50Ms }) => p50Ms],
  ['p95 ms', ({ p95Ms }) => p95Ms],
  ['p99 ms', ({ p99Ms }) => p99Ms],
  ['errors', ({ errors }) => errors],
];
export const OTHERS: Column<Rounds> = ['others %', ({ othersPercent }) => othersPercent];
