import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type DeliveryGroup, eachGroup, isOfGroup, positionOfDelivery } from '../../../db/shard/deliveries.ts';
import { events } from '../../../db/shard/schema/events.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, queries, read, variants } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { DeliveryStatus, EventType } from '../../contract/event-type.ts';
import type { Instant } from '../../core/instant.ts';
import { REPLAY_MATCHED_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import { isKept } from '../events/positions.ts';
import type { Position } from '../page.ts';

/* The SQL of the log of deliveries. */

// Exchanges are long, and only the operation that shows one attempt reads them.
const { onlyExchange: _, ...columns } = columnsOf(webhookDeliveries);
const { exchange, ...attemptColumns } = columnsOf(webhookAttempts);

export type DeliveryRow = Omit<typeof webhookDeliveries.$inferSelect, 'onlyExchange'>;
export type AttemptRow = Omit<typeof webhookAttempts.$inferSelect, 'exchange'>;

export interface DeliveryFilter {
  readonly endpointId?: Uuid | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: EventType | undefined;
  readonly shipmentId?: Uuid | undefined;
}

const ofCompany = eq(webhookDeliveries.companyId, placeholder('companyId'));
// The plus signs keep SQLite on the index of the list, in whose order the rows are wanted.
const CONDITIONS = {
  endpointId: sql`+${webhookDeliveries.endpointId} = ${placeholder('endpointId')}`,
  eventType: sql`+${webhookDeliveries.eventType} = ${placeholder('eventType')}`,
  shipmentId: eq(webhookDeliveries.shipmentId, placeholder('shipmentId')),
} as const;
type FilterName = keyof typeof CONDITIONS;
const isAfter = sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.position}) < (${placeholder('createdAt')}, ${placeholder('key')})`;

/** Any: no filter by status. The text of a status must be in the statement, otherwise no partial index fits. */
type WantedStatus = DeliveryStatus | 'ANY';
const hasStatus = (status: WantedStatus) => (status === 'ANY' ? sql`true` : sql.raw(`d.status = '${status}'`));

/** The newest of each endpoint and type are merged, so that no index of all deliveries is needed. */
const newestOfGroups = (group: DeliveryGroup, status: WantedStatus, isPaged: boolean) => {
  const before = isPaged
    ? sql`and (d.created_at, d.position) < (${placeholder('createdAt')}, ${placeholder('key')})`
    : sql``;
  const ofGroup = sql`(select d.position from webhook_deliveries as d where ${isOfGroup(group)}
    and ${hasStatus(status)} ${before} order by d.created_at desc, d.position desc limit ${placeholder('limit')})`;
  return sql`(select f.position from ${eachGroup(group)} cross join webhook_deliveries as f on f.position in ${ofGroup})`;
};
/** Open deliveries of the company that were never attempted, from the index of due ones: usually few. */
const PENDING = sql`(select d.position from webhook_endpoints as e cross join webhook_deliveries as d indexed by webhook_deliveries_due
  on d.endpoint_id = e.id where e.company_id = ${placeholder('companyId')} and d.status in ('PENDING', 'RETRYING') and d.status = 'PENDING')`;

const selectPage = variants((names: readonly FilterName[], status: WantedStatus, isPaged: boolean) => {
  const isOfStatus = status === 'ANY' ? undefined : sql`${webhookDeliveries.status} = ${sql.raw(`'${status}'`)}`;
  const isAmong = (positions: SQL) => sql`${webhookDeliveries.position} in ${positions}`;
  const isMerged = !names.includes('shipmentId') && (status === 'ANY' || status === 'SUCCEEDED');
  const group = { hasEndpoint: names.includes('endpointId'), hasType: names.includes('eventType') };
  const among = isMerged
    ? isAmong(newestOfGroups(group, status, isPaged))
    : status === 'PENDING'
      ? isAmong(PENDING)
      : undefined;
  const wanted = names.map((name) => CONDITIONS[name]);
  // With a plain condition SQLite would read every delivery of the company and look it up among the positions.
  const own = among === undefined ? ofCompany : sql`+${webhookDeliveries.companyId} = ${placeholder('companyId')}`;
  return read(columns, (selected) =>
    queries
      .select(selected)
      .from(webhookDeliveries)
      .where(and(own, among, isOfStatus, ...wanted, isPaged ? isAfter : undefined))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.position))
      .limit(placeholder('limit')),
  );
});

/** Deliveries of the company, newest first. The key of a position is the delivery's position in the table. */
export function deliveryPage(scope: CompanyScope, filter: DeliveryFilter, after: Position | undefined, limit: number) {
  const names = (Object.keys(CONDITIONS) as FilterName[]).filter((name) => filter[name] !== undefined);
  return selectPage(
    names,
    filter.status ?? 'ANY',
    after !== undefined,
  )({
    companyId: scope.companyId,
    endpointId: filter.endpointId ?? null,
    eventType: filter.eventType ?? null,
    shipmentId: filter.shipmentId ?? null,
    createdAt: after?.createdAt ?? null,
    key: after === undefined ? null : BigInt(after.key),
    limit,
  });
}

/** Failed deliveries that are looked through: an outage makes thousands, and most of them are sent again together. */
const FAILED_READ_MAX = 1000;
const newestFailed = sql`(select d.position from webhook_deliveries as d where d.company_id = ${placeholder('companyId')}
  and d.status = 'EXHAUSTED' and d.created_at >= ${placeholder('since')} order by d.created_at desc limit ${sql.raw(String(FAILED_READ_MAX))}) as failed`;
const laterOf = (same: SQL, condition: SQL) => sql`exists (select 1 from ${webhookDeliveries} as later where ${same}
  and later.created_at >= ${webhookDeliveries.createdAt} and later.position > ${webhookDeliveries.position}
  and later.event_id = ${webhookDeliveries.eventId} and later.endpoint_id = ${webhookDeliveries.endpointId}
  and ${condition})`;
/** Each by an index. Few events have no shipment. */
const hasLater = (condition: SQL) => sql`case when ${webhookDeliveries.shipmentId} is null
  then ${laterOf(sql`later.company_id = ${webhookDeliveries.companyId} and later.event_type = ${webhookDeliveries.eventType}`, condition)}
  else ${laterOf(sql`later.shipment_id = ${webhookDeliveries.shipmentId}`, condition)} end`;
const isSentAgain = hasLater(sql`later.status <> 'SKIPPED'`);
const isEnabled = sql`exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${webhookDeliveries.endpointId} and ${webhookEndpoints.state} = 'ENABLED')`;
const selectUnsent = read(columns, (selected) =>
  queries
    .select(selected)
    .from(newestFailed)
    .crossJoin(webhookDeliveries)
    .where(and(sql`${webhookDeliveries.position} = failed.position`, isEnabled, sql`not ${isSentAgain}`))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.position))
    .limit(placeholder('limit')),
);
/**
 * Deliveries since an instant that failed for good and were not sent again, newest first. Their endpoints are enabled. One
 * that was sent again and failed again is a delivery of its own.
 */
export function unsentDeliveries(scope: CompanyScope, since: Instant, limit: number) {
  return selectUnsent({ companyId: scope.companyId, since, limit });
}

/** Deliveries that are looked through per status: an endpoint that is disabled for days skips every event. */
const MISSED_READ_MAX = 2 * REPLAY_MATCHED_MAX;
const missedWith = (status: 'EXHAUSTED' | 'SKIPPED') =>
  sql`select * from (select one.position from (select d.position, d.endpoint_id, d.replay_of from webhook_deliveries as d
  where d.company_id = ${placeholder('companyId')} and d.status = ${sql.raw(`'${status}'`)} and d.created_at >= ${placeholder('since')}
  order by d.created_at desc limit ${sql.raw(String(MISSED_READ_MAX))}) as one
  where one.endpoint_id = ${placeholder('endpointId')} and one.replay_of is null limit ${sql.raw(String(REPLAY_MATCHED_MAX))})`;
const missed = sql`(${missedWith('EXHAUSTED')} union all ${missedWith('SKIPPED')}) as missed`;
const hasArrived = hasLater(sql`later.status in ('SUCCEEDED', 'PENDING', 'RETRYING')`);
const selectOldestMissed = read({ createdAt: webhookDeliveries.createdAt }, (selected) =>
  queries
    .select(selected)
    .from(missed)
    .crossJoin(webhookDeliveries)
    .where(and(sql`${webhookDeliveries.position} = missed.position`, sql`not ${hasArrived}`))
    .orderBy(asc(webhookDeliveries.createdAt))
    .limit(1),
);
/**
 * When the oldest delivery since an instant was created that failed or was skipped, and whose event has not reached the
 * endpoint since and is not on its way. Deliveries that were made by sending one again do not count: their first one does.
 */
export function oldestMissed(scope: CompanyScope, endpointId: Uuid, since: Instant) {
  return selectOldestMissed({ companyId: scope.companyId, endpointId, since });
}

const selectDelivery = read(columns, (selected) =>
  queries
    .select(selected)
    .from(webhookDeliveries)
    .where(and(sql`${webhookDeliveries.position} = ${positionOfDelivery(sql`${placeholder('id')}`)}`, ofCompany)),
);
export function deliveryById(scope: CompanyScope, id: Uuid) {
  return selectDelivery({ companyId: scope.companyId, id });
}

const ofDelivery = and(
  eq(webhookAttempts.deliveryId, placeholder('id')),
  eq(webhookAttempts.companyId, placeholder('companyId')),
);
const selectAttempts = read(attemptColumns, (selected) =>
  queries.select(selected).from(webhookAttempts).where(ofDelivery).orderBy(asc(webhookAttempts.number)),
);
/** Attempts of one delivery of the company, oldest first. */
export function attemptsOf(scope: CompanyScope, id: Uuid) {
  return selectAttempts({ companyId: scope.companyId, id });
}

const selectAttempt = read({ ...attemptColumns, exchange }, (selected) =>
  queries
    .select(selected)
    .from(webhookAttempts)
    .where(and(ofDelivery, eq(webhookAttempts.number, placeholder('number')))),
);
/** An attempt with its exchange, unless it is a first one that succeeded. */
export function attemptWithExchange(scope: CompanyScope, id: Uuid, number: number) {
  return selectAttempt({ companyId: scope.companyId, id, number });
}

const sentColumns = {
  endpointId: webhookDeliveries.endpointId,
  eventId: webhookDeliveries.eventId,
  onlyAttempt: webhookDeliveries.onlyAttempt,
  onlyExchange: webhookDeliveries.onlyExchange,
  body: events.body,
  url: webhookEndpoints.url,
};
const selectSent = read(sentColumns, (selected) =>
  queries
    .select(selected)
    .from(webhookDeliveries)
    .leftJoin(events, and(eq(events.id, webhookDeliveries.eventId), isKept))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(and(sql`${webhookDeliveries.position} = ${positionOfDelivery(sql`${placeholder('id')}`)}`, ofCompany)),
);
/** What a delivery sends. `body` is null if the event was deleted, `url` if the endpoint was. */
export function sentBy(scope: CompanyScope, id: Uuid) {
  return selectSent({ companyId: scope.companyId, id });
}
