import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  BATCH_ITEM_STATES,
  BATCH_MODES,
  BATCH_REPETITIONS,
  BATCH_STATES,
  ON_INVALID,
} from '../../../src/contract/shipment-state.ts';
import { count, decimal, instant, oneOf, uuid } from '../../columns.ts';

/** Batches: many creations in one request, in the background. */
export const shipmentBatches = sqliteTable(
  'shipment_batches',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    /** Whose idempotency keys the items have. */
    clientId: text('client_id').notNull(),
    /** JSON of the person in the audit log; null for a program. */
    actor: text(),
    mode: oneOf(BATCH_MODES)().notNull(),
    onInvalid: oneOf(ON_INVALID)('on_invalid').notNull(),
    state: oneOf(BATCH_STATES)().notNull(),
    total: count().notNull(),
    /** Of the request that started the batch. The problems of its items name both. */
    correlationId: uuid('correlation_id').notNull(),
    requestId: uuid('request_id').notNull(),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
    /** When its next items are due; null once it has ended. */
    dueAt: instant('due_at'),
  },
  (table) => [
    // Alarm and sweep: running batches of all companies.
    index('shipment_batches_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // The number of a company's running batches.
    index('shipment_batches_running').on(table.companyId).where(sql`${table.state} = 'RUNNING'`),
    // Retention.
    index('shipment_batches_created').on(table.createdAt),
  ],
);

export const shipmentBatchItems = sqliteTable(
  'shipment_batch_items',
  {
    batchId: uuid('batch_id').notNull(),
    /** From 0, in the order of the request. */
    position: count().notNull(),
    companyId: uuid('company_id').notNull(),
    key: text().notNull(),
    state: oneOf(BATCH_ITEM_STATES)().notNull(),
    /** 1 if a batch that stops at a refusal has checked it. */
    checked: count().notNull(),
    /** What it repeats of an earlier item of the batch; null if nothing. A check judges it without that item's shipment. */
    repeats: oneOf(BATCH_REPETITIONS)(),
    /** JSON of the creation request with decimals as text; null as soon as the item has ended, because it names a recipient. */
    request: text(),
    /** The price lock that the item was sent with; null as soon as the item has ended. */
    priceLock: text('price_lock'),
    /** The short code that the item was sent with; null as soon as the item has ended. */
    nationalAddress: text('national_address'),
    /** The price limit that the item was sent with. */
    priceLimit: decimal('price_limit'),
    shipmentId: uuid('shipment_id'),
    /** JSON of the refusal. */
    refusal: text(),
    endedAt: instant('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.position] })],
);
