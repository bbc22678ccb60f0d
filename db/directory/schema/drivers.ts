import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../columns.ts';

/** Which shard a driver works in, by the phone that they sign in with. */
export const driverPhones = sqliteTable('driver_phones', {
  /** E.164. */
  phone: text().primaryKey(),
  driverId: uuid('driver_id').notNull(),
  shard: text().notNull(),
  createdAt: instant('created_at').notNull(),
});
