import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseProxy, startDatabaseProxy } from '../shared/database-proxy.ts';
import { drive, type Measured } from './load.ts';
import { createRequest } from './requests.ts';
import { setApprovalPolicy } from './rounds.ts';
import { type BenchRuntime, launcherOf } from './runtimes.ts';
import { type BenchService, startService } from './service.ts';
import { settle } from './settle.ts';
import { median } from './statistics.ts';

/** What limits in a setting: the cores, or databases that take their time. */
const SETTINGS = ['as it is', 'no sync', 'slow databases'] as const;
type Setting = (typeof SETTINGS)[number];

export interface ShardRow {
  readonly setting: Setting;
  readonly shards: number;
  readonly rounds: readonly Measured[];
  readonly createsPerSecond: number;
  readonly p95Ms: number;
  /** Processor time of a creation, by process. */
  readonly cpuMsOfOne: Readonly<Record<string, number>>;
}
export interface ShardResult {
  readonly rows: readonly ShardRow[];
  /** By which each request to a slow database is put off. */
  readonly slowMs: number;
}

interface Options {
  readonly folder: string;
  readonly runtime: BenchRuntime;
  readonly rounds: number;
  readonly seconds: number;
  readonly log: (line: string) => void;
}

const SHARD_COUNTS = [1, 2, 4];
/** One for each shard of the largest, so that the same companies are spread over fewer. */
const COMPANIES = 4;
const CONNECTIONS = 256;
/** Some groups of a slow database. */
const WARM_UP_SECONDS = 5;
/** Long enough that a group of 64 from each shard leaves the cores of a small machine idle. */
const SLOW_MS = 400;

/** Creations of the same companies over 1, 2 and 4 shards, in rounds, each setting by itself. */
export async function measureShards(options: Options): Promise<ShardResult> {
  const rows: ShardRow[] = [];
  for (const setting of SETTINGS) {
    options.log(`${setting}: starting services with ${SHARD_COUNTS.join(', ')} shards`);
    const stands: Stand[] = [];
    for (const shards of setting === 'no sync' ? [1] : SHARD_COUNTS)
      stands.push(await openStand(options, setting, shards));
    const measured = stands.map((): Measured[] => []);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [index, stand] of stands.entries()) {
        options.log(`${setting}: round ${round + 1}, ${stand.shards} shards`);
        measured[index]?.push(await measure(stand, options.seconds));
        await settle([...stand.service.worker.pids, ...stand.service.shards.map(({ pid }) => pid)]);
      }
    }
    for (const [index, { shards }] of stands.entries()) rows.push(rowOf(setting, shards, measured[index] ?? []));
    for (const stand of stands) await closeStand(stand);
  }
  return { rows, slowMs: SLOW_MS };
}

interface Stand {
  readonly shards: number;
  readonly service: BenchService;
  readonly proxies: readonly DatabaseProxy[];
}

async function openStand({ folder: parent, runtime }: Options, setting: Setting, shards: number): Promise<Stand> {
  const folder = join(parent, `${setting.replaceAll(' ', '-')}-${shards}`);
  mkdirSync(folder);
  const proxies: DatabaseProxy[] = [];
  const service = await startService({
    folder,
    launch: await launcherOf(runtime, folder),
    companies: COMPANIES,
    shards,
    ...(setting === 'slow databases'
      ? {
          urlOf: async ({ url }) => {
            const proxy = await startDatabaseProxy(url, { before: () => delay(SLOW_MS) });
            proxies.push(proxy);
            return proxy.url;
          },
        }
      : {}),
    // Else the service itself would ask for the sync again.
    ...(setting === 'no sync' ? { variables: { LIBSQL_DURABILITY: 'managed' } } : {}),
  });
  for (const [index, { companyId }] of service.accounts.entries()) {
    const database = service.shards[index % shards];
    if (database === undefined) throw new Error('A company has no shard');
    await setApprovalPolicy(database, companyId, 'MANUAL');
  }
  if (setting === 'no sync') for (const database of service.shards) await database.setDurable(false);
  return { shards, service, proxies };
}

function measure({ service }: Stand, seconds: number): Promise<Measured> {
  const { worker, directory, shards, accounts } = service;
  const databases = shards.map(({ name, pid }) => [name, [pid]] as const);
  const processes = {
    service: worker.pids,
    directory: [directory.pid],
    ...Object.fromEntries(databases),
    // Where the proxies of slow databases run.
    bench: [process.pid],
  };
  const requests = accounts.map((account) => createRequest(account.token, account));
  const times = { warmUpSeconds: WARM_UP_SECONDS, seconds };
  return drive({ port: worker.port, connections: CONNECTIONS, ...times, requests, processes });
}

function rowOf(setting: Setting, shards: number, rounds: readonly Measured[]): ShardRow {
  const names = Object.keys(rounds[0]?.cpuMs ?? {});
  const cpuMsOf = (name: string) =>
    median(rounds.map(({ cpuMs, succeeded }) => (cpuMs[name] ?? 0) / Math.max(1, succeeded)));
  return {
    setting,
    shards,
    rounds,
    createsPerSecond: median(rounds.map(({ succeeded, seconds }) => succeeded / seconds)),
    p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
    cpuMsOfOne: Object.fromEntries(names.map((name) => [name, cpuMsOf(name)])),
  };
}

async function closeStand({ service, proxies }: Stand): Promise<void> {
  await service.worker.stop();
  for (const proxy of proxies) proxy.close();
  for (const database of [service.directory, ...service.shards]) await database.stop();
}
