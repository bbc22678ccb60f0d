import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BatchCond, type BatchStep, type Client, openHttp } from '@libsql/hrana-client';
import * as z from 'zod';
import { messageOf, SetupError } from './setup-error.ts';

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
/** One migration is one request. Rebuilding a table of millions of rows takes minutes, and `fetch` itself gives up at 300 s. */
const REQUEST_TIMEOUT_MS = 290_000;

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

interface BoundStatement {
  readonly sql: string;
  readonly args: readonly (string | number)[];
}

/** Runs the statements as one transaction, waiting for the write lock; throws the first step's error. */
async function runTransaction(client: Client, statements: readonly BoundStatement[]): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    const error = await tryOnce(client, statements);
    if (error === undefined) return;
    if (!/SQLITE_BUSY|database is locked/i.test(error.message) || performance.now() > deadline) throw error;
    await delay(BUSY_PAUSE_MS);
  }
}

/** Another migration holds the write lock for as long as it runs, at most the 5 s that sqld gives a transaction. */
const BUSY_TIMEOUT_MS = 15_000;
const BUSY_PAUSE_MS = 100;

/** Undefined when all of it was committed; else why none of it was. */
async function tryOnce(client: Client, statements: readonly BoundStatement[]): Promise<Error | undefined> {
  const stream = client.openStream();
  const batch = stream.batch(false);
  const results: Promise<unknown>[] = [];
  const add = (step: BatchStep, { sql, args }: BoundStatement) => {
    results.push(step.run([sql, [...args]]));
    return step;
  };
  const inTransaction = () => BatchCond.not(BatchCond.isAutocommit(batch));
  const then = (previous: BatchStep) => batch.step().condition(BatchCond.ok(previous)).condition(inTransaction());

  // A table that is made anew is dropped on the way: references to it must not be followed meanwhile.
  add(batch.step(), plain('PRAGMA foreign_keys = off'));
  let last = add(batch.step(), plain('BEGIN IMMEDIATE'));
  for (const statement of statements) last = add(then(last), statement);
  const commit = add(then(last), plain('COMMIT'));
  add(
    batch
      .step()
      .condition(BatchCond.not(BatchCond.ok(commit)))
      .condition(inTransaction()),
    plain('ROLLBACK'),
  );

  const settled = Promise.allSettled(results);
  const executed = batch.execute();
  stream.closeGracefully();
  await executed;
  return firstFailure(await settled, results.length - 2);
}

function plain(sql: string): BoundStatement {
  return { sql, args: [] };
}

/** The answer is 200 even when steps failed, and a skipped step has no result: every one of them is looked at. */
function firstFailure(results: readonly PromiseSettledResult<unknown>[], commit: number): Error | undefined {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) return failed.reason instanceof Error ? failed.reason : new Error('a step failed');
  const committed = results[commit];
  const isCommitted = committed?.status === 'fulfilled' && committed.value !== undefined;
  return isCommitted ? undefined : new Error('the transaction was ended before its COMMIT');
}
