import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { count, decimal, instant } from '../../columns.ts';

/** What deliveries cost, by version. A version that has begun never changes; a new one begins later. */
export const tariffs = sqliteTable(
  'tariffs',
  {
    version: count().primaryKey(),
    effectiveFrom: instant('effective_from').notNull(),
    currency: text().notNull(),
    baseAmount: decimal('base_amount').notNull(),
    /** For each started kilometre. */
    kilometreAmount: decimal('kilometre_amount').notNull(),
    vatRate: decimal('vat_rate').notNull(),
    cancellationAmount: decimal('cancellation_amount').notNull(),
    /** JSON object: surcharge by city code, as decimal strings. The cities in it are the ones that are served. */
    citySurcharges: text('city_surcharges').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // The tariff in force at an instant.
    index('tariffs_effective_from').on(table.effectiveFrom),
  ],
);
