import { check, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { FAULT_TARGETS, SCENARIOS } from '../../../src/contract/driver-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/** A company's sandbox: how often it was reset, and whether its next shipment is held before dispatch. */
export const sandboxes = sqliteTable('sandboxes', {
  companyId: uuid('company_id').primaryKey(),
  generation: count().notNull(),
  dispatchHeld: count('dispatch_held').notNull(),
  driverId: uuid('driver_id').notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Uses of a provider that are still to fail for a company. */
export const sandboxFaults = sqliteTable(
  'sandbox_faults',
  {
    companyId: uuid('company_id').notNull(),
    target: oneOf(FAULT_TARGETS)().notNull(),
    remaining: count().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.target] }),
    check('sandbox_faults_target', isOneOf(table.target, FAULT_TARGETS)),
  ],
);

/** A course that a shipment is on, and its next step. */
export const sandboxScenarios = sqliteTable(
  'sandbox_scenarios',
  {
    shipmentId: uuid('shipment_id').primaryKey(),
    companyId: uuid('company_id').notNull(),
    name: oneOf(SCENARIOS)().notNull(),
    stepSeconds: count('step_seconds').notNull(),
    step: count().notNull(),
    dueAt: instant('due_at'),
    lastError: text('last_error'),
  },
  (table) => [check('sandbox_scenarios_name', isOneOf(table.name, SCENARIOS))],
);
