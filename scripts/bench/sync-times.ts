import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { percentile } from './statistics.ts';

export interface SyncTimes {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const SYNCS = 200;
/** About what a small group of commits adds to a log. */
const BYTES = 64 * 1024;

/** How long this disk takes to make a write durable: what every commit waits for at the least. */
export async function syncTimes(folder: string): Promise<SyncTimes> {
  const path = join(folder, 'sync-times');
  const file = await open(path, 'w');
  const times: number[] = [];
  const bytes = Buffer.alloc(BYTES, 1);
  for (let count = 0; count < SYNCS; count += 1) {
    const startedAt = performance.now();
    await file.write(bytes);
    await file.datasync();
    times.push(performance.now() - startedAt);
  }
  await file.close();
  await rm(path);
  const sorted = Float64Array.from(times).sort();
  return { p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) };
}
