import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { EVENT_TYPES } from '../../../src/contract/event-type.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';

/**
 * Events as they are sent to merchants, kept for 30 days. `shipment_events` keeps a shipment's history for ever. The
 * database's single write transaction assigns positions in commit order, so a reader never misses a smaller position.
 */
export const events = sqliteTable(
  'events',
  {
    position: integer().primaryKey({ autoIncrement: true }),
    id: uuid().notNull(),
    companyId: uuid('company_id').notNull(),
    type: oneOf(EVENT_TYPES)().notNull(),
    shipmentId: uuid('shipment_id'),
    /** From 1 per shipment, without a gap; 0 for an event without a shipment. */
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
    // Feed of a shipment; also makes sequences unique.
    uniqueIndex('events_of_shipment').on(table.shipmentId, table.sequence),
    // Feed of a company with a type.
    index('events_of_type').on(table.companyId, table.type, table.position),
  ],
);
