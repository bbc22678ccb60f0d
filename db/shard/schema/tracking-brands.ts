import { sql } from 'drizzle-orm';
import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { LOGO_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';

/** What recipients see of a company besides its name. A company without a row shows nothing more. */
export const trackingBrands = sqliteTable(
  'tracking_brands',
  {
    companyId: uuid('company_id').primaryKey(),
    /** E.164. */
    phone: text(),
    whatsApp: text('whats_app'),
    /** 1 if the company has agreed that recipients see phone and WhatsApp. */
    showsContact: count('shows_contact').notNull(),
    version: count().notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Part of the logo's public address: a random name, with the shard. All columns of the logo are null without one. */
    logoName: text('logo_name'),
    logoType: oneOf(LOGO_CONTENT_TYPES)('logo_type'),
    logoWidth: count('logo_width'),
    logoHeight: count('logo_height'),
    /** Base64. The last column, so that reads of the others do not touch its pages. */
    logo: text(),
  },
  (table) => [
    // A logo by its address.
    uniqueIndex('tracking_brands_logo').on(table.logoName).where(sql`${table.logoName} is not null`),
  ],
);
