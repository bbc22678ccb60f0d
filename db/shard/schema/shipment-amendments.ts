import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { AMENDMENT_REASONS, AMENDMENT_STATES } from '../../../src/contract/amendment-state.ts';
import { ACTORS } from '../../../src/contract/shipment-state.ts';
import { count, decimal, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Amendments of shipments, each with the values before and after it. A shipment that nobody amends has no row. */
export const shipmentAmendments = sqliteTable(
  'shipment_amendments',
  {
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    /** From 1, in the order they were asked for. */
    number: count().notNull(),
    id: uuid().notNull(),
    companyId: uuid('company_id').notNull(),
    actor: oneOf(ACTORS)().notNull(),
    state: oneOf(AMENDMENT_STATES)().notNull(),
    /** JSON array of AmendmentChange. */
    changes: text().notNull(),
    /** JSON of the columns of the shipment that it changed, as they were and as they became. `{}` once the recipient is forgotten. */
    before: text().notNull(),
    after: text().notNull(),
    reasonCode: oneOf(AMENDMENT_REASONS)('reason_code'),
    /** Net of VAT; negative if the new way is cheaper. */
    amount: decimal().notNull(),
    vatAmount: decimal('vat_amount').notNull(),
    /** The version of the shipment that it led to; null until it is applied. */
    shipmentVersion: count('shipment_version'),
    requestedAt: instant('requested_at').notNull(),
    /** When the driver confirmed to have read it. */
    acknowledgedAt: instant('acknowledged_at'),
    decideBy: instant('decide_by'),
    decidedAt: instant('decided_at'),
    version: count().notNull(),
  },
  // Those of a shipment, in order.
  (table) => [primaryKey({ columns: [table.shipmentId, table.number] })],
);
