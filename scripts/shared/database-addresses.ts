import type { DatabaseIdentity } from '../../db/identity.ts';
import { withToken } from '../../src/service/config.ts';
import { environment } from '../../src/service/environment.ts';
import { SetupError } from './setup-error.ts';

/** A database of the service, from its environment variables. */
export interface DatabaseOfService extends DatabaseIdentity {
  readonly url: string;
  readonly authToken?: string | undefined;
  /** sqld's admin address. */
  readonly adminUrl?: string | undefined;
  readonly adminKey?: string | undefined;
}

const variables = environment.pick({
  DEPLOYMENT: true,
  LIBSQL_DIRECTORY: true,
  LIBSQL_SHARDS: true,
  LIBSQL_TOKEN: true,
});

/** The database of the request log, of LIBSQL_LOGS. Undefined if that is not set. */
export function readLogDatabase(own: NodeJS.ProcessEnv): DatabaseOfService | undefined {
  const { LIBSQL_LOGS, DEPLOYMENT: deployment } = environment.pick({ LIBSQL_LOGS: true, DEPLOYMENT: true }).parse(own);
  return LIBSQL_LOGS === undefined ? undefined : { kind: 'logs', id: 'logs', deployment, ...LIBSQL_LOGS };
}

/** The directory, then the shards, of LIBSQL_DIRECTORY and LIBSQL_SHARDS. Undefined if these are not set. */
export function readDatabases(own: NodeJS.ProcessEnv): DatabaseOfService[] | undefined {
  if (own['LIBSQL_DIRECTORY'] === undefined || own['LIBSQL_SHARDS'] === undefined) return undefined;
  const read = variables.safeParse(own);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new SetupError(`The variables of the databases are not valid. ${faults.join('; ')}`);
  }
  const { DEPLOYMENT: deployment, LIBSQL_DIRECTORY, LIBSQL_SHARDS, LIBSQL_TOKEN } = read.data;
  return [
    { kind: 'directory', id: 'directory', deployment, ...withToken(LIBSQL_DIRECTORY, LIBSQL_TOKEN) },
    ...LIBSQL_SHARDS.map((address) => ({ kind: 'shard' as const, deployment, ...withToken(address, LIBSQL_TOKEN) })),
  ];
}

/** As above. Throws if the variables are not set. */
export function requireDatabases(own: NodeJS.ProcessEnv): DatabaseOfService[] {
  const databases = readDatabases(own);
  if (databases === undefined) {
    throw new SetupError("Set LIBSQL_DIRECTORY and LIBSQL_SHARDS to the service's values.");
  }
  return databases;
}

/** The service's variables with other addresses of its databases. */
export async function replaceDatabaseUrls(
  own: Readonly<Record<string, string>>,
  urlOf: (id: string, url: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const { LIBSQL_DIRECTORY, LIBSQL_SHARDS } = variables.parse(own);
  const shards = LIBSQL_SHARDS.map(async (shard) => ({ ...shard, url: await urlOf(shard.id, shard.url) }));
  const directory = { ...LIBSQL_DIRECTORY, url: await urlOf('directory', LIBSQL_DIRECTORY.url) };
  return {
    ...own,
    LIBSQL_DIRECTORY: JSON.stringify(directory),
    LIBSQL_SHARDS: JSON.stringify(await Promise.all(shards)),
  };
}
