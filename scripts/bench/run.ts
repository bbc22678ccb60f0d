import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { killLiveGroups } from '../shared/child-group.ts';

/**
 * Runs a bench in a temporary folder. Everything that it starts ends with this process, except after SIGKILL. The
 * folder is on the project's own disk, because the system's temporary folder may be in memory, where a sync costs
 * nothing.
 */
export function runInFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const parent = resolve(import.meta.dirname, '..', '..', '.wrangler');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'bench-'));
  process.once('exit', () => {
    killLiveGroups();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  return work(folder);
}

/** Prints progress to standard error, with the seconds since the start. */
export function stopwatch(): (line: string) => void {
  const startedAt = performance.now();
  return (line) =>
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}
