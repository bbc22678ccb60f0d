import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { count, decimal, instant } from '../../columns.ts';

/** Prices of deliveries, by version. A version in force never changes; a new one starts later. */
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
    /** A cancellation is free for this long after a driver has accepted. */
    cancellationGraceSeconds: count('cancellation_grace_seconds').notNull().default(0),
    /** A cancellation is free from this long after the pickup window if the driver has not come. Null: never. */
    lateCancellationSeconds: count('late_cancellation_seconds').default(3600),
    /** The longest time that a price can be held. */
    lockSecondsMax: count('lock_seconds_max').notNull().default(86_400),
    /** A destination may be moved this far from the priced one without a new price. */
    amendmentFreeMeters: count('amendment_free_meters').notNull().default(0),
    /** What carrying a parcel back, and delivering it again, cost: shares of the first shipment's price. */
    returnRate: decimal('return_rate').notNull().default(literalDecimal('1')),
    redeliveryRate: decimal('redelivery_rate').notNull().default(literalDecimal('1')),
    /** JSON object: surcharge by city code, as decimal strings. Its cities are the served ones. */
    citySurcharges: text('city_surcharges').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // The tariff in force at an instant.
    index('tariffs_effective_from').on(table.effectiveFrom),
  ],
);
