import { sqliteTable } from 'drizzle-orm/sqlite-core';
import { count, instant, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** What recipients thought of their deliveries. At most one rating of a shipment, which never changes. */
export const shipmentRatings = sqliteTable('shipment_ratings', {
  shipmentId: uuid('shipment_id')
    .primaryKey()
    .references(() => shipments.id),
  companyId: uuid('company_id').notNull(),
  /** 1 to 5. */
  stars: count().notNull(),
  ratedAt: instant('rated_at').notNull(),
  /** Of the event `shipment.rated`. */
  eventId: uuid('event_id').notNull(),
});
