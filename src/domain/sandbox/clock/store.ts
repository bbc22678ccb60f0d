import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import { hasMoved } from '../../../../db/shard/clocks.ts';
import { isFirstOfLine, isOpen } from '../../../../db/shard/deliveries.ts';
import { isStaying } from '../../../../db/shard/moving.ts';
import { sandboxes, sandboxScenarios } from '../../../../db/shard/schema/sandbox.ts';
import { shipments } from '../../../../db/shard/schema/shipments.ts';
import { trackingLinks } from '../../../../db/shard/schema/tracking-links.ts';
import { webhookEndpoints } from '../../../../db/shard/schema/webhooks.ts';
import { placeholder, queries, read, variants, write } from '../../../../db/statement.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { ClockEntry } from '../../../contract/sandbox.ts';
import { addMicros, type Instant } from '../../../core/instant.ts';
import type { WebhookTerms } from '../../../core/webhook-terms.ts';
import { isWaiting, mayMoveOn } from '../../dispatch/store.ts';
import { isItsTurn } from '../scenario/store.ts';

/* The SQL of the clocks of sandboxes: what is due, and the advance of one company. */

const clockColumns = {
  companyId: sandboxes.companyId,
  offset: sandboxes.clockOffset,
  standsAt: sandboxes.clockAt,
  target: sandboxes.clockTarget,
  startsAt: sandboxes.clockStartsAt,
};
const ofCompany = eq(sandboxes.companyId, placeholder('companyId'));
const selectClock = read(clockColumns, (columns) => queries.select(columns).from(sandboxes).where(ofCompany));
/** The clock of the company’s sandbox. */
export function sandboxClockOf(scope: CompanyScope) {
  return selectClock({ companyId: scope.companyId });
}

// A query of one table leaves out the names of tables in its list, so these are written out.
const dueShipment = sql`(select min(shipments.due_at) from shipments where shipments.due_at is not null and +shipments.company_id = sandboxes.company_id and ${mayMoveOn})`;
const dueScenario = sql`(select min(sandbox_scenarios.due_at) from sandbox_scenarios
  join shipments on shipments.id = sandbox_scenarios.shipment_id
  where sandbox_scenarios.due_at is not null and +sandbox_scenarios.company_id = sandboxes.company_id and ${isItsTurn} and ${mayMoveOn})`;
const movedColumns = {
  ...clockColumns,
  shipmentDueAt: sandboxes.clockAt,
  scenarioDueAt: sandboxes.clockAt,
  hasWaiting: sandboxes.dispatchHeld,
};
const selectMoved = read(movedColumns, (columns) =>
  queries
    .select({
      ...columns,
      shipmentDueAt: dueShipment.as('shipment_due_at'),
      scenarioDueAt: dueScenario.as('scenario_due_at'),
      hasWaiting:
        sql`exists (select 1 from shipments where ${isWaiting(sql`${placeholder('now')} + sandboxes.clock_offset`)} and +shipments.company_id = sandboxes.company_id)`.as(
          'has_waiting',
        ),
    })
    .from(sandboxes)
    // The clock of a company that moves to another shard waits, because nothing of it can be done.
    .where(and(hasMoved, or(isNull(sandboxes.clockTarget), isStaying(sandboxes.companyId))))
    .orderBy(asc(sandboxes.companyId)),
);
export type MovedRow = ReturnType<ReturnType<typeof selectMoved>['decode']>;
/** The companies of the shard whose clocks do not show the real time, with their due times. For the alarm only. */
export function movedCompanies(now: Instant) {
  return selectMoved({ now });
}

/** Links of older shipments are not listed. */
const LINKED_SHIPMENTS_MAX = 1000;
/**
 * What the service will do for a company. A look is due when the search of a shipment begins; a shipment that waits for a
 * driver is due when the search ends.
 */
const dueWork = sql`
  select ${shipments.dueAt} as at, case ${shipments.state} when 'PENDING_APPROVAL' then 'APPROVAL' when 'OFFERED' then 'OFFER_EXPIRY' when 'DELIVERY_FAILED' then 'RESOLUTION'
      else case when ${shipments.dueAt} <= max(coalesce(${shipments.readySince}, 0), coalesce(${shipments.searchFrom}, 0)) then 'DISPATCH_LOOK' else 'DISPATCH_GIVE_UP' end end as what,
    ${shipments.id} as shipment_id, null as endpoint_id
  from ${shipments}
  where ${shipments.dueAt} is not null and +${shipments.companyId} = ${placeholder('companyId')} and ${mayMoveOn}
  union all
  select ${sandboxScenarios.dueAt}, 'SCENARIO_STEP', ${shipments.id}, null
  from ${sandboxScenarios} join ${shipments} on ${shipments.id} = ${sandboxScenarios.shipmentId}
    join ${sandboxes} on ${sandboxes.companyId} = ${sandboxScenarios.companyId}
  where ${sandboxScenarios.dueAt} is not null and ${sandboxScenarios.companyId} = ${placeholder('companyId')} and ${isItsTurn} and ${mayMoveOn}
  union all
  select max(d.next_attempt_at, coalesce(${webhookEndpoints.pausedUntil}, 0)), 'WEBHOOK_ATTEMPT', d.shipment_id, d.endpoint_id
  from ${webhookEndpoints} join webhook_deliveries as d on d.endpoint_id = ${webhookEndpoints.id}
  where ${webhookEndpoints.companyId} = ${placeholder('companyId')} and ${webhookEndpoints.state} = 'ENABLED' and ${isOpen} and ${isFirstOfLine}
  union all
  select ${webhookEndpoints.failingSince} + ${placeholder('disableAfter')}, 'WEBHOOK_DISABLE', null, ${webhookEndpoints.id}
  from ${webhookEndpoints}
  where ${webhookEndpoints.companyId} = ${placeholder('companyId')} and ${webhookEndpoints.state} = 'ENABLED'
    and ${webhookEndpoints.failingSince} is not null and ${webhookEndpoints.consecutiveFailures} >= ${placeholder('failures')}`;
/** The ends of its tracking links, at which the service does nothing. */
const linkEnds = sql`
  select ${trackingLinks.expiresAt}, 'LINK_EXPIRY', ${trackingLinks.shipmentId}, null
  from (select id from ${shipments} where ${shipments.companyId} = ${placeholder('companyId')} order by ${shipments.createdAt} desc, ${shipments.id} desc limit ${sql.raw(String(LINKED_SHIPMENTS_MAX))}) as recent
    join ${trackingLinks} on ${trackingLinks.shipmentId} = recent.id
  where ${trackingLinks.revokedAt} is null and ${trackingLinks.expiresAt} > ${placeholder('now')}`;
const dueColumns = {
  at: shipments.createdAt,
  what: webhookEndpoints.url,
  shipmentId: shipments.driverId,
  endpointId: shipments.driverId,
};
const selectDue = variants((hasLinks: boolean) =>
  read(dueColumns, () =>
    queries
      .select({ at: sql`at`, what: sql`what`, shipmentId: sql`shipment_id`, endpointId: sql`endpoint_id` })
      .from(hasLinks ? sql`(${dueWork} union all ${linkEnds})` : sql`(${dueWork})`)
      .where(sql`(${placeholder('what')} is null or what = ${placeholder('what')})`)
      .orderBy(sql`at`, sql`what`, sql`shipment_id`)
      .limit(placeholder('limit')),
  ),
);
export type DueRow = ReturnType<ReturnType<ReturnType<typeof selectDue>>['decode']>;
type DisableTerms = Pick<WebhookTerms, 'disableAfterSeconds' | 'disableAfterFailures'>;
export interface DueOrder {
  readonly now: Instant;
  readonly terms: DisableTerms;
  /** Null for every kind. */
  readonly what: ClockEntry | null;
  /** Whether the ends of tracking links are among them, at which the service does nothing. */
  readonly hasLinks: boolean;
  readonly limit: number;
}
/** What is due for the company, now and later. */
export function dueThings(scope: CompanyScope, { now, terms, what, hasLinks, limit }: DueOrder) {
  const { companyId } = scope;
  return selectDue(hasLinks)({ companyId, now, ...disablingOf(terms), what, limit });
}

function disablingOf({ disableAfterSeconds, disableAfterFailures }: DisableTerms) {
  return { disableAfter: BigInt(Math.round(disableAfterSeconds * 1_000_000)), failures: disableAfterFailures };
}

const selectSending = read({ id: webhookEndpoints.id }, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(
      sql`${webhookEndpoints.companyId} = ${placeholder('companyId')} and exists (select 1 from webhook_deliveries as d where d.endpoint_id = ${webhookEndpoints.id} and ${isOpen})`,
    ),
);
/** The endpoints of the company with open deliveries. */
export function sendingEndpoints(scope: CompanyScope) {
  return selectSending({ companyId: scope.companyId });
}

const announce = write(
  queries
    .update(sandboxes)
    .set({ clockTarget: sql`${placeholder('target')}`, clockStartsAt: sql`${placeholder('startsAt')}` })
    .where(and(ofCompany, isNull(sandboxes.clockTarget))),
  { mustChange: true },
);
/** Begins an advance. Refuses the unit if there is no sandbox or its clock already advances. */
export function advanceBegun(scope: CompanyScope, order: { readonly target: Instant; readonly startsAt: Instant }) {
  return announce({ companyId: scope.companyId, ...order });
}

const isAsSeen = and(
  ofCompany,
  eq(sandboxes.clockTarget, placeholder('target')),
  sql`${sandboxes.clockAt} is ${placeholder('seenAt')}`,
  // Searches of a company that is about to move wait, so nothing may pass them.
  isStaying(sandboxes.companyId),
);
const begin = write(
  queries
    .update(sandboxes)
    .set({ clockAt: sql`${placeholder('standsAt')}` })
    .where(isAsSeen),
  { mustChange: true },
);
const leavesNothing = sql`not exists (select 1 from (${dueWork}) where at < ${placeholder('until')})`;
const stand = write(
  queries
    .update(sandboxes)
    .set({ clockAt: sql`${placeholder('standsAt')}` })
    .where(and(isAsSeen, leavesNothing)),
  { mustChange: true },
);
/** An advance as it was read. Its next statement is refused if another run was faster, or if more work has become due. */
export interface SeenAdvance {
  readonly target: Instant;
  readonly seenAt: Instant | null;
  readonly terms: DisableTerms;
}
/** Lets the clock stand at the next instant: the first one, or one before which nothing is due any more. */
export function clockStood(scope: CompanyScope, { target, seenAt, terms }: SeenAdvance, standsAt: Instant) {
  const order = { companyId: scope.companyId, target, seenAt, standsAt };
  return seenAt === null ? begin(order) : stand({ ...order, ...disablingOf(terms), until: standsAt });
}

const end = write(
  queries
    .update(sandboxes)
    .set({
      clockOffset: sql`max(${sandboxes.clockOffset}, ${placeholder('offset')})`,
      clockAt: sql`null`,
      clockTarget: sql`null`,
      clockStartsAt: sql`null`,
    })
    .where(and(isAsSeen, leavesNothing)),
  { mustChange: true },
);
/** Lets the clock run again, so far ahead of the real time. It never falls behind where it would be without the advance. */
export function advanceEnded(scope: CompanyScope, { target, seenAt, terms }: SeenAdvance, offset: bigint) {
  const until = addMicros(seenAt !== null && seenAt > target ? seenAt : target, 1);
  return end({ companyId: scope.companyId, target, seenAt, offset, ...disablingOf(terms), until });
}
