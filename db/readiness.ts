import { eq, sql } from 'drizzle-orm';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import directoryJournal from './directory/migrations/meta/_journal.json' with { type: 'json' };
import shardJournal from './shard/migrations/meta/_journal.json' with { type: 'json' };
import { queries, read } from './statement.ts';

/** The table in which drizzle records applied migrations. */
const migrations = sqliteTable('__drizzle_migrations', { createdAt: integer('created_at').notNull() });

const LATEST = { directory: latestOf(directoryJournal), shard: latestOf(shardJournal) } as const;
/** `PRAGMA synchronous`: 2 is FULL, every commit reaches the disk. */
const SYNCHRONOUS_FULL = 2;

/** A newer version may have applied further migrations. A database of another baseline has no record of this instant. */
const selectLatest = read({ createdAt: migrations.createdAt }, (columns) =>
  queries
    .select(columns)
    .from(migrations)
    .where(eq(migrations.createdAt, sql.placeholder('latest')))
    .limit(1),
);
const selectSynchronous = {
  sql: 'SELECT synchronous FROM pragma_synchronous',
  args: [],
  decode: ([value]: readonly unknown[]) => Number(value),
};

/** The readiness of one database. */
export interface DatabaseReadiness {
  readonly database: string;
  readonly answers: boolean;
  /** What was expected and what was found, if another database answered. */
  readonly mismatch?: string;
  readonly migrationsCurrent: boolean;
  readonly durabilityStrong: boolean;
  readonly writable: boolean;
}

interface Expected {
  readonly kind: keyof typeof LATEST;
  readonly requireDurable: boolean;
  /** Asks the database's writer. */
  readonly isWritable: (databaseId: string) => Promise<boolean>;
}

const NOTHING = { answers: false, migrationsCurrent: false, durabilityStrong: false, writable: false } as const;

/** Checks whether one database answers, has the latest migration, syncs its commits and takes writes. */
export async function readinessOf(
  database: Database,
  { kind, requireDurable, isWritable }: Expected,
): Promise<DatabaseReadiness> {
  const nothing = { database: database.id, ...NOTHING };
  try {
    // A provider that guarantees durability may not know the pragma. A connection keeps the sync setting that it was opened with, so the
    // check needs a new one.
    const durability = requireDurable ? [selectSynchronous] : [];
    const answer = await database.readAll([selectLatest({ latest: LATEST[kind] }), ...durability], {
      isFresh: requireDurable,
    });
    const mismatch = database.mismatch();
    if (mismatch !== undefined) return { ...nothing, answers: true, mismatch };
    if (!answer.ok) return nothing;
    const writable = await isWritable(database.id);
    const [latest, synchronous] = answer.results;
    return {
      database: database.id,
      answers: true,
      migrationsCurrent: latest?.[0] !== undefined,
      durabilityStrong: !requireDurable || Number(synchronous?.[0]) >= SYNCHRONOUS_FULL,
      writable,
    };
  } catch {
    const mismatch = database.mismatch();
    if (mismatch !== undefined) return { ...nothing, answers: true, mismatch };
    // A database without migrations has no such table, but it does answer.
    return { ...nothing, answers: true };
  }
}

function latestOf(journal: { readonly entries: readonly { readonly when: number }[] }): number {
  return Math.max(...journal.entries.map((entry) => entry.when));
}
