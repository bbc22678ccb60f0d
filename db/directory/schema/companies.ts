import { sql } from 'drizzle-orm';
import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { count, instant, uuid } from '../../columns.ts';

/** Tenants, and the shard that holds everything each of them operates. */
export const companies = sqliteTable('companies', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  /** The name as searches compare it: see src/core/folded.ts. */
  foldedName: text('folded_name').notNull().default(''),
  shard: text().notNull(),
  /** Entered by an owner. Null until then. */
  vatNumber: text('vat_number'),
  createdAt: instant('created_at').notNull(),
});

/**
 * The suspensions of companies. A company is suspended while one of them has no end. Rows are never deleted, so they also
 * say who suspended and resumed a company, and why.
 */
export const companySuspensions = sqliteTable(
  'company_suspensions',
  {
    companyId: uuid('company_id')
      .notNull()
      .references(() => companies.id),
    /** The company's version since this suspension: 1, 3, 5, … The end of the suspension adds one. */
    version: count().notNull(),
    since: instant().notNull(),
    /** The operator's person id, or the client of a program. */
    suspendedBy: text('suspended_by').notNull(),
    reason: text().notNull(),
    endedAt: instant('ended_at'),
    endedBy: text('ended_by'),
    endReason: text('end_reason'),
  },
  (table) => [
    // Of two operators who act at once, only one can insert the next version.
    primaryKey({ columns: [table.companyId, table.version] }),
    // Token endpoint, checks of tokens and sessions: nearly always empty.
    uniqueIndex('company_suspensions_open').on(table.companyId).where(sql`${table.endedAt} is null`),
  ],
);
