import { and, eq, sql } from 'drizzle-orm';
import { eachGroup, isOfGroup, positionOfDelivery } from '../../../db/shard/deliveries.ts';
import { webhookDeliveries, webhookReplays } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ReplayState } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of replays: of one delivery at once, or of a range in the background. */

const columns = columnsOf(webhookReplays);

export type ReplayRow = typeof webhookReplays.$inferSelect;

/** A version 7 UUID with the millisecond of the given one. */
const newUuid = sql`substr(${placeholder('likeId')}, 1, 15) || substr(lower(hex(randomblob(2))), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
/** Only deliveries whose event still exists, to an endpoint that is enabled. */
const canBeSent = sql.raw(
  `exists (select 1 from events where events.id = d.event_id and events.body is not null) and exists (select 1 from webhook_endpoints as e where e.id = d.endpoint_id and e.state = 'ENABLED')`,
);

const insertOne = write(
  queries.insert(webhookDeliveries).select(
    sql`select null, ${placeholder('id')}, d.endpoint_id, d.company_id, d.event_id, d.event_type, d.shipment_id, null, 'PENDING', 0, 0, ${placeholder('now')}, null, null, ${placeholder('now')}, null, d.id, null, null, null
      from webhook_deliveries as d where d.position = ${positionOfDelivery(sql`${placeholder('replayOf')}`)} and d.company_id = ${placeholder('companyId')} and ${canBeSent}`,
  ),
  { mustChange: true },
);
/**
 * A new delivery of the same event to the same endpoint. Refuses the unit if the delivery is not the company's or
 * cannot be replayed.
 */
export function deliveryReplayed(scope: CompanyScope, order: { id: Uuid; replayOf: Uuid; now: Instant }) {
  return insertOne({ companyId: scope.companyId, ...order });
}

const OF_ENDPOINT = { hasEndpoint: true, hasType: false };
const ofEndpoint = eachGroup(OF_ENDPOINT);
const isInRange = sql`${isOfGroup(OF_ENDPOINT)} and d.created_at >= ${placeholder('fromAt')} and d.created_at < ${placeholder('toAt')} and d.status in (select value from json_each(${placeholder('statuses')})) and d.replay_of is null`;
const selectMatched = read({ matched: webhookReplays.matched }, (wanted) =>
  queries
    .select({ ...wanted, matched: sql`count(*)`.as('matched') })
    .from(
      sql`(select 1 from ${ofEndpoint} cross join webhook_deliveries as d on ${isInRange} limit ${placeholder('limit')})`,
    ),
);
export type Range = Pick<ReplayRow, 'endpointId' | 'fromAt' | 'toAt' | 'statuses'>;
/** The number of deliveries of an endpoint in a range, counted up to `limit`. */
export function matchedInRange(scope: CompanyScope, range: Range, limit: number) {
  return selectMatched({ companyId: scope.companyId, ...range, limit });
}

const insertReplay = write(queries.insert(webhookReplays).values(placesOf(webhookReplays)));
/** Refused while another replay of the endpoint is running. */
export function replayInsert(scope: CompanyScope, row: Omit<ReplayRow, 'companyId'>) {
  return insertReplay({ ...row, companyId: scope.companyId });
}

const selectReplay = read(columns, (wanted) =>
  queries
    .select(wanted)
    .from(webhookReplays)
    .where(
      and(
        eq(webhookReplays.id, placeholder('id')),
        eq(webhookReplays.endpointId, placeholder('endpointId')),
        eq(webhookReplays.companyId, placeholder('companyId')),
      ),
    ),
);
export function replayById(scope: CompanyScope, endpointId: Uuid, id: Uuid) {
  return selectReplay({ companyId: scope.companyId, endpointId, id });
}

const outcomeColumns = { status: webhookDeliveries.status, count: webhookDeliveries.attemptCount };
const selectOutcomes = read(outcomeColumns, (wanted) =>
  queries
    .select({ ...wanted, count: sql`count(*)`.as('count') })
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.replayId, placeholder('id')), eq(webhookDeliveries.companyId, placeholder('companyId'))),
    )
    .groupBy(webhookDeliveries.status),
);
/** The number of deliveries of a replay in each status. */
export function replayOutcomes(scope: CompanyScope, id: Uuid) {
  return selectOutcomes({ companyId: scope.companyId, id });
}

const selectRunning = read(columns, (wanted) =>
  queries
    .select(wanted)
    .from(webhookReplays)
    .where(and(eq(webhookReplays.endpointId, placeholder('endpointId')), sql`${webhookReplays.state} = 'RUNNING'`)),
);
/** The replay that an endpoint's queue has to continue. */
export function runningReplay(endpointId: Uuid) {
  return selectRunning({ endpointId });
}

const nextColumns = { position: webhookDeliveries.position, createdAt: webhookDeliveries.createdAt };
const selectNext = read(nextColumns, () =>
  queries
    .select({ position: sql`d.position`.as('position'), createdAt: sql`d.created_at`.as('created_at') })
    // The first ones of each type are merged.
    .from(
      sql`${ofEndpoint} cross join webhook_deliveries as d on d.position in (select d.position from webhook_deliveries as d
        where ${isInRange} and (d.created_at, d.position) > (${placeholder('cursorAt')}, ${placeholder('cursorPosition')})
        order by d.created_at, d.position limit ${placeholder('limit')})`,
    )
    .orderBy(sql`d.created_at, d.position`)
    .limit(placeholder('limit')),
);
/** The next deliveries to replay. */
export function nextToReplay(
  row: Omit<ReplayRow, 'id' | 'state' | 'matched' | 'queued' | 'createdAt' | 'completedAt'>,
  limit: number,
) {
  const { companyId, endpointId, fromAt, toAt, statuses, cursorAt, cursorPosition } = row;
  return selectNext({ companyId, endpointId, fromAt, toAt, statuses, cursorAt, cursorPosition, limit });
}

const cancelReplay = write(
  queries
    .update(webhookReplays)
    .set({ state: sql`'CANCELLED'`, completedAt: sql`${placeholder('now')}` })
    .where(and(eq(webhookReplays.endpointId, placeholder('endpointId')), sql`${webhookReplays.state} = 'RUNNING'`)),
);
/** Ends a replay whose endpoint no longer takes deliveries. */
export function replayCancelled(endpointId: Uuid, now: Instant) {
  return cancelReplay({ endpointId, now });
}

const selectUntried = read({ position: webhookDeliveries.position }, (wanted) =>
  queries
    .select(wanted)
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.replayId, placeholder('id')), eq(webhookDeliveries.status, 'PENDING')))
    .limit(placeholder('limit')),
);
/** Deliveries of a replay that have not been attempted yet. */
export function unattemptedOf(id: Uuid, limit: number) {
  return selectUntried({ id, limit });
}

const insertBatch = write(
  queries.insert(webhookDeliveries).select(
    sql`select null, ${newUuid}, d.endpoint_id, d.company_id, d.event_id, d.event_type, d.shipment_id, ${placeholder('replayId')} || ':' || d.shipment_id, 'PENDING', 0, 0, ${placeholder('now')}, null, null, ${placeholder('now')}, null, d.id, ${placeholder('replayId')}, null, null
      from webhook_deliveries as d where d.position in (select value from json_each(${placeholder('positions')})) and ${canBeSent} order by d.created_at, d.position`,
  ),
);
const advanceReplay = write(
  queries
    .update(webhookReplays)
    .set({
      state: sql`${placeholder('state')}`,
      queued: sql`${webhookReplays.queued} + ${placeholder('count')}`,
      cursorAt: sql`${placeholder('nextAt')}`,
      cursorPosition: sql`${placeholder('nextPosition')}`,
      completedAt: sql`${placeholder('completedAt')}`,
    })
    .where(
      and(
        eq(webhookReplays.id, placeholder('replayId')),
        sql`${webhookReplays.state} = 'RUNNING'`,
        eq(webhookReplays.cursorPosition, placeholder('cursorPosition')),
      ),
    ),
  { mustChange: true },
);
export interface ReplayAdvance {
  readonly replayId: Uuid;
  /** The state that was read. */
  readonly cursorPosition: number;
  readonly nextAt: Instant;
  readonly nextPosition: number;
  readonly positions: readonly number[];
  readonly state: ReplayState;
  readonly completedAt: Instant | null;
  readonly likeId: Uuid;
  readonly now: Instant;
}
/** Queues these deliveries again and advances the replay. Refused if another queue was first. */
export function replayAdvance({ positions, likeId, now, ...advance }: ReplayAdvance) {
  const { replayId } = advance;
  return [
    advanceReplay({ ...advance, count: positions.length }),
    insertBatch({ replayId, likeId, now, positions: JSON.stringify(positions) }),
  ];
}
