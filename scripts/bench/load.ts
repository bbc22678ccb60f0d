import * as z from 'zod';
import { runDriver } from './run-driver.ts';

/*
 * What the bench and its load driver say to each other. The driver is a process of its own, so that what the bench does
 * meanwhile takes no time from it: one JSON line in, one JSON line out.
 */

/** Replaced in each request by text that was never sent before, of the same length. */
export const FRESH = '@fresh-text-of-24-chars@';

export interface PreparedRequest {
  /** The bytes of a whole HTTP/1.1 request, perhaps with `FRESH` in it. */
  readonly text: string;
  readonly expectStatus: number;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Sent in turn, by all connections together. */
  readonly requests: readonly PreparedRequest[];
  /** Whose processor time and memory are looked at meanwhile. */
  readonly processes: Readonly<Record<string, readonly number[]>>;
}

const measured = z.object({
  /** Answers with the expected status within the measured time. */
  succeeded: z.number(),
  /** The same from the first request of the warm-up to the last answer. */
  succeededInAll: z.number(),
  /** Other endings within the measured time, by status or kind. */
  errors: z.record(z.string(), z.number()),
  errorsInAll: z.number(),
  seconds: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  longestMs: z.number(),
  /** Whole seconds without one success. */
  silentSeconds: z.number(),
  /** Requests over two seconds, those that were never answered included. */
  slowRequests: z.number(),
  /** Processor time of one core, in percent. */
  driverPercent: z.number(),
  /** What all other programs took of the machine, in percent of all its cores. */
  othersPercent: z.number().optional(),
  /** By the names in `processes`; empty where the system does not tell. */
  cpuMs: z.record(z.string(), z.number()),
  /** Resident memory by name, once a second from the start. */
  rssMegabytes: z.record(z.string(), z.array(z.number())),
});
export type Measured = z.output<typeof measured>;

export function readLoad(text: string): Load {
  return JSON.parse(text) as Load;
}

/** What the driver needs beside the load itself: to start, to hear the last answers, to sum up. */
const OVERHEAD_MS = 25_000;

/** Runs one load in a driver of its own. Rejects when the driver fails or does not end in time. */
export function drive(load: Load): Promise<Measured> {
  const timeoutMs = (load.warmUpSeconds + load.seconds) * 1000 + OVERHEAD_MS;
  return runDriver(import.meta.resolve('./driver.ts'), load, { shape: measured, timeoutMs });
}
