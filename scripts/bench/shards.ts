import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Measured, measure } from './load.ts';
import { createRequest } from './requests.ts';
import { type Column, describeOthers, type Findings, type StudyOptions, tableOf } from './result.ts';
import { cpuRatio, OTHERS, RATES, type Rounds, rateRatio, roundsOf } from './rounds.ts';
import { type BenchService, launcherOf, startBenchService } from './service.ts';
import { settle } from './usage.ts';

const FULL = { rounds: 3, seconds: 4 };
const QUICK = { rounds: 1, seconds: 2 };
const SHARD_COUNTS = [1, 2, 4];
/** One company for each shard of the largest setting. In the other settings they share fewer shards. */
const COMPANIES = 4;
const CONNECTIONS = 256;
const WARM_UP_SECONDS = 5;

/** Creations of the same companies over 1, 2 and 4 shards, in rounds. */
export async function measureShards({ folder, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = isQuick ? QUICK : FULL;
  log(`starting services with ${SHARD_COUNTS.join(', ')} shards`);
  const setups: { readonly shards: number; readonly service: BenchService; readonly measured: Measured[] }[] = [];
  for (const shards of SHARD_COUNTS) setups.push({ shards, service: await start(folder, shards), measured: [] });
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const { shards, service, measured } of setups) {
      log(`round ${round + 1}, ${shards} shards`);
      measured.push(await measureOne(service, settings.seconds));
      await settle([...service.worker.pids, ...service.shards.map(({ pid }) => pid)]);
    }
  }
  const rows = setups.map(({ shards, measured }) => ({ shards, ...roundsOf(measured) }));
  const columns: readonly Column<Rounds & { readonly shards: number }>[] = [
    ['shards', ({ shards }) => shards],
    ...RATES,
    ['to 1 shard', (row) => rateRatio(row, rows[0]), 2],
    ['CPU to 1 shard', (row) => cpuRatio(row, rows[0]), 2],
    ['driver %', ({ driverPercent }) => driverPercent],
    ['machine %', machinePercentOf],
    OTHERS,
  ];
  const measurements = setups.map(({ shards, measured }) => ({ shards, measured }));
  return {
    settings,
    circumstances: [describeOthers(measurements.flatMap(({ measured }) => measured))],
    tables: [tableOf(rows, columns)],
    verdicts: [],
    measurements,
  };
}

/** The part of all cores that service, databases and driver use. */
function machinePercentOf({ requestsPerSecond, serviceMs, sqldMs, driverPercent }: Rounds): number {
  return (requestsPerSecond * (serviceMs + sqldMs) * 0.1 + driverPercent) / availableParallelism();
}

async function start(parent: string, shards: number): Promise<BenchService> {
  const folder = join(parent, `${shards}-shards`);
  mkdirSync(folder);
  const launch = await launcherOf('worker', folder);
  const service = await startBenchService({ folder, launch, companies: COMPANIES, shards });
  for (const [index, { companyId }] of service.accounts.entries()) {
    const database = service.shards[index % shards];
    if (database === undefined) throw new Error('A company has no shard');
    await database.setApprovalPolicy(companyId, 'MANUAL');
  }
  return service;
}

function measureOne({ worker, directory, shards, accounts }: BenchService, seconds: number): Promise<Measured> {
  const processes = { service: worker.pids, sqld: [directory, ...shards].map(({ pid }) => pid) };
  const requests = accounts.map((account) => createRequest(account.token, account));
  const times = { warmUpSeconds: WARM_UP_SECONDS, seconds };
  return measure({ port: worker.port, connections: CONNECTIONS, ...times, requests, processes });
}
