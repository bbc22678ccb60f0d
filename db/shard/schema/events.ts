import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { EVENT_TYPES, SHIPMENT_EVENT_TYPES } from '../../../src/contract/event-type.ts';
import { ACTORS, SHIPMENT_STATES } from '../../../src/contract/shipment-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';

/**
 * Events: the steps of shipments, which are kept for ever, and what else merchants are told. The database's single write
 * transaction assigns positions in commit order, so a reader never misses a smaller position. A position is used once,
 * because the last row is never deleted.
 */
export const events = sqliteTable(
  'events',
  {
    position: integer().primaryKey(),
    id: uuid().notNull(),
    companyId: uuid('company_id').notNull(),
    type: oneOf(EVENT_TYPES)().notNull(),
    shipmentId: uuid('shipment_id'),
    /** From 1 per shipment, without a gap; 0 for an event without a shipment. */
    sequence: count().notNull(),
    occurredAt: instant('occurred_at').notNull(),
    previousState: oneOf(SHIPMENT_STATES)('previous_state'),
    correlationId: uuid('correlation_id').notNull(),
    /** Of a step of the shipment's history, from 1 without a gap: one more than its version after the event. Null of other events. */
    step: count(),
    /** Only steps have these. */
    state: oneOf(SHIPMENT_STATES)(),
    actor: oneOf(ACTORS)(),
    /** Why a shipment was cancelled or not delivered. */
    reasonCode: text('reason_code'),
    note: text(),
    /** The envelope as it is signed and sent; null after 30 days. */
    body: text(),
  },
  (table) => [
    // History of a shipment, and its feed. It also keeps two writers from appending the same step.
    uniqueIndex('events_of_shipment').on(table.shipmentId, table.step),
    // Deliveries, and `after` of the feed.
    uniqueIndex('events_id').on(table.id).where(sql`${table.body} is not null`),
    // Feed of a company, with a type and without: those of each type are merged.
    index('events_of_type').on(table.companyId, table.type, table.position).where(sql`${table.body} is not null`),
  ],
);

/** The history of shipments: a row for each transition, written in the transaction of the transition. */
export const shipmentEvents = sqliteView('shipment_events', {
  shipmentId: uuid('shipment_id').notNull(),
  sequence: count().notNull(),
  id: uuid().notNull(),
  companyId: uuid('company_id').notNull(),
  type: oneOf(SHIPMENT_EVENT_TYPES)().notNull(),
  previousState: oneOf(SHIPMENT_STATES)('previous_state'),
  state: oneOf(SHIPMENT_STATES)().notNull(),
  occurredAt: instant('occurred_at').notNull(),
  actor: oneOf(ACTORS)().notNull(),
  reasonCode: text('reason_code'),
  note: text(),
  correlationId: uuid('correlation_id').notNull(),
}).as(
  sql`select shipment_id, step as sequence, id, company_id, type, previous_state, state, occurred_at, actor, reason_code, note, correlation_id from events where step is not null`,
);
