import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { count, instant, uuid } from '../../columns.ts';
import { drivers } from './dispatch.ts';

/** Sessions of drivers, by the SHA-256 of their token. */
export const driverSessions = sqliteTable(
  'driver_sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => drivers.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    // Sweep.
    index('driver_sessions_expires_at').on(table.expiresAt),
    // Ends the sessions of a sandbox's drivers.
    index('driver_sessions_of_driver').on(table.driverId),
  ],
);

/** Accesses of drivers to a recipient's name and phone, one for each hour since 1970 in which there was any. */
export const recipientLooks = sqliteTable(
  'recipient_looks',
  {
    shipmentId: uuid('shipment_id').notNull(),
    driverId: uuid('driver_id').notNull(),
    hour: count().notNull(),
    /** The first access in the hour. */
    lookedAt: instant('looked_at').notNull(),
  },
  (table) => [
    // Who has seen a recipient's data.
    primaryKey({ columns: [table.shipmentId, table.driverId, table.hour] }),
    // Sweep.
    index('recipient_looks_looked_at').on(table.lookedAt),
  ],
);
