import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BatchCond, type BatchStep, type Client, openHttp } from '@libsql/hrana-client';
import * as z from 'zod';
import type { DatabaseIdentity } from '../../db/identity.ts';
import { requireIdentity } from './require-identity.ts';
import { messageOf, SetupError } from './setup-error.ts';

/** Who the database is, or becomes with its baseline, and where. */
export interface MigrateOptions extends DatabaseIdentity {
  /** The database's address for Hrana over HTTP. */
  readonly url: string;
  readonly authToken?: string | undefined;
  /** Whether the service is stopped, so that migrations which ask for that may run. */
  readonly isServiceStopped?: boolean;
  /** Where the migrations are, if not in `db/{kind}/migrations`. */
  readonly folder?: string;
}

/**
 * Brings a database to the newest migration, and returns the names of the migrations that it applied. Another database, and one
 * that was made from another baseline, are refused before anything is written.
 *
 * Each migration is one transaction that also records it. Two runs at once share the work, because a migration cannot be
 * recorded twice. The record is drizzle's: the same table and hashes. Drizzle's migrator is not used, because it reads the
 * record outside of the transaction, so that of several runs all but one fail. It also sends a Hrana 2 batch, whose
 * conditions cannot ask whether the transaction is still open.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? join(ROOT, 'db', options.kind, 'migrations'));
  const client = openHttp(options.url, options.authToken, fetchInTime, undefined, HRANA_VERSION);
  try {
    // The client asks for the version once, and then knows which conditions it may use.
    await client.getVersion();
    await requireIdentity(options, 'mayBeNew');
    await refuseOtherBaseline(client, options, migrations);
    await runTransaction(client, JOURNAL);
    const applied: string[] = [];
    for (const [index, migration] of migrations.entries()) {
      // The baseline creates the table, so its transaction also says who the database is.
      const after = index === 0 ? [identityRow(options)] : [];
      if (await apply(client, { migration, after }, options)) applied.push(migration.name);
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

/** The first version with a condition on an open transaction. */
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
  /** Why the service has to be stopped while the migration runs. Undefined if it runs beside the service. */
  readonly stopReason: string | undefined;
}

const ROOT = join(import.meta.dirname, '..', '..');
/** The first line of a migration that must not run beside the service. */
const STOP_SERVICE = /^-- Stop the service: (.+)$/m;

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.int() })) });

/** The migrations of drizzle-kit in a folder, oldest first. */
function readMigrations(folder: string): Migration[] {
  const { entries } = journal.parse(JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')));
  return entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    const stopReason = STOP_SERVICE.exec(text)?.[1];
    return { name: tag, createdAt: when, hash, statements: text.split('--> statement-breakpoint'), stopReason };
  });
}

/** Drizzle's table, and a unique index that drizzle does not have: a migration is recorded once. */
const JOURNAL: readonly BoundStatement[] = [
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  'CREATE UNIQUE INDEX IF NOT EXISTS __drizzle_migrations_once ON __drizzle_migrations (created_at)',
].map((sql) => ({ sql, args: [] }));

const RECORD = 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)';
const RECORDED = 'SELECT hash FROM __drizzle_migrations WHERE created_at = ?';

const FIRST_RECORD = 'SELECT hash FROM __drizzle_migrations ORDER BY created_at LIMIT 1';
const HAS_RECORDS = "SELECT count(*) FROM sqlite_schema WHERE name = '__drizzle_migrations'";

/** The baseline is the first migration. Its hash says which schema all later migrations change. */
async function refuseOtherBaseline(
  client: Client,
  { kind, url }: MigrateOptions,
  [baseline]: readonly Migration[],
): Promise<void> {
  if (Number(await readValue(client, HAS_RECORDS)) === 0) return;
  const hash = await readValue(client, FIRST_RECORD);
  if (typeof hash !== 'string' || hash === baseline?.hash) return;
  throw new SetupError(
    `The ${kind} at ${url} has another baseline (${hash.slice(0, 12)}) than this version ` +
      `(${baseline?.hash.slice(0, 12)}). Nothing was changed. ${OTHER_BASELINE_ADVICE}`,
  );
}

const OTHER_BASELINE_ADVICE =
  'A local service starts anew with npm run dev -- --fresh; for a deployment see "Another baseline" in docs/operations.md.';

async function readValue(client: Client, sql: string, args: readonly (string | number)[] = []): Promise<unknown> {
  const stream = client.openStream();
  const answer = stream.queryValue([sql, [...args]]);
  stream.closeGracefully();
  return (await answer).value;
}

/** Whether this call applied the migration. */
async function apply(
  client: Client,
  { migration, after }: { readonly migration: Migration; readonly after: readonly BoundStatement[] },
  { isServiceStopped = false }: MigrateOptions,
): Promise<boolean> {
  const { name, hash, createdAt, statements, stopReason } = migration;
  if (await isRecorded(client, migration)) return false;
  if (stopReason !== undefined && !isServiceStopped) {
    throw new SetupError(
      `Migration ${name} needs the service stopped: ${stopReason} ` +
        'Stop it and run npm run db:migrate -- --service-stopped. This migration has changed nothing yet.',
    );
  }
  const record = { sql: RECORD, args: [hash, createdAt] };
  try {
    // The record comes first, so that the second of two runs fails before its statements.
    await runTransaction(client, [record, ...statements.map(plain), ...after]);
    return true;
  } catch (error) {
    if (await isRecorded(client, migration)) return false;
    throw new SetupError(`Migration ${name} failed and changed nothing: ${messageOf(error)}.`);
  }
}

async function isRecorded(client: Client, migration: Migration): Promise<boolean> {
  const value = await readValue(client, RECORDED, [migration.createdAt]);
  if (value === undefined || value === null || value === migration.hash) return value === migration.hash;
  throw new SetupError(
    `Migration ${migration.name} was changed after this database had applied it. Write a new migration instead.`,
  );
}

function identityRow({ kind, id, deployment }: DatabaseIdentity): BoundStatement {
  const sql = 'INSERT INTO database_identity (only, kind, id, deployment) VALUES (1, ?, ?, ?)';
  return { sql, args: [kind, id, deployment] };
}

interface BoundStatement {
  readonly sql: string;
  readonly args: readonly (string | number)[];
}

/** Runs the statements as one transaction. Waits for the write lock, and throws the first step's error. */
async function runTransaction(client: Client, statements: readonly BoundStatement[]): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    const error = await tryOnce(client, statements);
    if (error === undefined) return;
    if (!/SQLITE_BUSY|database is locked/i.test(error.message) || performance.now() > deadline) throw error;
    await delay(BUSY_PAUSE_MS);
  }
}

/** Another migration holds the write lock while it runs, at most the 5 s that sqld allows. */
const BUSY_TIMEOUT_MS = 15_000;
const BUSY_PAUSE_MS = 100;

/** Undefined if it was committed, otherwise the reason. */
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

  // A table that is rebuilt is dropped meanwhile, and references to it must not be checked.
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

/** The answer is 200 even if steps failed, and a skipped step has no result. So every step is checked. */
function firstFailure(results: readonly PromiseSettledResult<unknown>[], commit: number): Error | undefined {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) return failed.reason instanceof Error ? failed.reason : new Error('a step failed');
  const committed = results[commit];
  const isCommitted = committed?.status === 'fulfilled' && committed.value !== undefined;
  return isCommitted ? undefined : new Error('the transaction was ended before its COMMIT');
}
