import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { EVENT_TYPES } from '../../../src/contract/event-type.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';

/**
 * What merchants are told, as it is sent. Kept 30 days; a shipment's own history is in `shipment_events` for ever.
 * Positions are given in the one write transaction of the database: whoever has read up to one misses nothing before it.
 */
export const events = sqliteTable(
  'events',
  {
    position: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull(),
    companyId: uuid('company_id').notNull(),
    type: oneOf(EVENT_TYPES)().notNull(),
    shipmentId: uuid('shipment_id'),
    /** From 1 for each shipment, without a gap; 0 for an event of no shipment. */
    sequence: count().notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** The envelope as it is signed and sent. */
    body: text().notNull(),
  },
  (table) => [
    // Deliveries, and `after` of the feed.
    uniqueIndex('events_id').on(table.id),
    // Feed of a company.
    index('events_of_company').on(table.companyId, table.position),
    // Feed of a shipment, and that no sequence is given twice.
    uniqueIndex('events_of_shipment').on(table.shipmentId, table.sequence),
  ],
);
