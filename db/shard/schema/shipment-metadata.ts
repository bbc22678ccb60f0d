import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** The metadata of shipments, one row an entry. Its version is `shipments.metadata_version`. */
export const shipmentMetadata = sqliteTable(
  'shipment_metadata',
  {
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    key: text().notNull(),
    value: text().notNull(),
    /** Of the shipment, so that lists walk one index. */
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.shipmentId, table.key] }),
    // Lists with one entry: newest first.
    index('shipment_metadata_entry').on(table.companyId, table.key, table.value, table.createdAt, table.shipmentId),
  ],
);
