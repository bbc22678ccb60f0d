import { availableParallelism } from 'node:os';
import { othersOf, tellOthers } from './quiet.ts';
import { printTable } from './report.ts';
import type { ShardResult, ShardRow } from './scale-shards.ts';
import type { SizeResult } from './scale-sizes.ts';
import { sum } from './statistics.ts';
import type { SyncTimes } from './sync-times.ts';

export const SIZE_HEADINGS = [
  'operation',
  'shipments',
  'req/s',
  'p50 ms',
  'p95 ms',
  'p99 ms',
  'errors',
  'to smallest',
  'sqld ms',
  'others %',
];

export function sizeRows({ rows }: SizeResult): string[][] {
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  return operations.flatMap((operation) => {
    const own = rows.filter((row) => row.operation === operation);
    const rateOf = ({ measured }: (typeof own)[number]) => measured.succeeded / measured.seconds;
    const [smallest] = own;
    return own.map((row) => [
      operation,
      row.shipments.toLocaleString('en'),
      rateOf(row).toFixed(0),
      ...[row.measured.p50Ms, row.measured.p95Ms, row.measured.p99Ms].map((ms) => ms.toFixed(0)),
      String(row.measured.errorsInAll),
      smallest === undefined ? '-' : (rateOf(row) / rateOf(smallest)).toFixed(2),
      ((row.measured.cpuMs['sqld'] ?? 0) / Math.max(1, row.measured.succeeded)).toFixed(2),
      row.measured.othersPercent?.toFixed(0) ?? '-',
    ]);
  });
}

export function othersOfSizes({ rows }: SizeResult): string {
  return tellOthers(othersOf(rows.map(({ measured }) => measured)));
}

export const FILE_HEADINGS = ['shipments', 'MB on disk', 'bytes a shipment', 'filled in s'];

export function fileRows({ files }: SizeResult): string[][] {
  return files.map(({ shipments, megabytes, fillSeconds }) => [
    shipments.toLocaleString('en'),
    megabytes.toFixed(0),
    ((megabytes * 2 ** 20) / shipments).toFixed(0),
    fillSeconds.toFixed(0),
  ]);
}

export function printSizes(result: SizeResult): string {
  return [
    '',
    ...printTable(SIZE_HEADINGS, sizeRows(result)),
    '',
    ...printTable(FILE_HEADINGS, fileRows(result)),
    '',
    othersOfSizes(result),
    '',
  ].join('\n');
}

export const SHARD_HEADINGS = [
  'setting',
  'shards',
  'creates/s',
  'to 1 shard',
  'p95 ms',
  'errors',
  'service',
  'sqld',
  'driver',
  'machine',
  'sqld share',
  'others %',
];

/** Processor time by process: of a creation in ms, but for the driver's and the machine's share of its cores. */
export function shardRows({ rows }: ShardResult): string[][] {
  return rows.map((row) => {
    const one = rows.find(({ setting, shards }) => setting === row.setting && shards === 1);
    const service = row.cpuMsOfOne['service'] ?? 0;
    const sqld = sqldMsOf(row);
    const measuredShare = row.rounds.map(busyShareOf);
    return [
      row.setting,
      String(row.shards),
      row.createsPerSecond.toFixed(0),
      one === undefined ? '-' : (row.createsPerSecond / one.createsPerSecond).toFixed(2),
      row.p95Ms.toFixed(0),
      String(sum(row.rounds.map(({ errorsInAll }) => errorsInAll))),
      `${service.toFixed(2)} ms`,
      `${sqld.toFixed(2)} ms`,
      `${meanOf(row.rounds.map(({ driverPercent }) => driverPercent)).toFixed(0)} %`,
      `${(100 * meanOf(measuredShare)).toFixed(0)} %`,
      `${((100 * sqld) / Math.max(0.001, service + sqld)).toFixed(0)} %`,
      meanOf(row.rounds.map(({ othersPercent }) => othersPercent ?? 0)).toFixed(0),
    ];
  });
}

function sqldMsOf({ cpuMsOfOne }: ShardRow): number {
  return Object.entries(cpuMsOfOne).reduce(
    (total, [name, ms]) => (/^(?:shard-|directory)/.test(name) ? total + ms : total),
    0,
  );
}

/** Of all cores, by everything that belongs to what is measured. */
function busyShareOf({ cpuMs, seconds, driverPercent }: ShardRow['rounds'][number]): number {
  const own = sum(Object.values(cpuMs)) / (seconds * 1000) + driverPercent / 100;
  return own / availableParallelism();
}

function meanOf(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

export function othersOfShards({ rows }: ShardResult): string {
  return tellOthers(othersOf(rows.flatMap(({ rounds }) => rounds)));
}

export function printShards(result: ShardResult & { readonly syncMs: SyncTimes }): string {
  return [
    '',
    ...printTable(SHARD_HEADINGS, shardRows(result)),
    '',
    `Slow databases: each request put off by ${result.slowMs} ms. Processor time of one creation in ms; machine: of all its cores.`,
    `A synced write of 64 kB takes ${result.syncMs.p50Ms.toFixed(1)} ms in the median and ${result.syncMs.p95Ms.toFixed(1)} ms at the 95th percentile.`,
    othersOfShards(result),
    '',
  ].join('\n');
}
