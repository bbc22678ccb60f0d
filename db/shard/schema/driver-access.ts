import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../columns.ts';
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

/** Accesses of drivers to a recipient's name and phone. */
export const recipientLooks = sqliteTable(
  'recipient_looks',
  {
    id: uuid().primaryKey(),
    driverId: uuid('driver_id').notNull(),
    shipmentId: uuid('shipment_id').notNull(),
    lookedAt: instant('looked_at').notNull(),
  },
  (table) => [
    // Who has seen a recipient's data.
    index('recipient_looks_of_shipment').on(table.shipmentId, table.lookedAt),
  ],
);
