import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { killLiveGroups } from '../shared/child-group.ts';
import { makeFolder } from './arena.ts';
import { isDocumented, type ResultName, type WithSettings } from './settings.ts';

/** Where the last result of each bench is kept; `document.ts` makes the documented tables of them. */
export const RESULTS = resolve(import.meta.dirname, '..', '..', '.local', 'bench');

/** Runs a bench in a folder of its own. Whatever way this process ends, but for SIGKILL, what it started ends with it. */
export function runInFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = makeFolder();
  process.once('exit', () => {
    killLiveGroups();
    folder.remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  return work(folder.path);
}

/** Tells what is done now, with the seconds since the start. */
export function stopwatch(): (line: string) => void {
  const startedAt = performance.now();
  return (line) =>
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
}

/** A trial must not take the place of what the document is written from: it is kept beside it. */
export function keepResult(name: ResultName, result: WithSettings): void {
  mkdirSync(RESULTS, { recursive: true });
  const kept = isDocumented(name, result) ? name : `${name}-trial`;
  if (kept !== name) process.stderr.write(`A trial, by its settings: kept as ${kept}, not for the documents.\n`);
  writeFileSync(join(RESULTS, `${kept}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}
