import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AwsV4Signer } from 'aws4fetch';
import { exportJWK, SignJWT } from 'jose';
import * as z from 'zod';
import { sha256Hex } from '../../src/core/crypto.ts';
import { noMetrics } from '../../src/providers/absent.ts';
import { ProviderReports } from '../../src/providers/provider-reports.ts';
import { type S3Bucket, s3Documents } from '../../src/providers/s3-documents.ts';
import { monotonicMs, SystemClock, systemRandom } from '../../src/providers/system.ts';
import { checkDocuments } from '../../src/service/checks.ts';
import { environment } from '../../src/service/environment.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { requireDatabases } from '../shared/database-addresses.ts';
import { newKey256, newSigningKey } from '../shared/keys.ts';
import { createProgram } from '../shared/operators.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';

const USAGE = `What deploy/sandbox.sh runs in the containers of a sandbox.

  npm run -s sandbox -- settings     prints new settings for deploy/compose.yaml. They are secret
  npm run -s sandbox -- bucket       creates the bucket of DOCUMENTS, and writes and reads a file in it
  npm run -s sandbox -- stock --base URL
      publishes a tariff and adds a service level and a driver, unless there are some. Then it waits until shipments
      are possible: the tariff starts two minutes later`;

/** Settings for the services of deploy/compose.yaml: the variables of the service, then those of sqld and the object store. */
export async function newSettings(): Promise<Readonly<Record<string, string>>> {
  // sqld only needs the public key. The private one is not kept: another token needs another pair.
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = await exportJWK(publicKey);
  const token = await new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
  const adminKey = newKey256();
  const database = (name: string) => ({ url: `http://${name}:8080`, adminUrl: `http://${name}:9090`, adminKey });
  const store = { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: newKey256() };
  return {
    DEPLOYMENT: 'sandbox',
    BASE_URL: 'http://localhost:8080',
    PROXIES: '1',
    LIBSQL_DIRECTORY: JSON.stringify(database('directory')),
    LIBSQL_SHARDS: JSON.stringify([{ id: 'shard-1', ...database('shard-1') }]),
    LIBSQL_TOKEN: token,
    TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEYS: JSON.stringify([newKey256()]),
    CURSOR_KEYS: JSON.stringify([newKey256()]),
    PRICE_LOCK_KEYS: JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'one', key: newKey256() }]),
    METRICS_TOKEN: newKey256(),
    MESSAGES: JSON.stringify({ folder: '/var/lib/mirsal/messages' }),
    DOCUMENTS: JSON.stringify({ url: 'http://store:8333/documents', region: 'us-east-1', ...store }),
    // The driver that `stock` adds has no phone, and would go off duty after half an hour.
    DISPATCH_WAITS: JSON.stringify({ offerSeconds: 60, candidateSeconds: 900, lookSeconds: 10, silenceSeconds: null }),
    SQLD_AUTH_JWT_KEY: x,
    LIBSQL_ADMIN_AUTH_KEY: adminKey,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

/** Single quotes, so that neither a shell nor Compose nor systemd changes anything in a value. */
export function settingsText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n');
}

/**
 * Creates the bucket, unless it exists, and uses it once. Object stores report some failures only in their own log, so
 * the answer to the creation proves nothing.
 */
export async function prepareBucket(bucket: S3Bucket): Promise<void> {
  const { url: address, ...credentials } = bucket;
  const order = { ...credentials, service: 's3', method: 'PUT', url: address };
  const signer = new AwsV4Signer({ ...order, headers: { 'x-amz-content-sha256': await sha256Hex(new Uint8Array()) } });
  const { url, headers } = await signer.sign();
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const { status } = await fetch(url, { method: 'PUT', headers, signal }).catch((error: unknown) => {
    throw new SetupError(`${address} does not answer (${messageOf(error)}).`);
  });
  const documents = s3Documents(bucket, {
    fetch: (target, init) => fetch(target, init),
    monotonicMs,
    metrics: noMetrics,
    providerReports: new ProviderReports(monotonicMs),
    clock: new SystemClock(),
  });
  const { isFault } = await checkDocuments({ documents, random: systemRandom });
  if (!isFault) return;
  throw new SetupError(`${address} does not keep files: its creation was answered ${status}. Look at the store's log.`);
}

const ANSWER_TIMEOUT_MS = 10_000;
const CITY = 'RUH';
/** A tariff starts at least two minutes after it is published. */
const TARIFF_LEAD_MS = 125_000;
const STOCK_TIMEOUT_MS = 300_000;
const POLL_MS = 2000;

type Call = (procedure: string, input: unknown) => Promise<unknown>;

/** Adds what shipments still need, each once, and resolves when they are possible. */
async function stock(baseUrl: string, call: Call, shard: string): Promise<void> {
  const missing = await missingAt(baseUrl);
  if (missing.includes('TARIFF') && z.array(z.unknown()).parse(await call('tariffs.list', undefined)).length === 0)
    await call('tariffs.publish', tariffFrom(new Date(Date.now() + TARIFF_LEAD_MS)));
  if (missing.includes('SERVICE_LEVEL')) await call('serviceLevels.create', { shard, ...SERVICE_LEVEL });
  if (missing.includes('DRIVER')) {
    const made = await call('drivers.create', { shard, ...DRIVER });
    const { driverId } = z.object({ driverId: z.string() }).parse(made);
    await call('drivers.setDuty', { shard, driverId, version: 0, onDuty: true });
  }
  const deadline = Date.now() + STOCK_TIMEOUT_MS;
  for (let left = missing; left.length > 0; left = await missingAt(baseUrl)) {
    if (Date.now() > deadline) throw new SetupError(`Shipments are still not possible: ${left.join(', ')} missing.`);
    await delay(POLL_MS);
  }
}

function tariffFrom(start: Date) {
  const amounts = { baseAmount: '15', kilometreAmount: '1.5', vatRate: '0.15', cancellationAmount: '5' };
  return { effectiveFrom: start.toISOString(), ...amounts, cities: [{ cityCode: CITY, surcharge: '0' }] };
}

const SERVICE_LEVEL = {
  code: 'STANDARD',
  capabilities: [],
  weightKilogramsMax: '30',
  lengthCentimetresMax: '120',
  cities: [CITY],
  rank: 1,
};
const DRIVER = {
  phone: '0509876543',
  firstName: 'Majed',
  vehicleType: 'CAR',
  capabilities: [],
  weightKilogramsMax: '200',
  lengthCentimetresMax: '200',
  cityCode: CITY,
  activeMax: 5,
};

const readiness = z.object({ shipments: z.object({ missing: z.array(z.string()) }) });

async function missingAt(baseUrl: string): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/ready`).catch((error: unknown) => {
    throw new SetupError(`${baseUrl} does not answer (${messageOf(error)}).`);
  });
  return readiness.parse(await response.json()).shipments.missing;
}

/** Calls procedures of operators with a program's token. */
async function callAs(baseUrl: string, clientId: string, clientSecret: string): Promise<Call> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const granted = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (!granted.ok) throw new SetupError(`POST /oauth/token answered ${granted.status}: ${await granted.text()}`);
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await granted.json());
  return async (procedure, input) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = input === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(input) };
    const response = await fetch(`${baseUrl}/trpc/operations.${procedure}`, init);
    if (!response.ok) throw new SetupError(`${procedure} answered ${response.status}: ${await response.text()}`);
    return z.object({ result: z.object({ data: z.unknown() }) }).parse(await response.json()).result.data;
  };
}

const secrets = environment.pick({ DEPLOYMENT: true, CREDENTIAL_KEYS: true });

async function stockFromCommandLine(baseUrl: string): Promise<void> {
  const { DEPLOYMENT: deployment, CREDENTIAL_KEYS } = secrets.parse(process.env);
  if (deployment === 'production') throw new SetupError('On production operators publish tariffs, at /operations.');
  if ((await missingAt(baseUrl)).length === 0) return;
  const [directory, shard] = requireDatabases(process.env);
  if (directory === undefined || shard === undefined) throw new SetupError(USAGE);
  const [credentialKey] = CREDENTIAL_KEYS;
  const name = `stock-${randomBytes(4).toString('hex')}`;
  const { clientId, clientSecret } = await createProgram(directory, { name, deployment, credentialKey });
  await stock(baseUrl, await callAs(baseUrl, clientId, clientSecret), shard.id);
}

async function runFromCommandLine(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { base: { type: 'string' } }, allowPositionals: true });
  const [action] = positionals;
  if (action === 'settings') console.log(settingsText(await newSettings()));
  else if (action === 'bucket') await prepareBucket(bucketOf(process.env['DOCUMENTS']));
  else if (action === 'stock' && values.base !== undefined) await stockFromCommandLine(values.base);
  else throw new SetupError(USAGE);
}

function bucketOf(variable: string | undefined): S3Bucket {
  const { data } = environment.shape.DOCUMENTS.safeParse(variable);
  if (data === undefined || 'folder' in data) throw new SetupError('DOCUMENTS is not the address of a bucket.');
  return data;
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
