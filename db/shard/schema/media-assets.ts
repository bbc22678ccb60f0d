import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MEDIA_ASSET_STATES, MEDIA_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * Pictures that a merchant uploads before creating the shipment, by the shipment's future reference. Their bytes are in
 * an object store under `objectKey`. Attaching writes nothing: a READY picture whose reference has a shipment is
 * attached.
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
    /** When the sweep checks the row next, in any state. */
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    check('media_assets_state', isOneOf(table.state, MEDIA_ASSET_STATES)),
    check('media_assets_content_type', isOneOf(table.contentType, MEDIA_CONTENT_TYPES)),
    // Pictures of a reference, in order.
    index('media_assets_ready')
      .on(table.companyId, table.externalReference, table.sortOrder, table.id)
      .where(sql`${table.state} = 'READY'`),
    // Sweep.
    index('media_assets_due').on(table.dueAt),
    // List of a company, newest first.
    index('media_assets_newest').on(table.companyId, table.createdAt, table.id).where(sql`${table.state} = 'READY'`),
  ],
);

/**
 * The list of a reference's READY pictures as its `shipment.created` event will contain it. It is written when a
 * picture becomes READY or is removed, so that a creation reads one row; most creations find none.
 */
export const mediaLists = sqliteTable(
  'media_lists',
  {
    companyId: uuid('company_id').notNull(),
    externalReference: text('external_reference').notNull(),
    /** JSON array of TimelineMedia, in order. */
    listed: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.externalReference] })],
);
