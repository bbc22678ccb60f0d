import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SetupError } from '../shared/setup-error.ts';
import { type BenchResult, fileOf, linesOf, type ResultName } from './result.ts';

const BENCHMARKS = 'docs/benchmarks.md';
const FILES: readonly (readonly [ResultName, string])[] = [
  ['operations', BENCHMARKS],
  ['flood-worker', BENCHMARKS],
  ['flood-deno', BENCHMARKS],
  ['pages', BENCHMARKS],
  ['life', 'docs/scale.md'],
];

/**
 * Writes the figures in the documents from the last full result of each bench. They stand between `<!-- name -->` and
 * `<!-- /name -->`. Figures without a result stay as they are.
 */
export function writeDocuments(): void {
  for (const [name, file] of FILES) {
    const source = fileOf(name);
    if (!existsSync(source)) continue;
    const target = resolve(import.meta.dirname, '..', '..', file);
    const text = readFileSync(target, 'utf8');
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(open), text.indexOf(close)];
    if (start < 0 || end < start) throw new SetupError(`${file} has no place for ${name}.`);
    const lines = linesOf(JSON.parse(readFileSync(source, 'utf8')) as BenchResult);
    writeFileSync(target, `${text.slice(0, start + open.length)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`);
    console.log(`${name}: written to ${file}`);
  }
}
