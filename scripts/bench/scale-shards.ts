import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Runtime } from '../shared/service.ts';
import { type Measured, measure, rateOf } from './load.ts';
import { setApprovalPolicy } from './operations.ts';
import { createRequest } from './requests.ts';
import { decimals, describeOthers, type Findings, type Table } from './result.ts';
import { type BenchService, launcherOf, startBenchService } from './service.ts';
import { median, sum } from './statistics.ts';
import { settle } from './usage.ts';

interface Options {
  readonly folder: string;
  readonly runtime: Runtime;
  readonly rounds: number;
  readonly seconds: number;
  readonly log: (line: string) => void;
}

const SHARD_COUNTS = [1, 2, 4];
/** One company for each shard of the largest setting. In the other settings they share fewer shards. */
const COMPANIES = 4;
const CONNECTIONS = 256;
const WARM_UP_SECONDS = 5;

interface Setting {
  readonly shards: number;
  readonly service: BenchService;
  readonly measured: Measured[];
}

/** Creations of the same companies over 1, 2 and 4 shards, in rounds. */
export async function measureShards(options: Options): Promise<Omit<Findings, 'settings'>> {
  options.log(`starting services with ${SHARD_COUNTS.join(', ')} shards`);
  const settings: Setting[] = [];
  for (const shards of SHARD_COUNTS) settings.push({ shards, service: await start(options, shards), measured: [] });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { shards, service, measured } of settings) {
      options.log(`round ${round + 1}, ${shards} shards`);
      measured.push(await measureOne(service, options.seconds));
      await settle([...service.worker.pids, ...service.shards.map(({ pid }) => pid)]);
    }
  }
  for (const { service } of settings) {
    await service.worker.stop();
    for (const database of [service.directory, ...service.shards]) await database.stop();
  }
  const rows = settings.map(({ shards, measured }) => ({ shards, measured }));
  return {
    circumstances: [describeOthers(rows.flatMap(({ measured }) => measured))],
    tables: [tableOf(rows)],
    verdicts: [],
    measurements: rows,
  };
}

async function start({ folder: parent, runtime }: Options, shards: number): Promise<BenchService> {
  const folder = join(parent, `${shards}-shards`);
  mkdirSync(folder);
  const launch = await launcherOf(runtime, folder);
  const service = await startBenchService({ folder, launch, companies: COMPANIES, shards });
  for (const [index, { companyId }] of service.accounts.entries()) {
    const database = service.shards[index % shards];
    if (database === undefined) throw new Error('A company has no shard');
    await setApprovalPolicy(database, companyId, 'MANUAL');
  }
  return service;
}

function measureOne({ worker, directory, shards, accounts }: BenchService, seconds: number): Promise<Measured> {
  const processes = { service: worker.pids, sqld: [directory, ...shards].map(({ pid }) => pid) };
  const requests = accounts.map((account) => createRequest(account.token, account));
  const times = { warmUpSeconds: WARM_UP_SECONDS, seconds };
  return measure({ port: worker.port, connections: CONNECTIONS, ...times, requests, processes });
}

/** Processor times are of one creation. *machine* is the part of all cores that the measurement itself used. */
function tableOf(rows: readonly { readonly shards: number; readonly measured: readonly Measured[] }[]): Table {
  const rates = rows.map(({ measured }) => median(measured.map(rateOf)));
  return {
    headings: [
      'shards',
      'creates/s',
      'to 1 shard',
      'p95 ms',
      'errors',
      'service ms',
      'sqld ms',
      'driver %',
      'machine %',
    ],
    rows: rows.map(({ shards, measured }, index) => {
      const cpuOfOne = (name: string) =>
        median(measured.map(({ cpuMs, succeeded }) => (cpuMs[name] ?? 0) / Math.max(1, succeeded)));
      const busy = measured.map(
        ({ cpuMs, seconds, driverPercent }) => sum(Object.values(cpuMs)) / (seconds * 10) + driverPercent,
      );
      return [
        String(shards),
        decimals(rates[index]),
        decimals((rates[index] ?? 0) / (rates[0] ?? 1), 2),
        decimals(median(measured.map(({ p95Ms }) => p95Ms))),
        String(sum(measured.map(({ errors }) => errors))),
        decimals(cpuOfOne('service'), 2),
        decimals(cpuOfOne('sqld'), 2),
        decimals(median(measured.map(({ driverPercent }) => driverPercent))),
        decimals(median(busy) / availableParallelism()),
      ];
    }),
  };
}
