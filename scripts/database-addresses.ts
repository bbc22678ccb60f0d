import * as z from 'zod';
import { messageOf, SetupError } from './setup-error.ts';

/** A database of the service, as its environment names it. */
export interface DatabaseOfService {
  readonly kind: 'directory' | 'shard';
  /** `directory`, or the shard's own. */
  readonly id: string;
  readonly url: string;
  readonly authToken?: string | undefined;
  /** sqld's admin address. */
  readonly adminUrl?: string | undefined;
}

const directory = z.object({
  url: z.url({ protocol: /^https?$/ }),
  authToken: z.string().optional(),
  adminUrl: z.string().optional(),
});
const shard = directory.extend({ id: z.string() });

/** The directory and then the shards of LIBSQL_DIRECTORY and LIBSQL_SHARDS; undefined when they are not set. */
export function readDatabases(environment: NodeJS.ProcessEnv): DatabaseOfService[] | undefined {
  const { LIBSQL_DIRECTORY, LIBSQL_SHARDS } = environment;
  if (LIBSQL_DIRECTORY === undefined || LIBSQL_SHARDS === undefined) return undefined;
  try {
    const shards = z.array(shard).parse(JSON.parse(LIBSQL_SHARDS));
    return [
      { kind: 'directory', id: 'directory', ...directory.parse(JSON.parse(LIBSQL_DIRECTORY)) },
      ...shards.map((address) => ({ kind: 'shard' as const, ...address })),
    ];
  } catch (error) {
    throw new SetupError(`LIBSQL_DIRECTORY and LIBSQL_SHARDS are not as the service wants them: ${messageOf(error)}`);
  }
}

/** The same, where nothing can be done without them. */
export function requireDatabases(environment: NodeJS.ProcessEnv): DatabaseOfService[] {
  const databases = readDatabases(environment);
  if (databases === undefined) {
    throw new SetupError('Set LIBSQL_DIRECTORY and LIBSQL_SHARDS as the service has them.');
  }
  return databases;
}
