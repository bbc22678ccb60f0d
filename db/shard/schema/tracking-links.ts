import { check, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { LOCALES } from '../../../src/core/locale.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Links that let people without an account track a shipment. */
export const trackingLinks = sqliteTable(
  'tracking_links',
  {
    id: uuid().notNull(),
    /** SHA-256 of the token in the link's URL. */
    tokenHash: text('token_hash').notNull(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    /** The company's name when the link was created, so that tracking needs no read of the directory. */
    merchantName: text('merchant_name').notNull(),
    /** Null: the page uses the reader's language. */
    locale: oneOf(LOCALES)(),
    label: text(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    viewCount: count('view_count').notNull(),
    lastViewedAt: instant('last_viewed_at'),
    /** Views do not change it. */
    version: count().notNull(),
    /** The token, encrypted, so that its merchant can copy the URL again. Null for an old link and a revoked one. */
    sealedToken: text('sealed_token'),
    /** JSON array of LinkPermission. */
    permissions: text().notNull().default('[]'),
  },
  (table) => [
    check('tracking_links_locale', isOneOf(table.locale, LOCALES)),
    // Links of a shipment, newest last, and the number of active ones.
    primaryKey({ columns: [table.shipmentId, table.createdAt, table.id] }),
    // Tracking by token, and counting its views.
    uniqueIndex('tracking_links_token').on(table.tokenHash),
  ],
);
