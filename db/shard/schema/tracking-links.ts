import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { LOCALES } from '../../../src/core/locale.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Links with which people without an account follow a shipment. */
export const trackingLinks = sqliteTable(
  'tracking_links',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token in the link's address, which is kept nowhere. */
    tokenHash: text('token_hash').notNull(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    /** As it was when the link was made: whoever follows it is answered without a look into the directory. */
    merchantName: text('merchant_name').notNull(),
    /** Null for a link that speaks its reader's language. */
    locale: oneOf(LOCALES)(),
    label: text(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    viewCount: count('view_count').notNull(),
    lastViewedAt: instant('last_viewed_at'),
    /** Views do not raise it. */
    version: count().notNull(),
  },
  (table) => [
    check('tracking_links_locale', isOneOf(table.locale, LOCALES)),
    // Following a link.
    uniqueIndex('tracking_links_token').on(table.tokenHash),
    // The links of a shipment, and how many of them are active.
    index('tracking_links_of_shipment').on(table.shipmentId, table.createdAt, table.id),
  ],
);
