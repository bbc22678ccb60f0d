import { and, eq, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookReplays,
} from '../../../db/shard/schema/webhooks.ts';
import { queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of waking and forgetting: who is to be woken for what, and what is past its time. Of any company. */

const place = sql.placeholder;

/** As the partial indexes have it, word for word: that is how SQLite knows that they fit. */
const isOpen = sql.raw(`d.status in ('PENDING', 'RETRYING')`);

const wantingColumns = {
  id: webhookEndpoints.id,
  companyId: webhookEndpoints.companyId,
  eventTypes: webhookEndpoints.eventTypes,
};
const selectOfCompanies = read(wantingColumns, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(
      and(
        sql`${webhookEndpoints.companyId} in (select value from json_each(${place('companyIds')}))`,
        eq(webhookEndpoints.state, 'ENABLED'),
      ),
    ),
);
/** Enabled endpoints of these companies. */
export function enabledEndpoints(companyIds: readonly Uuid[]) {
  return selectOfCompanies({ companyIds: JSON.stringify(companyIds) });
}

const selectWaiting = read({ id: webhookEndpoints.id }, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(
      sql`${isAtHome(webhookEndpoints.companyId)} and (exists (select 1 from webhook_deliveries as d where d.endpoint_id = ${webhookEndpoints.id} and ${isOpen} and d.next_attempt_at <= ${place('now')})
        or exists (select 1 from ${webhookReplays} where ${webhookReplays.endpointId} = ${webhookEndpoints.id} and ${webhookReplays.state} = 'RUNNING'))`,
    ),
);
/** Endpoints that something is due for, or that a replay has to go on for. */
export function endpointsWaiting(now: Instant) {
  return selectWaiting({ now });
}

/** Past it a backlog is no better known for being counted. */
const BACKLOG_MAX = 10_000;
const companiesToTell = sql.raw('(select distinct company_id from webhook_endpoints)');
/** PENDING is what was never tried, and due since it came to be: so the index of company, status and creation has all that is asked. */
const neverTried = sql`d.status = 'PENDING' and d.created_at <= ${place('now')}`;
const backlogColumns = { deliveries: webhookDeliveries.attemptCount, oldestDueAt: webhookDeliveries.nextAttemptAt };
const selectBacklog = read(backlogColumns, (columns) =>
  queries
    .select({
      ...columns,
      deliveries:
        sql`(select count(*) from (select 1 from ${companiesToTell} as owner cross join webhook_deliveries as d on d.company_id = owner.company_id where ${neverTried} limit ${sql.raw(String(BACKLOG_MAX))}))`.as(
          'deliveries',
        ),
      // One look into the index for each company, however much it has waiting.
      oldestDueAt:
        sql`min((select min(d.created_at) from webhook_deliveries as d where d.company_id = owner.company_id and ${neverTried}))`.as(
          'oldest_due_at',
        ),
    })
    .from(sql`${companiesToTell} as owner`),
);
/** How many deliveries are due and were never tried, up to ten thousand, and since when the oldest of all is. */
export function backlog(now: Instant) {
  return selectBacklog({ now });
}

const selectOldest = read({ completedAt: webhookDeliveries.completedAt }, (columns) =>
  queries
    .select(columns)
    .from(webhookDeliveries)
    .where(isAtHome(webhookDeliveries.companyId))
    .orderBy(webhookDeliveries.position)
    .limit(1),
);
/** The oldest delivery that may be forgotten, of any company that is not on the move. */
export function oldestDelivery() {
  return selectOldest({});
}

const deleteOldAttempts = write(
  queries
    .delete(webhookAttempts)
    .where(
      sql`${webhookAttempts.deliveryId} in (select id from (select id, completed_at from webhook_deliveries where ${isAtHome(webhookDeliveries.companyId)} order by position limit ${place('limit')}) where completed_at < ${place('before')})`,
    ),
);
const deleteOldDeliveries = write(
  queries
    .delete(webhookDeliveries)
    .where(
      sql`${webhookDeliveries.position} in (select position from webhook_deliveries where ${isAtHome(webhookDeliveries.companyId)} order by position limit ${place('limit')}) and ${webhookDeliveries.completedAt} < ${place('before')}`,
    ),
);
const deleteOldReplays = write(
  queries
    .delete(webhookReplays)
    .where(and(sql`${webhookReplays.completedAt} < ${place('before')}`, isAtHome(webhookReplays.companyId))),
);
const deleteGoneEndpoints = write(
  queries
    .delete(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.state, 'DELETED'),
        isAtHome(webhookEndpoints.companyId),
        sql`not exists (select 1 from webhook_deliveries as d where d.endpoint_id = ${webhookEndpoints.id} and ${isOpen})`,
      ),
    ),
);
/** Forgets what was over before that instant, among the `limit` oldest. */
export function oldDeliveriesDelete(before: Instant, limit: number) {
  return [deleteOldAttempts({ before, limit }), deleteOldDeliveries({ before, limit }), deleteOldReplays({ before })];
}

/** Forgets deleted endpoints that nothing is on its way to any more. */
export function goneEndpointsDelete() {
  return deleteGoneEndpoints({});
}
