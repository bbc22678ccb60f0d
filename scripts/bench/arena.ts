import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requireCompany } from '../../src/access/require.ts';
import { parseUuid, type Uuid } from '../../src/core/uuid.ts';
import { shipmentById, shipmentPage } from '../../src/domain/shipments/store.ts';
import { type Bundle, bundlePeer, bundleService } from './bundle.ts';
import type { BenchDatabase } from './database.ts';
import { fillShipments } from './fill.ts';
import { type Account, type BenchService, createSample, type Launch, startService } from './service.ts';
import { type Compatibility, type RunningWorker, readWorkerConfig, reservePort, startWorker } from './worker.ts';

/** One of those that are compared, with a runtime and a database of its own. */
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
  /** The company whose data every peer has. */
  readonly company: Account;
  /** A company of the service alone, in a database of its own. */
  readonly large: Account;
  readonly largeDatabase: BenchDatabase;
  readonly bundle: Bundle;
}

export interface ArenaOptions {
  readonly folder: string;
  readonly shipments: number;
  readonly largeShipments: number;
  /** Of every workerd. */
  readonly v8Flags: readonly string[];
  readonly log: (line: string) => void;
}

/** On the project's own disk: the system's temporary folder may be memory, where a sync costs nothing. */
export function makeFolder(): { path: string; remove: () => void } {
  const parent = resolve(import.meta.dirname, '..', '..', '.wrangler');
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, 'bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Builds and starts everything: the service first, for it makes the data that the peers get a copy of. */
export async function openArena({ folder, shipments, largeShipments, v8Flags, log }: ArenaOptions): Promise<Arena> {
  const { compatibility, durableObjects } = readWorkerConfig();
  const settings = { folder, compatibility, v8Flags };
  log('bundling the service and its peers');
  const [bundle, limitBundle, usualBundle] = await Promise.all([
    bundleService(folder),
    bundlePeer('limit', folder, compatibility),
    bundlePeer('usual', folder, compatibility),
  ]);
  log('starting the service');
  const launch = (started: Launch) =>
    startWorker({ ...settings, ...started, name: 'mirsal', bundle: bundle.path, durableObjects });
  const service = await startService({ folder, launch });
  const [database, largeDatabase] = service.shards;
  const [company, large] = service.accounts;
  if (!database || !largeDatabase || !company || !large) throw new Error('Two companies and two shards were asked for');
  log(`making ${printed(shipments)} shipments of one company and ${printed(largeShipments)} of another`);
  await fillShipments(database, await createSample(service.baseUrl, company), shipments);
  await fillShipments(largeDatabase, await createSample(service.baseUrl, large), largeShipments);
  log('starting the peers on copies');
  const [limitDatabase, usualDatabase] = await database.copyTo(['limit', 'usual'], folder);
  if (limitDatabase === undefined || usualDatabase === undefined) throw new Error('Two copies were asked for');
  const [limitWorker, usualWorker] = await Promise.all([
    startLimit({ ...settings, bundle: limitBundle.path }, limitDatabase, company),
    startUsual({ ...settings, bundle: usualBundle.path }, usualDatabase, service),
  ]);
  return {
    mirsal: { name: 'mirsal', worker: service.worker, database },
    limit: { name: 'limit', worker: limitWorker, database: limitDatabase },
    usual: { name: 'usual', worker: usualWorker, database: usualDatabase },
    directory: service.directory,
    company,
    large,
    largeDatabase,
    bundle,
  };
}

function printed(count: number): string {
  return count.toLocaleString('en');
}

interface PeerOptions {
  readonly folder: string;
  readonly bundle: string;
  readonly compatibility: Compatibility;
  readonly v8Flags: readonly string[];
}

async function startLimit(options: PeerOptions, { url }: BenchDatabase, company: Account): Promise<RunningWorker> {
  const variables = { PIPELINE: `${url}/v3/pipeline`, ...statementsOf(company) };
  return startWorker({ ...options, name: 'limit', port: await reservePort(), variables });
}

async function startUsual(
  options: PeerOptions,
  { url }: BenchDatabase,
  { baseUrl, signingKey }: BenchService,
): Promise<RunningWorker> {
  const { kty, crv, kid, x } = signingKey;
  const variables = { LIBSQL_URL: url, ISSUER: baseUrl, PUBLIC_KEY: JSON.stringify({ kty, crv, kid, x }) };
  return startWorker({ ...options, name: 'usual', port: await reservePort(), variables });
}

/** Where the limit puts the id that it is asked for. */
const ID_MARK = '00000000-0000-0000-0000-000000000000';
const PAGE = 25;

/** The service's own statements, as libSQL takes them. One row more than a page tells whether there is a next one. */
function statementsOf({ companyId, clientId }: Account): { GET: string; LIST: string } {
  const [company, nobody] = [uuidOf(companyId), uuidOf(ID_MARK)];
  const holder = { clientId, secretId: nobody, tokenId: nobody, scopes: new Set(['shipments:read'] as const) };
  const scope = requireCompany({ kind: 'company', companyId: company, shard: '', ...holder }, 'shipments:read');
  const bound = ({ sql, args }: ReturnType<typeof shipmentById>) => {
    const cells = args.map((value) =>
      value === null
        ? { type: 'null' }
        : { type: typeof value === 'string' ? 'text' : 'integer', value: String(value) },
    );
    return JSON.stringify({ sql, args: cells });
  };
  return { GET: bound(shipmentById(scope, nobody)), LIST: bound(shipmentPage(scope, {}, undefined, PAGE + 1)) };
}

function uuidOf(text: string): Uuid {
  const id = parseUuid(text);
  if (id === undefined) throw new Error(`Not a UUID: ${text}`);
  return id;
}
