import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { decimal, instant } from '../../columns.ts';

/**
 * Answers of the registry of national addresses, by short code. A code without a place is one that the registry did not know. They
 * describe places and never people.
 */
export const registryAddresses = sqliteTable(
  'registry_addresses',
  {
    shortAddress: text('short_address').primaryKey(),
    buildingNumber: text('building_number'),
    street: text(),
    district: text(),
    city: text(),
    postalCode: text('postal_code'),
    additionalNumber: text('additional_number'),
    latitude: decimal(),
    longitude: decimal(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    // Sweep.
    index('registry_addresses_expires_at').on(table.expiresAt),
  ],
);

/** Calls of the registry, which the quota of the deployment counts. */
export const registryCalls = sqliteTable('registry_calls', { calledAt: instant('called_at').notNull() }, (table) => [
  // Calls within a window, and the sweep.
  index('registry_calls_called_at').on(table.calledAt),
]);
