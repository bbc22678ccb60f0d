import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { ADDRESS_SOURCES, ADDRESS_STATUSES } from '../../../src/contract/address-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Rows for which the registry was asked and did not answer. */
export const IS_UNANSWERED = sql.raw("status = 'UNVERIFIED' and check_attempts > 0 and short_address is not null");

/** The National Address of a shipment's destination. A shipment without a row has none, with version 0. */
export const nationalAddresses = sqliteTable(
  'national_addresses',
  {
    shipmentId: uuid('shipment_id')
      .primaryKey()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    /** Null after the recipient has been forgotten. */
    shortAddress: text('short_address'),
    status: oneOf(ADDRESS_STATUSES)().notNull(),
    source: oneOf(ADDRESS_SOURCES)().notNull(),
    /** JSON of the registry's answer; decimals are strings. */
    found: text(),
    /** Between the registry's location and the shipment's destination. */
    distanceMeters: count('distance_meters'),
    checkedAt: instant('checked_at'),
    /** When the registry is asked next, in real time. Null if it is not. */
    checkDueAt: instant('check_due_at'),
    /** How often the registry did not answer. */
    checkAttempts: count('check_attempts').notNull().default(0),
    version: count().notNull(),
  },
  (table) => [
    // Sweep: addresses to check. Partial, so that it has only those.
    index('national_addresses_due').on(table.checkDueAt).where(sql`${table.checkDueAt} is not null`),
    // Operators: the registry was asked and did not answer. Partial, so that no creation writes it.
    index('national_addresses_unanswered').on(table.status).where(IS_UNANSWERED),
  ],
);
