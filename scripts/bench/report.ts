import type { Measured } from './load.ts';
import type { Machine } from './machine.ts';
import { type Others, tellOthers } from './quiet.ts';
import type { Measurement, Operation } from './rounds.ts';
import { sum } from './statistics.ts';
import type { Memory, Row } from './summary.ts';
import { judge } from './targets.ts';
import { printVerdicts } from './verdict.ts';

/** Everything that was found out. */
export interface Report {
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly options: {
    readonly rounds: number;
    readonly seconds: number;
    readonly enduranceSeconds: number;
    readonly v8Flags: readonly string[];
  };
  readonly shipments: { readonly small: number; readonly large: number };
  readonly rows: readonly Row[];
  /** How many times as long a list of the large company takes. */
  readonly largeToSmall: number | undefined;
  readonly endurance: Measured;
  readonly memory: Memory | undefined;
  readonly bundleGzipKilobytes: number;
  readonly others: Others | undefined;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly measurements: readonly Measurement[];
}

export function printReport(report: Report): string {
  const { machine, versions, memory, largeToSmall, shipments, endurance, bundleGzipKilobytes, others, notes } = report;
  const [small, large] = [shipments.small, shipments.large].map((count) => count.toLocaleString('en'));
  const mixed = Math.round(endurance.succeeded / endurance.seconds);
  return [
    '',
    ...printTable(HEADINGS, report.rows.map(cellsOf)),
    '',
    'Medians of quiet rounds, in which other programs took at most a tenth of the machine and a peer did not stand still;',
    'of all if there is none.',
    'Stalls, in all rounds: seconds without a success + requests over 2 s.',
    `${large} shipments to ${small}: a list takes ${decimals(largeToSmall, 2)} times as long.`,
    `Memory of workerd in ${endurance.seconds} s of mixed load (${mixed}/s): ${memoryText(memory)}.`,
    `Bundle: ${bundleGzipKilobytes.toFixed(1)} kB gzipped.`,
    tellOthers(others),
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}.`,
    `Versions: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    ...(report.options.v8Flags.length === 0 ? [] : [`Flags of V8: ${report.options.v8Flags.join(' ')}.`]),
    ...notes.map((note) => `Note: ${note}.`),
    '',
    ...printVerdicts(judge(report)),
    '',
  ].join('\n');
}

const HEADINGS = [
  'operation',
  'peer',
  'quiet',
  'req/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'errors',
  'stalls',
  'to limit',
  'to usual',
  'CPU to limit',
  'workerd ms',
  'sqld ms',
  'RSS MB',
  'driver %',
  'heard/s',
];

function cellsOf(row: Row): string[] {
  const errors = Object.entries(row.errors).map(([kind, count]) => `${count} × ${kind}`);
  return [
    row.operation,
    row.peer,
    `${row.quietRounds}/${row.rounds}`,
    decimals(row.requestsPerSecond, 0),
    decimals(row.p50Ms, 1),
    decimals(row.p95Ms, 1),
    decimals(row.p99Ms, 1),
    errors.length === 0 ? '0' : errors.join(', '),
    stallsOf(row),
    decimals(row.toLimit, 2),
    decimals(row.toUsual, 2),
    decimals(row.cpuToLimit, 2),
    decimals(row.workerdMs, 3),
    decimals(row.sqldMs, 3),
    decimals(row.rssMegabytes, 0),
    decimals(row.driverPercent, 0),
    decimals(row.heardPerSecond, 0),
  ];
}

function stallsOf({ silentSeconds, slowRequests }: Row): string {
  return `${silentSeconds} + ${slowRequests}`;
}

export const DOCUMENT_HEADINGS = [
  'operation',
  'peer',
  'req/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'errors',
  'stalls',
  'to limit',
  'to usual stack',
  'CPU to limit',
  'workerd ms',
  'sqld ms',
  'webhooks/s',
];

/** The same for docs/benchmarks.md, without what only concerns whoever runs it. */
export function benchRows({ rows }: Report): string[][] {
  return rows.map((row) => [
    row.operation,
    row.peer,
    decimals(row.requestsPerSecond, 0),
    ...[row.p50Ms, row.p95Ms, row.p99Ms].map((ms) => decimals(ms, 0)),
    String(sum(Object.values(row.errors))),
    stallsOf(row),
    ...[row.toLimit, row.toUsual, row.cpuToLimit, row.workerdMs, row.sqldMs].map((value) => decimals(value, 2)),
    decimals(row.heardPerSecond, 0),
  ]);
}

function decimals(value: number | undefined, places: number): string {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(places);
}

function memoryText(memory: Memory | undefined): string {
  if (memory === undefined) return 'not told by this system';
  const { startMegabytes, middleMegabytes, endMegabytes, largestMegabytes } = memory;
  const [start, middle, end, largest] = [startMegabytes, middleMegabytes, endMegabytes, largestMegabytes].map(
    Math.round,
  );
  return `${start} MB at the start, ${middle} in the middle, ${end} at the end, ${largest} at most`;
}

/** Text to the left, numbers to the right. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const printed = lines.map((line) =>
    line
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return [printed[0] ?? '', widths.map((width) => '-'.repeat(width)).join('  '), ...printed.slice(1)];
}
