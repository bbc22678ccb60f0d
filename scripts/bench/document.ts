import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failWith } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { type BenchResult, isDocumented, linesOf, RESULTS, type ResultName } from './result.ts';

/*
 * Writes the last result of each bench into the documents, between `<!-- name -->` and `<!-- /name -->`. Figures
 * without a result with the documented settings stay unchanged.
 */

const BENCHMARKS = 'docs/benchmarks.md';
const FILES: Readonly<Record<ResultName, string>> = {
  bench: BENCHMARKS,
  'soak-worker': BENCHMARKS,
  'soak-deno': BENCHMARKS,
  'scale-sizes': BENCHMARKS,
  'scale-shards': BENCHMARKS,
  life: 'docs/scale.md',
};

/** Returns a description of what was done. */
function write(name: ResultName, file: string): string {
  const path = join(RESULTS, `${name}.json`);
  if (!existsSync(path)) return 'no result, stays as it is';
  const result = JSON.parse(readFileSync(path, 'utf8')) as BenchResult;
  if (!isDocumented(name, result)) return 'the result is of other settings, stays as it is';
  const target = resolve(import.meta.dirname, '..', '..', file);
  const text = readFileSync(target, 'utf8');
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new SetupError(`${file} has no place for ${name}.`);
  writeFileSync(target, `${text.slice(0, start + open.length)}\n\n${linesOf(result).join('\n')}\n\n${text.slice(end)}`);
  return `written to ${file}`;
}

try {
  for (const [name, file] of Object.entries(FILES)) console.log(`${name}: ${write(name as ResultName, file)}`);
} catch (error) {
  failWith(error);
}
