import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../columns.ts';

/** Tenants, and the shard that holds everything each of them operates. */
export const companies = sqliteTable('companies', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  shard: text().notNull(),
  createdAt: instant('created_at').notNull(),
});
