import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { LATE_ACTIONS } from '../../../src/contract/driver-state.ts';
import { SHIPMENT_STATES } from '../../../src/contract/shipment-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** What a driver reported of a shipment after an operator had taken it from them: no event, because it changed nothing. */
export const lateReports = sqliteTable(
  'late_reports',
  {
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    action: oneOf(LATE_ACTIONS)().notNull(),
    companyId: uuid('company_id').notNull(),
    driverId: uuid('driver_id').notNull(),
    /** Of the event before it, and the state after that event. */
    sequence: count().notNull(),
    state: oneOf(SHIPMENT_STATES)().notNull(),
    /** Of a failure. */
    reasonCode: text('reason_code'),
    reportedAt: instant('reported_at').notNull(),
  },
  // Once a shipment and action.
  (table) => [primaryKey({ columns: [table.shipmentId, table.action] })],
);
