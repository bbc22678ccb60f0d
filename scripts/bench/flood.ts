import * as z from 'zod';
import type { PreparedRequest } from './load.ts';
import { runDriver } from './run-driver.ts';
import { sum } from './statistics.ts';

/*
 * What the soak and its driver say to each other. Unlike `load.ts` requests arrive when they are due, whether or not
 * earlier ones were answered; only the number of connections bounds how many wait at once.
 */

/** Requests of one kind among others. */
export interface Stream {
  readonly name: string;
  /** Of all requests, in any unit. */
  readonly share: number;
  /** Sent in turn. */
  readonly requests: readonly PreparedRequest[];
  /** Each of them is sent once, for it changes what it is about; then the first stream takes the place of this one. */
  readonly isOnce?: boolean;
}

export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Arrivals a second; undefined keeps every connection busy instead. */
  readonly rate: number | undefined;
}

export interface Flood {
  readonly port: number;
  readonly connections: number;
  readonly streams: readonly Stream[];
  /** One after the other without a pause. A request belongs to the phase in which it was due. */
  readonly phases: readonly Phase[];
  /** Whose processor time and memory are looked at meanwhile. */
  readonly processes: Readonly<Record<string, readonly number[]>>;
}

const second = z.object({
  /** Of requests that were due in this second. */
  succeeded: z.number(),
  /** 429 and 503. */
  refused: z.number(),
  /** Any other status, and what was cut, timed out or could not be sent. */
  failed: z.number(),
  p95Ms: z.number(),
});
const phaseResult = z.object({
  name: z.string(),
  seconds: z.number(),
  due: z.number(),
  sent: z.number(),
  /** Due while every connection waited for an answer. */
  heldBack: z.number(),
  /** By stream, then by status or kind of end. */
  endings: z.record(z.string(), z.record(z.string(), z.number())),
  succeeded: z.number(),
  /** Answers within the phase, whenever they were asked for. */
  succeededWithin: z.number(),
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
const flooded = z.object({
  phases: z.array(phaseResult),
  /** What stood in the place of `FRESH` in requests that were answered 201. */
  created: z.array(z.string()),
});
export type PhaseResult = z.output<typeof phaseResult>;
export type Flooded = z.output<typeof flooded>;

/** What the driver needs beside the phases: to start, and to hear the last answers. */
const OVERHEAD_MS = 30_000;

/** Runs phases in a driver of its own. Rejects when the driver fails or does not end in time. */
export function flood(order: Flood): Promise<Flooded> {
  const seconds = sum(order.phases.map(({ seconds: each }) => each));
  return runDriver(import.meta.resolve('./flood-driver.ts'), order, {
    shape: flooded,
    timeoutMs: seconds * 1000 + OVERHEAD_MS,
  });
}
