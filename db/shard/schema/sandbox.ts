import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { FAULT_TARGETS, SCENARIOS } from '../../../src/contract/driver-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/** A company's sandbox: how often it was reset, and whether its next shipment is held before dispatch. */
export const sandboxes = sqliteTable(
  'sandboxes',
  {
    companyId: uuid('company_id').primaryKey(),
    generation: count().notNull(),
    dispatchHeld: count('dispatch_held').notNull(),
    /** How long before the pickup window the company's next shipments are dispatched; null: at once. */
    leadSeconds: count('lead_seconds'),
    /** The driver who gets the company's offers and whose phone the company uses to sign in. */
    driverId: uuid('driver_id').notNull(),
    /** The second driver of scenarios. Gets offers only from them. */
    reliefDriverId: uuid('relief_driver_id').notNull(),
    createdAt: instant('created_at').notNull(),
    /** How far the company's clock is ahead of the real time, in microseconds. */
    clockOffset: count('clock_offset').notNull().default(0),
    /** While the clock advances: the instant that it shows, once it has begun. */
    clockAt: instant('clock_at'),
    /** Where the advance ends; null if the clock runs. */
    clockTarget: instant('clock_target'),
    /** The real time at which the advance begins. */
    clockStartsAt: instant('clock_starts_at'),
  },
  // The condition is `hasMoved`.
  (table) => [
    index('sandboxes_moved')
      .on(table.companyId)
      .where(sql`${table.clockOffset} <> 0 or ${table.clockTarget} is not null`),
  ],
);

/** How many uses of a provider will still fail for a company. */
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

/** The last scenario of a shipment. */
export const sandboxScenarios = sqliteTable(
  'sandbox_scenarios',
  {
    shipmentId: uuid('shipment_id').primaryKey(),
    companyId: uuid('company_id').notNull(),
    name: oneOf(SCENARIOS)().notNull(),
    stepSeconds: count('step_seconds').notNull(),
    /** Commands executed so far. */
    step: count().notNull(),
    /** The earliest time of the next command; null when the scenario has ended. */
    dueAt: instant('due_at'),
    /** Why the scenario stopped early. */
    lastError: text('last_error'),
  },
  (table) => [
    check('sandbox_scenarios_name', isOneOf(table.name, SCENARIOS)),
    // Alarm and sweep: running scenarios.
    index('sandbox_scenarios_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // A reset ends the scenarios of a company.
    index('sandbox_scenarios_of_company').on(table.companyId),
  ],
);
