import { parseArgs } from 'node:util';
import * as z from 'zod';
import { DATABASE_KINDS } from '../../db/identity.ts';
import { environment as rules } from '../../src/service/environment.ts';
import { failWith } from '../shared/command.ts';
import { readDatabases, readLogDatabase } from '../shared/database-addresses.ts';
import { type MigrateOptions, migrate } from '../shared/migrate.ts';
import { requireIdentity } from '../shared/require-identity.ts';
import { SetupError } from '../shared/setup-error.ts';

const USAGE = `Brings libSQL databases to the newest migration.

  npm run db:migrate -- --kind directory|shard|logs [--id shard-1] --url URL [--auth-token-env NAME]
      One database, of the deployment in DEPLOYMENT. --id is that of a shard in LIBSQL_SHARDS. NAME is the environment variable that holds its token, so that the token is in no process list.
  npm run db:migrate
      All of them, when DEPLOYMENT, LIBSQL_DIRECTORY, LIBSQL_SHARDS and LIBSQL_LOGS are set as for the service.

  --service-stopped also runs migrations that must not run beside the service.`;

const address = z.url({ protocol: /^https?$/ });

/** The databases that the command line or the environment names. Undefined if they name none. */
function readTargets(environment: NodeJS.ProcessEnv): MigrateOptions[] | undefined {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      kind: option,
      id: option,
      url: option,
      'auth-token-env': option,
      'service-stopped': { type: 'boolean' },
    },
  });
  const { kind: kindName, id, url, 'auth-token-env': tokenName, 'service-stopped': isServiceStopped = false } = values;
  if (kindName === undefined && url === undefined) {
    const databases = readDatabases(environment);
    const logs = readLogDatabase(environment);
    const all = databases === undefined || logs === undefined ? databases : [...databases, logs];
    return all?.map((database) => ({ ...database, isServiceStopped }));
  }
  const kind = DATABASE_KINDS.find((one) => one === kindName);
  if (kind === undefined || url === undefined || (kind === 'shard') !== (id !== undefined)) return undefined;
  const deployment = rules.shape.DEPLOYMENT.safeParse(environment['DEPLOYMENT']);
  if (!deployment.success) throw new SetupError("Set DEPLOYMENT to the service's value; the database keeps it.");
  if (!address.safeParse(url).success)
    throw new SetupError(`--url ${url} is not an address; give http://… or https://….`);
  const authToken = tokenName === undefined ? undefined : environment[tokenName];
  if (tokenName !== undefined && authToken === undefined) throw new SetupError(`The variable ${tokenName} is not set.`);
  return [{ kind, id: id ?? kind, deployment: deployment.data, url, authToken, isServiceStopped }];
}

async function runFromCommandLine(): Promise<void> {
  const targets = readTargets(process.env);
  if (targets === undefined) throw new SetupError(USAGE);
  // All are asked before one is changed.
  for (const target of targets) await requireIdentity(target, 'mayBeNew');
  for (const target of targets) {
    const applied = await migrate(target);
    console.log(`${target.kind} at ${target.url}: ${applied.length === 0 ? 'nothing to do' : applied.join(', ')}`);
  }
}

await runFromCommandLine().catch(failWith);
