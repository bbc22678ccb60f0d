import { join } from 'node:path';
import { execa } from 'execa';
import { bundleService, bundleWorker } from '../shared/bundle.ts';
import { freePort } from '../shared/ports.ts';
import { type Compatibility, type RunningWorker, readWorkerConfig, startWorker } from '../shared/workerd.ts';
import type { BenchDatabase } from './database.ts';
import { fillShipments } from './fill.ts';
import { limitStatements } from './limit-statements.ts';
import type { Origin } from './lives.ts';
import { type Account, type BenchService, createSample, type Launch, startBenchService } from './service.ts';
import { type Stock, stockUp } from './stock.ts';

/** The service, or one that it is compared with. Each has a runtime and a database of its own. */
export interface Peer {
  readonly name: 'mirsal' | 'limit' | 'usual';
  readonly worker: RunningWorker;
  readonly database: BenchDatabase;
}

export interface Arena {
  readonly mirsal: Peer;
  readonly limit: Peer;
  readonly usual: Peer;
  readonly directory: BenchDatabase;
  readonly baseUrl: string;
  /** A stock of shipments for the commands of each round. */
  readonly stocks: readonly Stock[];
  /** Every peer has this company's data. */
  readonly company: Account;
  /** Only the service has this company, in a database of its own. */
  readonly large: Account;
  readonly largeDatabase: BenchDatabase;
}

export interface ArenaOptions {
  readonly folder: string;
  readonly shipments: number;
  readonly largeShipments: number;
  readonly rounds: number;
  /** The most commands of one kind in a round. */
  readonly commandsARound: number;
  readonly log: (line: string) => void;
}

/** Builds and starts everything. The service starts first, because the peers get a copy of its data. */
export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { folder, shipments, largeShipments, log } = options;
  const { compatibility, durableObjects } = await readWorkerConfig();
  const settings = { folder, compatibility, v8Flags: [] };
  log('installing the packages of the peers');
  await installPeers();
  log('bundling the service and its peers');
  const [bundle, limitBundle, usualBundle] = await Promise.all([
    bundleService(folder),
    bundleWorker(join(PEERS, 'limit.ts'), folder, compatibility),
    bundleWorker(join(PEERS, 'usual.ts'), folder, compatibility),
  ]);
  log('starting the service');
  const launch = (started: Launch) =>
    startWorker({ ...settings, ...started, name: 'mirsal', bundle: bundle.path, durableObjects });
  const service = await startBenchService({ folder, launch });
  const [database, largeDatabase] = service.shards;
  const [company, large] = service.accounts;
  if (!database || !largeDatabase || !company || !large) throw new Error('Two companies and two shards were asked for');
  log(`making ${printed(shipments)} shipments of one company and ${printed(largeShipments)} of another`);
  const sampleId = await createSample(service.baseUrl, company);
  await fillShipments(database, sampleId, shipments);
  await fillShipments(largeDatabase, await createSample(service.baseUrl, large), largeShipments);
  const stocks = await stocksOf(options, { service, account: company, origin: { database, sampleId } });
  log('starting the peers on copies');
  const [limitDatabase, usualDatabase] = await database.copyTo(['limit', 'usual'], folder);
  if (limitDatabase === undefined || usualDatabase === undefined) throw new Error('Two copies were asked for');
  const [limitWorker, usualWorker] = await Promise.all([
    startLimit({ ...settings, bundle: limitBundle.path }, limitDatabase, service),
    startUsual({ ...settings, bundle: usualBundle.path }, usualDatabase, service),
  ]);
  return {
    mirsal: { name: 'mirsal', worker: service.worker, database },
    limit: { name: 'limit', worker: limitWorker, database: limitDatabase },
    usual: { name: 'usual', worker: usualWorker, database: usualDatabase },
    directory: service.directory,
    baseUrl: service.baseUrl,
    stocks,
    company,
    large,
    largeDatabase,
  };
}

async function stocksOf(
  { rounds, commandsARound }: ArenaOptions,
  { service, account, origin }: { service: BenchService; account: Account; origin: Origin },
): Promise<Stock[]> {
  const stocks: Stock[] = [];
  const size = { cancellations: commandsARound, pickUps: commandsARound };
  for (let round = 0; round < rounds; round += 1) {
    const subject = { account, baseUrl: service.baseUrl, ids: [] };
    stocks.push(await stockUp(subject, origin, { ...size, series: round + 1 }));
  }
  return stocks;
}

function printed(count: number): string {
  return count.toLocaleString('en');
}

const PEERS = join(import.meta.dirname, 'peers');

/** The packages that only they need, and then the check of their types, which `npm run check` cannot make without these. */
async function installPeers(): Promise<void> {
  await execa('npm', ['ci', '--prefix', PEERS, '--prefer-offline'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await execa('tsc', ['-p', PEERS], { preferLocal: true, stdio: 'inherit' });
}

interface PeerOptions {
  readonly folder: string;
  readonly bundle: string;
  readonly compatibility: Compatibility;
  readonly v8Flags: readonly string[];
}

async function startLimit(
  options: PeerOptions,
  { url }: BenchDatabase,
  { accounts, baseUrl, directory, signingKey, credentialKey }: BenchService,
): Promise<RunningWorker> {
  const [company] = accounts;
  if (company === undefined) throw new Error('There is no company');
  const variables = {
    PIPELINE: `${url}/v3/pipeline`,
    DIRECTORY: `${directory.url}/v3/pipeline`,
    ISSUER: baseUrl,
    SIGNING_KEY: JSON.stringify(signingKey),
    CREDENTIAL_KEY: credentialKey,
    ...limitStatements(company),
  };
  return startWorker({ ...options, name: 'limit', port: await freePort(), variables });
}

async function startUsual(
  options: PeerOptions,
  { url }: BenchDatabase,
  { baseUrl, signingKey }: BenchService,
): Promise<RunningWorker> {
  const { kty, crv, kid, x } = signingKey;
  const variables = { LIBSQL_URL: url, ISSUER: baseUrl, PUBLIC_KEY: JSON.stringify({ kty, crv, kid, x }) };
  return startWorker({ ...options, name: 'usual', port: await freePort(), variables });
}
