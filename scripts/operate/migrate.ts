import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, openHttp } from '@libsql/hrana-client';
import * as z from 'zod';
import { failWith, isCommand } from '../shared/command.ts';
import { messageOf, SetupError } from '../shared/setup-error.ts';
import { readDatabases } from './database-addresses.ts';
import { type BoundStatement, runTransaction } from './transaction.ts';

export interface MigrateOptions {
  readonly kind: 'directory' | 'shard';
  /** Where the database answers Hrana over HTTP. */
  readonly url: string;
  readonly authToken?: string | undefined;
}

/**
 * Brings a database to the newest migration, and answers the names of those it applied.
 *
 * Each migration is one transaction that also records it: it is there and recorded, or neither. Two runs at once share
 * the work, for a migration cannot be recorded twice. The record is drizzle's, table and hashes; its migrator is not
 * used, for it looks outside the transaction for what is to be done, so that of several at once all but one fail, and
 * sends a Hrana 2 batch, whose conditions cannot ask whether the transaction is still open.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.kind);
  const client = openHttp(options.url, options.authToken, fetchInTime, undefined, HRANA_VERSION);
  try {
    // The client asks once, and knows then what its conditions may say.
    await client.getVersion();
    await runTransaction(client, JOURNAL);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (await apply(client, migration)) applied.push(migration.name);
    }
    return applied;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(
      `The ${options.kind} at ${options.url} is not migrated: ${messageOf(error)}. It is safe to run again.`,
    );
  } finally {
    client.close();
  }
}

/** The first version whose conditions can ask whether the transaction is still there. */
const HRANA_VERSION = 3;
/** sqld ends a transaction after 5 s; a provider may give it longer. */
const REQUEST_TIMEOUT_MS = 60_000;

function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
}

interface Migration {
  readonly name: string;
  readonly createdAt: number;
  readonly hash: string;
  readonly statements: readonly string[];
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.int() })) });

/** What drizzle-kit generated for this kind of database, oldest first. */
function readMigrations(kind: MigrateOptions['kind']): Migration[] {
  const folder = join(import.meta.dirname, '..', '..', 'db', kind, 'migrations');
  const { entries } = journal.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')));
  return entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    return { name: tag, createdAt: when, hash, statements: text.split('--> statement-breakpoint') };
  });
}

/** Drizzle's table, and what drizzle does not ask for: that a migration is recorded once. */
const JOURNAL: readonly BoundStatement[] = [
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  'CREATE UNIQUE INDEX IF NOT EXISTS __drizzle_migrations_once ON __drizzle_migrations (created_at)',
].map((sql) => ({ sql, args: [] }));

const RECORD = 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)';
const RECORDED = 'SELECT hash FROM __drizzle_migrations WHERE created_at = ?';

/** Whether it was this call that applied the migration. */
async function apply(client: Client, migration: Migration): Promise<boolean> {
  const { name, hash, createdAt, statements } = migration;
  if (await isRecorded(client, migration)) return false;
  const record = { sql: RECORD, args: [hash, createdAt] };
  try {
    // The record goes first: whoever comes second then fails before anything is done twice.
    await runTransaction(client, [record, ...statements.map((sql) => ({ sql, args: [] }))]);
    return true;
  } catch (error) {
    if (await isRecorded(client, migration)) return false;
    throw new SetupError(`Migration ${name} failed and changed nothing: ${messageOf(error)}.`);
  }
}

async function isRecorded(client: Client, migration: Migration): Promise<boolean> {
  const stream = client.openStream();
  const answer = stream.queryValue([RECORDED, [migration.createdAt]]);
  stream.closeGracefully();
  const { value } = await answer;
  if (value === undefined || value === null || value === migration.hash) return value === migration.hash;
  const advice =
    'write a new migration instead, or empty a database that holds nothing of worth (npm run dev -- --fresh)';
  throw new SetupError(`Migration ${migration.name} was changed after this database had applied it; ${advice}.`);
}

const USAGE = `Brings libSQL databases to the newest migration.

  npm run db:migrate -- --kind directory|shard --url URL [--auth-token-env NAME]
      One database. NAME is the environment variable that holds its token, so that the token is in no process list.
  npm run db:migrate
      All of them, when LIBSQL_DIRECTORY and LIBSQL_SHARDS are set as for the service.`;

const address = z.url({ protocol: /^https?$/ });

/** What the command line and the environment ask for; undefined when they ask for nothing. */
function readTargets(environment: NodeJS.ProcessEnv): MigrateOptions[] | undefined {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({ options: { kind: option, url: option, 'auth-token-env': option } });
  const { kind, url, 'auth-token-env': tokenName } = values;
  if (kind === undefined && url === undefined) return readDatabases(environment);
  if ((kind !== 'directory' && kind !== 'shard') || url === undefined) return undefined;
  if (!address.safeParse(url).success)
    throw new SetupError(`--url ${url} is not an address; give http://… or https://….`);
  const authToken = tokenName === undefined ? undefined : environment[tokenName];
  if (tokenName !== undefined && authToken === undefined) throw new SetupError(`The variable ${tokenName} is not set.`);
  return [{ kind, url, authToken }];
}

async function runFromCommandLine(): Promise<void> {
  const targets = readTargets(process.env);
  if (targets === undefined) throw new SetupError(USAGE);
  for (const target of targets) {
    const applied = await migrate(target);
    console.log(`${target.kind} at ${target.url}: ${applied.length === 0 ? 'nothing to do' : applied.join(', ')}`);
  }
}

if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
