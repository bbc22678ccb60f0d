import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CHARGE_CODES } from '../../../src/contract/price-estimate.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { count, decimal, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/**
 * The commercial terms and the route of a shipment, frozen in the unit that created it. An amendment of the destination
 * updates the route, so that tracking follows it, but never the terms.
 */
export const shipmentTerms = sqliteTable(
  'shipment_terms',
  {
    shipmentId: uuid('shipment_id')
      .primaryKey()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    tariffVersion: count('tariff_version').notNull(),
    currency: text().notNull(),
    /** JSON array of { code, amount }, net of VAT; amounts are decimal strings. */
    lines: text().notNull(),
    vatRate: decimal('vat_rate').notNull(),
    cancellationAmount: decimal('cancellation_amount').notNull(),
    /** Null for a shipment from before tariffs had these three: it keeps the rules of that time. */
    cancellationGraceSeconds: count('cancellation_grace_seconds'),
    /** Null also if a late driver never makes a cancellation free. */
    lateCancellationSeconds: count('late_cancellation_seconds'),
    lockSecondsMax: count('lock_seconds_max'),
    /** Null for a shipment from before tariffs had it: as 0. */
    amendmentFreeMeters: count('amendment_free_meters'),
    /** Shares of this price that a return, and another attempt, of the parcel cost. */
    returnRate: decimal('return_rate').notNull().default(literalDecimal('1')),
    redeliveryRate: decimal('redelivery_rate').notNull().default(literalDecimal('1')),
    /** At creation. */
    distanceMeters: count('distance_meters').notNull(),
    /** Of the newest destination, as is the line. */
    durationSeconds: count('duration_seconds').notNull(),
    /** Polyline with six digits, from pickup to destination. */
    geometry: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** Of the price lock that the shipment was created with; null without one. */
    lockId: uuid('lock_id'),
    lockedAt: instant('locked_at'),
    lockExpiresAt: instant('lock_expires_at'),
    /** The distance that the charges are for since an amendment was priced; null: that of the creation. */
    pricedDistanceMeters: count('priced_distance_meters'),
  },
  (table) => [
    // One lock, one shipment.
    uniqueIndex('shipment_terms_lock').on(table.companyId, table.lockId).where(sql`${table.lockId} is not null`),
    // Statements: the lines of a company in a month, with all that their sum reads. The rows are long, because of the geometry.
    index('shipment_terms_month').on(table.companyId, table.createdAt, table.shipmentId, table.vatRate, table.lines),
  ],
);

/** Charges after creation. Lines are only added; a refund is a new line with a negative amount. */
export const laterCharges = sqliteTable(
  'later_charges',
  {
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    /** In the order they were added. Each kind of line has its own range: see src/domain/pricing/store.ts. */
    number: count().notNull(),
    companyId: uuid('company_id').notNull(),
    code: oneOf(CHARGE_CODES)().notNull(),
    /** Net of VAT; negative for a refund. */
    amount: decimal().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // The charges of a shipment.
    primaryKey({ columns: [table.shipmentId, table.number] }),
    // Statements.
    index('later_charges_month').on(
      table.companyId,
      table.createdAt,
      table.shipmentId,
      table.number,
      table.code,
      table.amount,
    ),
  ],
);
