import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { FAULT_TARGETS, SCENARIOS } from '../../../src/contract/driver-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/** A company's sandbox: how often it was reset, and whether its next shipment is held before dispatch. */
export const sandboxes = sqliteTable('sandboxes', {
  companyId: uuid('company_id').primaryKey(),
  generation: count().notNull(),
  dispatchHeld: count('dispatch_held').notNull(),
  /** He who is offered the company's shipments, and whose phone the company signs in with. */
  driverId: uuid('driver_id').notNull(),
  /** He steps in where a scenario needs a second one, and is offered nothing by himself. */
  reliefDriverId: uuid('relief_driver_id').notNull(),
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

/** The course that a shipment was last sent on. */
export const sandboxScenarios = sqliteTable(
  'sandbox_scenarios',
  {
    shipmentId: uuid('shipment_id').primaryKey(),
    companyId: uuid('company_id').notNull(),
    name: oneOf(SCENARIOS)().notNull(),
    stepSeconds: count('step_seconds').notNull(),
    /** Commands given so far. */
    step: count().notNull(),
    /** Not before this is the next one given; null when the course is over. */
    dueAt: instant('due_at'),
    /** Why it ended before its end. */
    lastError: text('last_error'),
  },
  (table) => [
    check('sandbox_scenarios_name', isOneOf(table.name, SCENARIOS)),
    // Alarm and sweep: those under way.
    index('sandbox_scenarios_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // A reset ends those of a company.
    index('sandbox_scenarios_of_company').on(table.companyId),
  ],
);
