import { and, asc, eq, gt, isNotNull, lte, notInArray, or, sql } from 'drizzle-orm';
import { isInReach, type Reach } from '../../../../db/shard/clocks.ts';
import { isAtHome } from '../../../../db/shard/moving.ts';
import { shipmentEvents } from '../../../../db/shard/schema/events.ts';
import { sandboxes, sandboxScenarios } from '../../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, variants, write } from '../../../../db/statement.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { ScenarioName } from '../../../contract/driver-state.ts';
import { isBeforeOffer, SHIPMENT_STATES } from '../../../contract/shipment-state.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { DueReach } from '../../dispatch/store.ts';
import { shipmentColumns } from '../../shipments/store.ts';

/* The SQL of scenarios. A company starts its scenarios; alarm and sweep run the scenarios of all companies. */

const upsertScenario = write(
  queries
    .insert(sandboxScenarios)
    .values({
      shipmentId: placeholder('shipmentId'),
      companyId: placeholder('companyId'),
      name: placeholder('name'),
      stepSeconds: placeholder('stepSeconds'),
      step: 0,
      dueAt: placeholder('dueAt'),
      lastError: null,
    })
    .onConflictDoUpdate({
      target: sandboxScenarios.shipmentId,
      set: {
        name: sql`excluded.name`,
        stepSeconds: sql`excluded.step_seconds`,
        step: sql`0`,
        dueAt: sql`excluded.due_at`,
        lastError: sql`null`,
      },
    }),
);
export interface ScenarioOrder {
  readonly shipmentId: Uuid;
  readonly name: ScenarioName;
  readonly stepSeconds: number;
  readonly dueAt: Instant;
}
/** Starts a scenario for a shipment of the company and replaces any earlier one. */
export function scenarioUpsert(scope: CompanyScope, order: ScenarioOrder) {
  return upsertScenario({ companyId: scope.companyId, ...order });
}

const dueColumns = {
  ...shipmentColumns,
  shipmentId: sandboxScenarios.shipmentId,
  name: sandboxScenarios.name,
  stepSeconds: sandboxScenarios.stepSeconds,
  step: sandboxScenarios.step,
  stateSince: shipmentEvents.occurredAt,
  driverId: shipments.driverId,
  mainDriverId: sandboxes.driverId,
  reliefDriverId: sandboxes.reliefDriverId,
};
/**
 * Whether a scenario can take its next step. It cannot if approval, dispatch or the release of a held shipment has to
 * happen first. Their run then finds the scenario again.
 */
export const isItsTurn = or(
  notInArray(shipments.state, SHIPMENT_STATES.filter(isBeforeOffer)),
  // The only driver that dispatch would choose has refused, so the second driver gets the offer.
  and(
    eq(shipments.state, 'READY_FOR_DISPATCH'),
    sql`${sandboxScenarios.name} <> 'NO_DRIVER'`,
    eq(shipments.held, 0),
    eq(shipments.lastRefusedDriverId, sandboxes.driverId),
  ),
);
const selectDue = variants((reach: Reach) =>
  read(dueColumns, (columns) =>
    queries
      .select(columns)
      .from(sandboxScenarios)
      .innerJoin(shipments, eq(shipments.id, sandboxScenarios.shipmentId))
      .innerJoin(sandboxes, eq(sandboxes.companyId, sandboxScenarios.companyId))
      .innerJoin(
        shipmentEvents,
        and(
          eq(shipmentEvents.shipmentId, shipments.id),
          sql`${shipmentEvents.sequence} = (select max(sequence) from shipment_events where shipment_id = ${shipments.id} and previous_state is not state)`,
        ),
      )
      .where(
        and(
          isNotNull(sandboxScenarios.dueAt),
          lte(sandboxScenarios.dueAt, placeholder('now')),
          isItsTurn,
          isInReach(reach, sandboxScenarios.companyId),
          isAtHome(sandboxScenarios.companyId),
        ),
      )
      .orderBy(asc(sandboxScenarios.dueAt))
      .limit(placeholder('limit')),
  ),
);
export type ScenarioRow = ReturnType<ReturnType<ReturnType<typeof selectDue>>['decode']>;
/** Scenarios whose next step can run, the oldest due time first. */
export function scenariosDue({ reach, companyId, now }: DueReach, limit: number) {
  return selectDue(reach)({ companyId, now, limit });
}

const nextColumns = { dueAt: sandboxScenarios.dueAt };
const selectNext = variants((reach: Reach) =>
  read(nextColumns, (columns) =>
    queries
      .select(columns)
      .from(sandboxScenarios)
      .where(
        and(
          isNotNull(sandboxScenarios.dueAt),
          gt(sandboxScenarios.dueAt, placeholder('now')),
          isInReach(reach, sandboxScenarios.companyId),
          isAtHome(sandboxScenarios.companyId),
        ),
      )
      .orderBy(asc(sandboxScenarios.dueAt))
      .limit(1),
  ),
);
/** The earliest due time in the future. */
export function nextScenario({ reach, companyId, now }: DueReach) {
  return selectNext(reach)({ companyId, now });
}

const advance = write(
  queries
    .update(sandboxScenarios)
    .set({
      step: sql`${placeholder('nextStep')}`,
      dueAt: sql`${placeholder('dueAt')}`,
      lastError: sql`${placeholder('lastError')}`,
    })
    .where(
      and(
        eq(sandboxScenarios.shipmentId, placeholder('shipmentId')),
        eq(sandboxScenarios.name, placeholder('name')),
        eq(sandboxScenarios.step, placeholder('step')),
        isNotNull(sandboxScenarios.dueAt),
      ),
    ),
  { mustChange: true },
);
export interface ScenarioAdvance {
  readonly shipmentId: Uuid;
  readonly name: ScenarioName;
  /** The position that was read. */
  readonly step: number;
  readonly nextStep: number;
  /** Null ends the scenario. */
  readonly dueAt: Instant | null;
  readonly lastError: string | null;
}
/** Stores the next position of a scenario. The unit is refused if the scenario has changed since it was read. */
export function scenarioAdvance(order: ScenarioAdvance) {
  return advance({ ...order });
}
