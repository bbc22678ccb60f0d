import { environment } from '../../src/service/environment.ts';
import { BASE_URL, connect, type EnvironmentFacts, type OwnEnvironment } from './connection.ts';
import { type Databases, startDatabases } from './databases.ts';
import { newKey256, newSigningKey } from './keys.ts';
import type { SqldServer } from './mortal-sqld.ts';
import { seed } from './seed.ts';
import { type Runtime, type Service, startService } from './service.ts';

export type { OwnEnvironment, TestCompany } from './connection.ts';

type Variables = Readonly<Record<string, string>>;
type Start = (all: Variables) => Promise<Service>;

/** Starts databases, companies and the service. `variables` replace or extend those of the service. */
export async function startEnvironment(
  runtime: Runtime,
  variables: Variables = {},
  start: Start = (all) => startService(runtime, all),
): Promise<OwnEnvironment> {
  const databases = await startDatabases(environment.shape.DEPLOYMENT.parse(variables['DEPLOYMENT'] ?? 'local'));
  try {
    return await startOn(databases, { runtime, variables, start });
  } catch (error) {
    await databases.stop();
    throw error;
  }
}

async function startOn(
  databases: Databases,
  { runtime, variables, start }: { readonly runtime: Runtime; readonly variables: Variables; readonly start: Start },
): Promise<OwnEnvironment> {
  const credentialKey = newKey256();
  // These Workers count with bindings, and refuse other limits than those of wrangler.toml.
  const hasBindings = runtime === 'worker' && (variables['DEPLOYMENT'] ?? 'local') !== 'local';
  const shards = (['shard-1', 'shard-2'] as const).map((id) => addressOf(databases.shards[id]));
  const demo = await seed({ directoryUrl: databases.directory.url, shards, deployment: 'local', credentialKey });
  let current = {
    DEPLOYMENT: 'local',
    BASE_URL,
    LIBSQL_DIRECTORY: JSON.stringify({ url: databases.directory.url, adminUrl: databases.directory.adminUrl }),
    LIBSQL_SHARDS: JSON.stringify(shards),
    LIBSQL_LOGS: JSON.stringify({ url: databases.logs.url }),
    LIBSQL_DURABILITY: 'strong',
    TOKEN_SIGNING_KEYS: JSON.stringify([await newSigningKey()]),
    CREDENTIAL_KEYS: JSON.stringify([credentialKey]),
    CURSOR_KEYS: JSON.stringify([newKey256()]),
    PRICE_LOCK_KEYS: JSON.stringify([newKey256()]),
    WEBHOOK_KEYS: JSON.stringify([{ kid: 'test', key: newKey256() }]),
    // Drivers of tests are rows without a phone.
    DISPATCH_WAITS: JSON.stringify({ offerSeconds: 60, candidateSeconds: 900, lookSeconds: 10, silenceSeconds: null }),
    RATE_LIMITS: JSON.stringify({
      ...(hasBindings ? {} : { reads: 1e6, writes: 1e6, estimates: 1e6, tokens: 1e6, tracking: 1e6 }),
      // All tests share one address, but each uses new phones and e-mail addresses.
      ...{ failures: 1e6, codes: 5, codesOfAddress: 1e6, recipientCodes: 1e6, registrations: 1e6 },
    }),
    ...(hasBindings ? { LOCATION_HINT: 'weur' } : {}),
    // On Workers documents are stored in the R2 bucket.
    ...(runtime === 'deno' ? { DOCUMENTS: JSON.stringify({ folder: databases.documents }) } : {}),
    ...variables,
  };
  let service = await start(current);
  const [first, second] = demo.companies;
  if (first === undefined || second === undefined) throw new Error('There are fewer than two sample companies');
  const { directory } = databases;
  const facts: EnvironmentFacts = {
    runtime,
    address: service.address,
    databaseUrls: {
      directory: directory.url,
      'shard-1': databases.shards['shard-1'].url,
      'shard-2': databases.shards['shard-2'].url,
      logs: databases.logs.url,
    },
    credentialKey,
    signingKeys: current.TOKEN_SIGNING_KEYS,
    companies: [
      { ...first, shard: 'shard-1' },
      { ...second, shard: 'shard-2' },
    ],
    operator: demo.operator,
  };
  return {
    ...connect(facts, () => service.address),
    databases,
    get address() {
      return service.address;
    },
    get service() {
      return service;
    },
    get variables() {
      return current;
    },
    async restart(changes) {
      await service.stop();
      current = { ...current, ...changes };
      service = await start(current);
    },
    async stop() {
      await service.stop();
      await databases.stop();
    },
  };
}

function addressOf({ id, url, adminUrl }: SqldServer) {
  return { id, url, adminUrl };
}
