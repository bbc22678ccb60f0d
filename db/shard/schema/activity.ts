import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { count, uuid } from '../../columns.ts';

/**
 * What happened on a day to the shipments of a company, for each city of delivery. The events decide: these are sums of
 * those that the company's reader has counted. Days begin at midnight in Riyadh.
 */
export const activityDays = sqliteTable(
  'activity_days',
  {
    companyId: uuid('company_id').notNull(),
    /** Days since 1970-01-01. */
    day: count().notNull(),
    cityCode: text('city_code').notNull(),
    created: count().notNull(),
    delivered: count().notNull(),
    firstAttempt: count('first_attempt').notNull(),
    inTime: count('in_time').notNull(),
    failed: count().notNull(),
    cancelled: count().notNull(),
  },
  (table) => [
    // Reading a week, and deleting what is older.
    primaryKey({ columns: [table.companyId, table.day, table.cityCode] }),
  ],
);

/** The last event in the days of a company. An id: a move to another shard changes the positions of events. */
export const activityProgress = sqliteTable('activity_progress', {
  companyId: uuid('company_id').primaryKey(),
  eventId: uuid('event_id').notNull(),
});
