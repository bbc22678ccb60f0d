import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { bundleService } from '../shared/bundle.ts';
import { newKey256, newSigningKey, type SigningKey } from '../shared/keys.ts';
import type { DemoCompany } from '../shared/local-files.ts';
import { startLocalService, waitUntilHealthy } from '../shared/local-service.ts';
import { migrate } from '../shared/migrate.ts';
import { freePort, LOOPBACK } from '../shared/ports.ts';
import { groupMembers } from '../shared/processes.ts';
import { SAMPLE_COMPANIES } from '../shared/sample-companies.ts';
import { seed } from '../shared/seed.ts';
import { buildPages, type Runtime } from '../shared/service.ts';
import { type RunningWorker, readWorkerConfig, startWorker } from '../shared/workerd.ts';
import { BenchDatabase } from './database.ts';
import { creationOf, TOKEN_BODY } from './requests.ts';

/** A company of the service, with an access token of its client. */
export interface Account extends DemoCompany {
  readonly token: string;
}

/** The service with its databases and the sample companies, each in a shard of its own. */
export interface BenchService {
  readonly signingKey: SigningKey;
  readonly credentialKey: string;
  readonly worker: RunningWorker;
  readonly baseUrl: string;
  readonly directory: BenchDatabase;
  readonly shards: readonly BenchDatabase[];
  readonly accounts: readonly Account[];
}

/** The settings that a runtime starts with. */
export interface Launch {
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
}

export interface ServiceOptions {
  readonly folder: string;
  readonly launch: (launch: Launch) => Promise<RunningWorker>;
}

export async function startBenchService({ folder, launch }: ServiceOptions): Promise<BenchService> {
  const [directory, ...databases] = await Promise.all([
    startMigrated('directory', 'directory', folder),
    ...SAMPLE_COMPANIES.map((_, index) => startMigrated('shard', `shard-${index + 1}`, folder)),
  ]);
  const secrets = { signingKey: await newSigningKey(), credentialKey: newKey256() };
  const shards = databases.map(({ name: id, url, adminUrl }) => ({ id, url, adminUrl }));
  const { companies } = await seed({
    directoryUrl: directory.url,
    shards,
    deployment: 'local',
    credentialKey: secrets.credentialKey,
  });
  const port = await freePort();
  const baseUrl = `http://${LOOPBACK}:${port}`;
  const variables = {
    DEPLOYMENT: 'local',
    BASE_URL: baseUrl,
    LIBSQL_DIRECTORY: JSON.stringify({ url: directory.url, adminUrl: directory.adminUrl }),
    LIBSQL_SHARDS: JSON.stringify(shards),
    LIBSQL_DURABILITY: 'strong',
    TOKEN_SIGNING_KEYS: JSON.stringify([secrets.signingKey]),
    CREDENTIAL_KEYS: JSON.stringify([secrets.credentialKey]),
    CURSOR_KEYS: JSON.stringify([newKey256()]),
    PRICE_LOCK_KEYS: JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'bench', key: newKey256() }]),
    RATE_LIMITS: JSON.stringify(NO_LIMITS),
  };
  const worker = await launch({ port, variables });
  const accounts: Account[] = [];
  for (const company of companies) accounts.push({ ...company, token: await issueToken(baseUrl, company) });
  return { worker, baseUrl, ...secrets, directory, shards: databases, accounts };
}

/** The limiter counts each request as always, but never refuses one. */
const NO_LIMIT = 1_000_000_000;
const LIMITED = [
  'reads',
  'writes',
  'estimates',
  'tokens',
  'tracking',
  'failures',
  'codes',
  'codesOfAddress',
  'recipientCodes',
];
const NO_LIMITS = Object.fromEntries(LIMITED.map((name) => [name, NO_LIMIT]));

async function startMigrated(kind: 'directory' | 'shard', name: string, folder: string): Promise<BenchDatabase> {
  const database = await BenchDatabase.start(name, folder);
  await migrate({ kind, id: name, deployment: 'local', url: database.url });
  return database;
}

const CALL_TIMEOUT_MS = 5000;

/** The body of an answer. Throws if its status is another one. */
export async function ask(url: string, init: RequestInit = {}, status = 200): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  const body = await response.text();
  if (response.status !== status)
    throw new Error(`${init.method ?? 'GET'} ${url} was answered ${response.status}: ${body}`);
  return body;
}

/** A POST of JSON with an access token. */
export function jsonOf(token: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const common = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify(body) };
}

/** An access token of a client. */
export async function issueToken(
  baseUrl: string,
  { clientId, clientSecret }: Pick<DemoCompany, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = await ask(`${baseUrl}/oauth/token`, { method: 'POST', headers, body: TOKEN_BODY });
  return z.object({ access_token: z.string() }).parse(JSON.parse(body)).access_token;
}

const SHIPMENTS = '/v2/external/shipments';

/** Creates a shipment whose key is its reference, and answers its id. */
export async function createNamed(baseUrl: string, { token, ...place }: Account, reference: string): Promise<string> {
  const creation = jsonOf(token, creationOf(place, reference), { 'idempotency-key': reference });
  const body = await ask(baseUrl + SHIPMENTS, creation, 201);
  return z.object({ shipmentId: z.string() }).parse(JSON.parse(body)).shipmentId;
}

/** Creates one shipment and answers its id once the service has approved it. */
export async function createSample(baseUrl: string, account: Account): Promise<string> {
  const shipmentId = await createNamed(baseUrl, account, 'the-sample-of-the-bench');
  const headers = { authorization: `Bearer ${account.token}` };
  while (/"state":"PENDING_APPROVAL"/.test(await ask(`${baseUrl}${SHIPMENTS}/${shipmentId}`, { headers }))) {
    await delay(100);
  }
  return shipmentId;
}

/** Starts the service on a runtime: the deployed bundle under workerd, or the sources under Deno. */
export async function launcherOf(
  runtime: Runtime,
  folder: string,
): Promise<(launch: Launch) => Promise<RunningWorker>> {
  if (runtime === 'deno') return (launch) => startDeno(folder, launch);
  await buildPages();
  const { path: bundle } = await bundleService(folder);
  const settings = { name: 'mirsal', folder, bundle, v8Flags: [], ...(await readWorkerConfig()) };
  return (launch) => startWorker({ ...settings, ...launch });
}

async function startDeno(folder: string, { port, variables }: Launch): Promise<RunningWorker> {
  const child = await startLocalService({
    runtime: 'deno',
    port,
    dataFolder: folder,
    variables,
    variablesFile: join(folder, 'unused'),
    onLine: () => undefined,
  });
  await waitUntilHealthy(`http://${LOOPBACK}:${port}`, child);
  return {
    name: 'mirsal',
    port,
    pid: child.pid,
    // Deno's launcher keeps running besides the program itself.
    pids: groupMembers(child.pid).map(({ pid }) => pid),
    stop: () => child.stop(),
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    signal: (name) => child.kill(name),
  };
}
