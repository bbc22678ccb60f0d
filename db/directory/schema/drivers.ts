import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { count, instant, uuid } from '../../columns.ts';

/** Which shard a driver works in, by the phone he signs in with. */
export const driverPhones = sqliteTable('driver_phones', {
  /** E.164. */
  phone: text().primaryKey(),
  driverId: uuid('driver_id').notNull(),
  shard: text().notNull(),
  createdAt: instant('created_at').notNull(),
});

/**
 * Codes asked for by drivers who sign in. Only a keyed HMAC of each is kept. A phone of nobody gets a row too, without a
 * driver: it is counted and answered like any other.
 */
export const driverChallenges = sqliteTable(
  'driver_challenges',
  {
    id: uuid().primaryKey(),
    /** E.164. */
    phone: text().notNull(),
    driverId: uuid('driver_id'),
    shard: text(),
    /** Set when a company asked for it in its sandbox: only that company may answer it. */
    companyId: uuid('company_id'),
    codeHmac: text('code_hmac').notNull(),
    attempts: count().notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** SHA-256 of the session token that the right code was answered with; null until then. */
    tokenHash: text('token_hash'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // How many were asked for lately.
    index('driver_challenges_of_phone').on(table.phone, table.createdAt),
    // Sweep.
    index('driver_challenges_created_at').on(table.createdAt),
  ],
);
