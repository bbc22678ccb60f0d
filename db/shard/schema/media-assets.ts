import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MEDIA_ASSET_STATES, MEDIA_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * Pictures that a merchant uploads for a shipment that is still to come, known by the reference that it will have. Their
 * bytes are in an object store under `objectKey`. Nothing is written when one is attached: a READY picture whose reference
 * has a shipment was there when that was created.
 */
export const mediaAssets = sqliteTable(
  'media_assets',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    externalReference: text('external_reference').notNull(),
    sortOrder: count('sort_order').notNull(),
    state: oneOf(MEDIA_ASSET_STATES)().notNull(),
    objectKey: text('object_key').notNull(),
    /** Lower-case hexadecimal. */
    sha256: text().notNull(),
    sizeBytes: count('size_bytes').notNull(),
    contentType: oneOf(MEDIA_CONTENT_TYPES)('content_type').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When the sweep looks at it next, whatever its state. */
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    check('media_assets_state', isOneOf(table.state, MEDIA_ASSET_STATES)),
    check('media_assets_content_type', isOneOf(table.contentType, MEDIA_CONTENT_TYPES)),
    // How many a reference has, and their list in its order.
    index('media_assets_ready')
      .on(table.companyId, table.externalReference, table.sortOrder, table.id)
      .where(sql`${table.state} = 'READY'`),
    // Sweep.
    index('media_assets_due').on(table.dueAt),
  ],
);

/**
 * What the event of a creation will list of the READY pictures of its reference, as it stands there. Made when one becomes
 * READY or is given up, so that a creation, of which most have none, only looks for a row.
 */
export const mediaLists = sqliteTable(
  'media_lists',
  {
    companyId: uuid('company_id').notNull(),
    externalReference: text('external_reference').notNull(),
    /** JSON array of TimelineMedia, in its order. */
    listed: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.externalReference] })],
);
