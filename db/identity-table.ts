import { sql } from 'drizzle-orm';
import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DEPLOYMENTS } from '../src/core/deployment.ts';
import { count, isOneOf, oneOf } from './columns.ts';
import { DATABASE_KINDS } from './identity.ts';

/** One row: who the database is. Every kind of database has this table. */
export const databaseIdentity = sqliteTable(
  'database_identity',
  {
    only: count().primaryKey(),
    kind: oneOf(DATABASE_KINDS)().notNull(),
    /** `directory`, `logs` or the id of the shard. */
    id: text().notNull(),
    deployment: oneOf(DEPLOYMENTS)().notNull(),
  },
  (table) => [
    check('database_identity_only', sql`${table.only} = 1`),
    check('database_identity_kind', isOneOf(table.kind, DATABASE_KINDS)),
    check('database_identity_deployment', isOneOf(table.deployment, DEPLOYMENTS)),
  ],
);
