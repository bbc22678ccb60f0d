import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { EVIDENCES } from '../../../src/contract/proof-state.ts';
import {
  FAILURE_PAYERS,
  FOLLOW_UP_KINDS,
  RESOLUTION_KINDS,
  RESOLUTION_STATES,
  RETURN_REASONS,
} from '../../../src/contract/resolution-state.ts';
import { ACTORS } from '../../../src/contract/shipment-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** What becomes of the parcel of a failed shipment. Written in the unit of the failure, unless the parcel is lost. */
export const resolutions = sqliteTable(
  'resolutions',
  {
    shipmentId: uuid('shipment_id')
      .primaryKey()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    state: oneOf(RESOLUTION_STATES)().notNull(),
    /** Why the delivery failed. */
    reasonCode: text('reason_code').notNull(),
    evidence: oneOf(EVIDENCES)().notNull(),
    /** Decided by the table of `failure-payer.ts` at the failure, so that later facts do not change it. */
    payer: oneOf(FAILURE_PAYERS)().notNull(),
    /** Attempts to deliver this parcel so far, or to bring it back. */
    attempts: count().notNull(),
    failedAt: instant('failed_at').notNull(),
    decideBy: instant('decide_by').notNull(),
    defaultKind: oneOf(RESOLUTION_KINDS)('default_kind').notNull(),
    /** The choice, and who made it when. Null before there is one. */
    kind: oneOf(RESOLUTION_KINDS)(),
    actor: oneOf(ACTORS)(),
    decidedAt: instant('decided_at'),
    /** The shipment that carries the parcel on; null for a parcel that is disposed of. */
    followUpId: uuid('follow_up_id'),
  },
  (table) => [
    // Home of a merchant: the parcels that wait for a decision, the first to run out first.
    index('resolutions_open').on(table.companyId, table.decideBy).where(sql`${table.state} = 'OPEN'`),
  ],
);

/** Shipments that carry the parcel, or some items, of an earlier shipment. */
export const followUps = sqliteTable(
  'follow_ups',
  {
    shipmentId: uuid('shipment_id')
      .primaryKey()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    kind: oneOf(FOLLOW_UP_KINDS)().notNull(),
    /** The shipment before it. */
    precedingId: uuid('preceding_id').notNull(),
    /** The first shipment of the parcel, whose price the others are shares of. A return after delivery begins anew. */
    rootId: uuid('root_id').notNull(),
    /** To deliver this parcel, or of a return to bring it back. */
    attempt: count().notNull(),
    /** Of a return after delivery: why, and a JSON array of { index, quantity }. Null for all others. */
    returnReason: oneOf(RETURN_REASONS)('return_reason'),
    returned: text(),
  },
  (table) => [
    // What followed a shipment.
    index('follow_ups_of').on(table.precedingId),
  ],
);
