import { and, eq, lt, sql } from 'drizzle-orm';
import {
  compilePastRows,
  isFound,
  oldestOfEach,
  PAST_ROWS_AT_ONCE,
  type PastRows,
  positionsIn,
} from '../../../db/past-rows.ts';
import { hasMoved } from '../../../db/shard/clocks.ts';
import { isOpen, isUnpaused } from '../../../db/shard/deliveries.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { sweepMarks } from '../../../db/shard/schema/sweeps.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookReplays,
} from '../../../db/shard/schema/webhooks.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of waking endpoints and of deleting expired rows, for all companies. */

/** Endpoints with open deliveries, found by skipping from one to the next in the index of due deliveries. */
const openEndpoints = sql.raw(`with recursive open(endpoint_id) as (
  select min(d.endpoint_id) from webhook_deliveries as d where d.endpoint_id > '' and d.status in ('PENDING', 'RETRYING')
  union all
  select (select min(d.endpoint_id) from webhook_deliveries as d where d.endpoint_id > open.endpoint_id and d.status in ('PENDING', 'RETRYING'))
  from open where open.endpoint_id is not null)`);

/**
 * Calls to queues count against the 1,000 requests of an invocation on Workers. The next sweep wakes further endpoints.
 */
const WOKEN_MAX = 200;
/** A sweep a minute. An endpoint whose pause ends before the next one is woken, so that its queue sets an alarm for that. */
const SWEPT_MICROS = sql.raw('60000000');
const firstDue = sql`(select min(d.next_attempt_at) from webhook_deliveries as d where d.endpoint_id = ${webhookEndpoints.id} and ${isOpen})`;
const selectWaiting = read({ id: webhookEndpoints.id }, (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(
      and(
        sql`${webhookEndpoints.id} in (${openEndpoints} select endpoint_id from open where exists
          (select 1 from webhook_deliveries as d where d.endpoint_id = open.endpoint_id and ${isOpen} and d.next_attempt_at <= ${placeholder('now')})
          union select replay.endpoint_id from ${webhookReplays} as replay where replay.endpoint_id > '' and replay.state = 'RUNNING')`,
        isAtHome(webhookEndpoints.companyId),
        isUnpaused(webhookEndpoints.pausedUntil, sql`${placeholder('now')} + ${SWEPT_MICROS}`),
      ),
    )
    // The longest due first, so that each is woken in one of the next sweeps. A replay that has queued nothing comes with them.
    .orderBy(sql`coalesce(${firstDue}, 0)`)
    .limit(WOKEN_MAX),
);
/** Endpoints with due deliveries or a running replay, unless a pause lasts beyond the next sweep. */
export function endpointsWaiting(now: Instant) {
  return selectWaiting({ now });
}

const firstAttempt = sql`max(coalesce(${webhookEndpoints.pausedUntil}, 0), ${firstDue})`;
const selectMoved = read({ id: webhookEndpoints.id }, (columns) =>
  queries
    .select(columns)
    .from(sandboxes)
    // A cross join keeps SQLite from reading the endpoints first.
    .crossJoin(webhookEndpoints)
    .where(
      and(
        hasMoved,
        eq(webhookEndpoints.companyId, sandboxes.companyId),
        sql`${firstAttempt} <= coalesce(${sandboxes.clockAt}, ${placeholder('now')} + ${sandboxes.clockOffset})`,
        isAtHome(webhookEndpoints.companyId),
      ),
    )
    .orderBy(sql`${firstAttempt} - ${sandboxes.clockOffset}`)
    .limit(WOKEN_MAX),
);
/** Endpoints with due deliveries of companies whose clocks do not show the real time. Not on production. */
export function movedEndpointsWaiting(now: Instant) {
  return selectMoved({ now });
}

/** Counting stops here, because a larger number would not change what an operator does. */
const BACKLOG_MAX = 10_000;
/** PENDING deliveries were never attempted. The index of due deliveries covers this. */
const neverTried = sql`d.endpoint_id = open.endpoint_id and ${isOpen} and d.status = 'PENDING' and d.next_attempt_at <= ${placeholder('now')}`;
/** Deliveries of a paused endpoint are not a backlog of the service. */
const isSending = sql`not exists (select 1 from webhook_endpoints as e where e.id = open.endpoint_id and e.paused_until > ${placeholder('now')})`;
const backlogColumns = { deliveries: webhookDeliveries.attemptCount, oldestDueAt: webhookDeliveries.nextAttemptAt };
const selectBacklog = read(backlogColumns, (columns) =>
  queries
    .select({
      ...columns,
      deliveries:
        sql`(select count(*) from (${openEndpoints} select 1 from open cross join webhook_deliveries as d on ${neverTried} where ${isSending} limit ${sql.raw(String(BACKLOG_MAX))}))`.as(
          'deliveries',
        ),
      // For each endpoint the first one, however many wait.
      oldestDueAt:
        sql`min((select d.next_attempt_at from webhook_deliveries as d where ${neverTried} order by d.next_attempt_at limit 1))`.as(
          'oldest_due_at',
        ),
    })
    .from(sql`(${openEndpoints} select endpoint_id from open where ${isSending}) as open`),
);
/**
 * The number of deliveries that are due and were never attempted, up to ten thousand, and the due time of the oldest.
 */
export function backlog(now: Instant) {
  return selectBacklog({ now });
}

/** Those of an endpoint and type are found in the order in which they began, so no index of their ends is needed. */
const GROUPS = {
  table: 'webhook_deliveries',
  owner: ['company_id', 'endpoint_id', 'event_type'],
  order: 'created_at',
  at: 'created_at',
} as const;
const oldest = oldestOfEach({
  ...GROUPS,
  mayDelete: sql`${isAtHome(sql`r.company_id`)} and r.completed_at is not null`,
});
const somePast = read({ position: webhookDeliveries.position }, (columns) =>
  queries.select(columns).from(webhookDeliveries).where(sql`position in ${oldest}`),
);
const deleteAttempts = write(
  queries
    .delete(webhookAttempts)
    .where(sql`${webhookAttempts.deliveryId} in (select id from webhook_deliveries where ${isFound})`),
);
const deleteDeliveries = write(queries.delete(webhookDeliveries).where(isFound));
/** Deliveries from before that instant that have ended, with their attempts. For the sweep only. */
export function oldDeliveries(before: Instant): PastRows {
  return {
    some: somePast({ before }),
    deletion(rows) {
      const found = positionsIn(rows);
      return [deleteAttempts({ found }), deleteDeliveries({ found })];
    },
  };
}

const limit = sql.raw(String(PAST_ROWS_AT_ONCE));

/**
 * Most deliveries have an exchange, so no index has those that still do. Each sweep begins at the time up to which an earlier one
 * has deleted all of them.
 */
const TASK = sql.raw("'exchanges'");
const doneBefore = sql`coalesce((select ${sweepMarks.doneBefore} from ${sweepMarks} where ${sweepMarks.task} = ${TASK}), 0)`;
const wanted = sql`o.only_exchange is not null and o.created_at >= ${doneBefore} and o.created_at < ${placeholder('before')}`;
const forgettable = oldestOfEach({ ...GROUPS, wanted, mayDelete: isAtHome(sql`r.company_id`) });
const someOfDelivery = read({ position: webhookDeliveries.position }, (columns) =>
  queries.select(columns).from(webhookDeliveries).where(sql`position in ${forgettable}`),
);
const forgetOfDelivery = write(queries.update(webhookDeliveries).set({ onlyExchange: null }).where(isFound));
/** Rows of a company that moves are passed over, and may stay here. */
const markDone = write(
  queries
    .insert(sweepMarks)
    .select(
      sql`select ${TASK}, ${placeholder('before')} where not exists (select 1 from company_moves where state in ('FROZEN', 'COPYING'))`,
    )
    .onConflictDoUpdate({ target: sweepMarks.task, set: { doneBefore: sql`excluded.done_before` } }),
);
const hasOldExchangeOfAttempt = and(
  sql`${webhookAttempts.exchange} is not null`,
  lt(webhookAttempts.startedAt, placeholder('before')),
  isAtHome(webhookAttempts.companyId),
);
const someOfAttempt = read({ number: webhookAttempts.number }, (columns) =>
  queries.select(columns).from(webhookAttempts).where(hasOldExchangeOfAttempt).limit(1),
);
const forgetOfAttempt = write(
  queries
    .update(webhookAttempts)
    .set({ exchange: null })
    .where(sql`rowid in (select rowid from webhook_attempts where ${hasOldExchangeOfAttempt} limit ${limit})`),
);
/** What attempts before that instant sent and got. For the sweep only. */
export function oldExchanges(before: Instant): readonly [ofDeliveries: PastRows, ofAttempts: PastRows] {
  return [
    {
      some: someOfDelivery({ before }),
      deletion(rows) {
        const forget = forgetOfDelivery({ found: positionsIn(rows) });
        return rows.length < PAST_ROWS_AT_ONCE ? [forget, markDone({ before })] : [forget];
      },
    },
    { some: someOfAttempt({ before }), deletion: () => [forgetOfAttempt({ before })] },
  ];
}

const pastReplays = compilePastRows<{ before: Instant }>(
  webhookReplays,
  and(lt(webhookReplays.completedAt, placeholder('before')), isAtHome(webhookReplays.companyId)),
);
/** Replays that ended before that instant. For the sweep only. */
export function oldReplays(before: Instant): PastRows {
  return pastReplays({ before });
}

const gone = compilePastRows<Record<string, never>>(
  webhookEndpoints,
  and(
    sql`${webhookEndpoints.state} = 'DELETED'`,
    isAtHome(webhookEndpoints.companyId),
    sql`not exists (select 1 from webhook_deliveries as d where d.endpoint_id = ${webhookEndpoints.id} and ${isOpen})`,
  ),
);
/** Deleted endpoints without open deliveries. For the sweep only. */
export function goneEndpoints(): PastRows {
  return gone({});
}
