import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { COLLECTION_METHODS } from '../../../src/contract/cod-state.ts';
import { count, decimal, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** What drivers collected at the door, in the currency of the shipment. Written with the delivery, and never changed but to forget. */
export const codCollections = sqliteTable(
  'cod_collections',
  {
    shipmentId: uuid('shipment_id')
      .primaryKey()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    amount: decimal().notNull(),
    method: oneOf(COLLECTION_METHODS)().notNull(),
    /** In the driver's own words. Null after the recipient has been forgotten. */
    reference: text(),
    /** Who has the money. */
    driverId: uuid('driver_id').notNull(),
    /** When the shipment was delivered. */
    collectedAt: instant('collected_at').notNull(),
    /** The version that the delivery led to. Its `codAmount` is the amount. */
    shipmentVersion: count('shipment_version').notNull(),
  },
  (table) => [
    // Listing and sums of a range: newest first within a company, with all that the sum reads.
    index('cod_collections_newest').on(table.companyId, table.collectedAt, table.shipmentId, table.amount),
  ],
);
