import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import * as z from 'zod';
import { sum } from './statistics.ts';

/*
 * The messages between a bench and its load driver. The driver is a process of its own, so that the bench takes no
 * processor time from it: one JSON document in, one JSON document out.
 */

/** Replaced in each request by new text of the same length. */
export const FRESH = '@fresh-text-of-24-chars@';

export interface PreparedRequest {
  /** The bytes of a whole HTTP/1.1 request. They may hold `FRESH`. */
  readonly text: string;
  readonly expectStatus: number;
}

/** Requests of one kind among others. */
export interface Stream {
  readonly name: string;
  /** Its share of all requests, in any unit. */
  readonly share: number;
  readonly requests: readonly PreparedRequest[];
  /** Each request is sent once, because it changes its shipment. Afterwards the first stream is used instead. */
  readonly isOnce?: boolean;
}

export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Arrivals a second, whether or not earlier requests were answered. Undefined keeps every connection busy instead. */
  readonly rate: number | undefined;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly streams: readonly Stream[];
  /** They run one after the other without a pause. A request belongs to the phase in which it was due. */
  readonly phases: readonly Phase[];
  /** Processes to watch, by name. */
  readonly processes: Readonly<Record<string, readonly number[]>>;
}

const second = z.object({
  /** Requests that were due in this second. */
  succeeded: z.number(),
  /** Answers of 429 and 503. */
  refused: z.number(),
  /** Any other status, and requests that were cut, timed out or could not be sent. */
  failed: z.number(),
  p95Ms: z.number(),
});
const phaseResult = z.object({
  name: z.string(),
  seconds: z.number(),
  due: z.number(),
  sent: z.number(),
  /** Requests that were due while every connection waited for an answer. */
  heldBack: z.number(),
  /** By stream, then by status or kind of failure. */
  endings: z.record(z.string(), z.record(z.string(), z.number())),
  succeeded: z.number(),
  /** Requests that ended otherwise than expected. */
  errors: z.number(),
  /** Expected answers that arrived within the phase, whenever their request was due. */
  succeededWithin: z.number(),
  /** Requests over two seconds, those without an answer included. */
  slowRequests: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  longestMs: z.number(),
  /** How late the driver itself was. */
  lagP99Ms: z.number(),
  lagMostMs: z.number(),
  bySecond: z.array(second),
  driverPercent: z.number(),
  othersPercent: z.number().optional(),
  cpuMs: z.record(z.string(), z.number()),
  rssMegabytes: z.record(z.string(), z.array(z.number())),
});
const loadResult = z.object({
  phases: z.array(phaseResult),
  /** The fresh text of requests that were answered 201. */
  created: z.array(z.string()),
});
export type PhaseResult = z.output<typeof phaseResult>;
export type LoadResult = z.output<typeof loadResult>;

/** Time the driver needs besides the phases: to start, and for the last answers. */
const OVERHEAD_MS = 30_000;
/** A million references of created shipments. */
const OUTPUT_BYTES_MAX = 64 * 2 ** 20;

/** Runs a load in a driver of its own. Rejects if the driver fails or does not end in time. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const timeout = sum(load.phases.map(({ seconds }) => seconds)) * 1000 + OVERHEAD_MS;
  const script = fileURLToPath(import.meta.resolve('./load-driver.ts'));
  const options = { input: JSON.stringify(load), timeout, stderr: 'inherit', maxBuffer: OUTPUT_BYTES_MAX } as const;
  const { stdout } = await execa(process.execPath, [script], options);
  return loadResult.parse(JSON.parse(stdout));
}

/** One measurement: a phase after a warm-up, with what matters when every connection is kept busy. */
export interface Measured extends PhaseResult {
  /** Successes, answers of 201 and errors of the warm-up too. */
  readonly succeededInAll: number;
  readonly createdInAll: number;
  readonly errorsInAll: number;
  /** Whole seconds without a success. */
  readonly silentSeconds: number;
}

export async function measure({
  requests,
  replays = [],
  warmUpSeconds,
  seconds,
  ...rest
}: Pick<Load, 'port' | 'connections' | 'processes'> & {
  readonly requests: readonly PreparedRequest[];
  /** Every twentieth request is one of these instead. */
  readonly replays?: readonly PreparedRequest[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
}): Promise<Measured> {
  const { phases } = await runLoad({
    ...rest,
    streams: [
      { name: 'all', share: 19, requests },
      ...(replays.length === 0 ? [] : [{ name: 'replays', share: 1, requests: replays }]),
    ],
    phases: [
      { name: 'warm-up', seconds: warmUpSeconds, rate: undefined },
      { name: 'measured', seconds, rate: undefined },
    ],
  });
  const measured = phases[1];
  if (measured === undefined) throw new Error('The driver did not answer both phases');
  return {
    ...measured,
    succeededInAll: sum(phases.map(({ succeeded }) => succeeded)),
    createdInAll: sum(phases.flatMap(({ endings }) => Object.values(endings).map((counts) => counts['201'] ?? 0))),
    errorsInAll: sum(phases.map(({ errors }) => errors)),
    silentSeconds: measured.bySecond.filter(({ succeeded }) => succeeded === 0).length,
  };
}

/** Requests a second that were answered as expected. */
export function rateOf({ succeededWithin, seconds }: PhaseResult): number {
  return succeededWithin / seconds;
}
