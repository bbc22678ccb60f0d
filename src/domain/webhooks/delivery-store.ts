import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isFirstOfLine, isOpen, isUnpaused } from '../../../db/shard/deliveries.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { events } from '../../../db/shard/schema/events.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, placesOf, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { AttemptError, DeliveryStatus } from '../../contract/event-type.ts';
import type { WebhookDeliveryWithAttempts } from '../../contract/webhook.ts';
import { addMillis, formatInstant, type Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type LeaseHolder, PAUSE_SECONDS_FIRST, PAUSE_SECONDS_MAX } from '../../core/webhook-terms.ts';
import { isKept } from '../events/positions.ts';
import type { LeaseToken } from './lease.ts';

/* The SQL of an endpoint's queue, for endpoints of all companies. */

const selectEndpoint = read(columnsOf(webhookEndpoints), (columns) =>
  queries
    .select(columns)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, placeholder('id'))),
);
/** The endpoint of a queue, even if deleted. */
export function queueEndpoint(id: Uuid) {
  return selectEndpoint({ id });
}

/** More than one queue leases at once, so that a look finds free deliveries behind those that are being sent. */
export const LOOKED_AT_MAX = 128;
const hasHolder = sql`substr(d.lease_token, instr(d.lease_token, ' ') + 1) = ${placeholder('holder')}`;
/** Without a lease, or with a first lease of this process: it knows which of those it is sending. */
const isFree = sql`(coalesce(d.lease_until, 0) <= ${placeholder('realNow')} or ${hasHolder})`;
const nextColumns = {
  position: webhookDeliveries.position,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  leaseToken: webhookDeliveries.leaseToken,
  leaseUntil: webhookDeliveries.leaseUntil,
};
const selectNext = read(nextColumns, () =>
  queries
    .select({
      position: sql`d.position`,
      nextAttemptAt: sql`d.next_attempt_at`,
      leaseToken: sql`d.lease_token`,
      leaseUntil: sql`d.lease_until`,
    })
    .from(sql`webhook_deliveries as d`)
    .where(
      sql`d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and ${isFirstOfLine} and ${isAtHome(sql`d.company_id`)} and ${isFree}`,
    )
    .orderBy(sql`d.next_attempt_at, d.position`)
    .limit(LOOKED_AT_MAX),
);
/** The next open deliveries of the endpoint that no other queue has, unless its company's rows cannot be written. */
export function nextDeliveries(endpointId: Uuid, realNow: Instant, holder: LeaseHolder | null) {
  return selectNext({ endpointId, realNow, holder });
}

const selectLeaseEnd = read({ leaseUntil: webhookDeliveries.leaseUntil }, () =>
  queries.select({ leaseUntil: sql`min(lease_until)` }).from(
    sql`(select d.lease_until from webhook_deliveries as d indexed by webhook_deliveries_due
      where d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and not ${isFree} limit ${sql.raw(String(LOOKED_AT_MAX))})`,
  ),
);
/** When the first of some leases of other queues ends; null if they have none. */
export function leaseEndOfOthers(endpointId: Uuid, realNow: Instant, holder: LeaseHolder | null) {
  return selectLeaseEnd({ endpointId, realNow, holder });
}

const claim = write(
  queries
    .update(webhookDeliveries)
    .set({ leaseToken: sql`${placeholder('token')}`, leaseUntil: sql`${placeholder('until')}` })
    .where(
      sql`${webhookDeliveries.position} in (select d.position from json_each(${placeholder('positions')}) as wanted cross join webhook_deliveries as d on d.position = wanted.value where d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and d.next_attempt_at <= ${placeholder('now')} and ${isFree} and ${isFirstOfLine})
        and exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${placeholder('endpointId')} and ${webhookEndpoints.state} = 'ENABLED' and ${webhookEndpoints.version} = ${placeholder('version')} and ${isUnpaused(webhookEndpoints.pausedUntil, placeholder('now'))})`,
    ),
);
export interface Lease {
  readonly endpointId: Uuid;
  readonly version: number;
  readonly token: LeaseToken;
  /** On the clock of the company. */
  readonly now: Instant;
  /** Leases are in real time. */
  readonly realNow: Instant;
  readonly until: Instant;
  /** Of first leases that may be taken although they last. */
  readonly holder: LeaseHolder | null;
  readonly positions: readonly number[];
}
/**
 * Leases those of these deliveries that are still due to the holder of the token, until the lease expires. None if the
 * endpoint has changed or was paused since it was read.
 */
export function leaseTaken({ positions, ...lease }: Lease) {
  return claim({ ...lease, positions: JSON.stringify(positions) });
}

const isNamed = sql`${webhookDeliveries.position} in (select value from json_each(${placeholder('positions')}))`;
const claimedColumns = {
  position: webhookDeliveries.position,
  id: webhookDeliveries.id,
  companyId: webhookDeliveries.companyId,
  eventId: webhookDeliveries.eventId,
  pauseCount: webhookDeliveries.pauseCount,
  attemptCount: webhookDeliveries.attemptCount,
  body: events.body,
  createdAt: webhookDeliveries.createdAt,
  leaseToken: webhookDeliveries.leaseToken,
  leaseUntil: webhookDeliveries.leaseUntil,
};
const hasToken = sql`${webhookDeliveries.leaseToken} in (select value from json_each(${placeholder('tokens')}))`;
const selectClaimed = read(claimedColumns, (columns) =>
  queries
    .select(columns)
    .from(webhookDeliveries)
    .leftJoin(events, and(eq(events.id, webhookDeliveries.eventId), isKept))
    .where(and(isNamed, hasToken))
    .orderBy(webhookDeliveries.position),
);
/** `body` is null if the event is no longer kept. */
export type ClaimedDelivery = ReturnType<ReturnType<typeof selectClaimed>['decode']>;
interface Claimed {
  readonly tokens: readonly LeaseToken[];
  readonly positions: readonly number[];
}
/** Those of these deliveries that the leases have, with the text to send. */
export function claimedDeliveries({ tokens, positions }: Claimed) {
  return selectClaimed({ tokens: JSON.stringify(tokens), positions: JSON.stringify(positions) });
}

const heldDelivery = sql`${webhookDeliveries.leaseToken} = ${placeholder('token')}`;
const giveBack = write(
  queries
    .update(webhookDeliveries)
    .set({ leaseToken: sql`null`, leaseUntil: sql`null` })
    .where(and(isNamed, heldDelivery)),
);
/** Ends a lease of deliveries that were not sent. */
export function leaseGivenBack(token: LeaseToken, positions: readonly number[]) {
  return giveBack({ token, positions: JSON.stringify(positions) });
}

const giveBackFirst = write(
  queries
    .update(webhookDeliveries)
    .set({ leaseToken: sql`null`, leaseUntil: sql`null` })
    .where(
      sql`${webhookDeliveries.position} in (select d.position from webhook_deliveries as d indexed by webhook_deliveries_due
        where d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and ${hasHolder} and d.position not in (select value from json_each(${placeholder('busy')})))`,
    ),
);
/** Ends the first leases of this holder, but for those of deliveries that it is sending. */
export function firstLeasesGivenBack(endpointId: Uuid, holder: LeaseHolder, busy: readonly number[]) {
  return giveBackFirst({ endpointId, holder, busy: JSON.stringify(busy) });
}

// A token begins with its version, and a cast takes the digits before the space.
const selectLeased = read({ count: webhookDeliveries.attemptCount }, (wanted) =>
  queries
    .select({ ...wanted, count: sql`count(*)`.as('count') })
    .from(sql`webhook_deliveries as d indexed by webhook_deliveries_due`)
    .where(
      sql`d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and d.lease_until > ${placeholder('realNow')} and cast(d.lease_token as integer) < ${placeholder('version')}
        and substr(d.lease_token, instr(d.lease_token, ' ') + 1) is not ${placeholder('holder')}`,
    ),
);
/**
 * The number of deliveries that some queue has leased with an earlier version of the endpoint and may be sending, without the
 * first leases of `holder`.
 */
export function leasedBefore(endpointId: Uuid, version: number, realNow: Instant, holder: LeaseHolder | null) {
  return selectLeased({ endpointId, version, realNow, holder });
}

const insertAttempt = writeRow(queries.insert(webhookAttempts).values(placesOf(webhookAttempts)));
const settleDelivery = writeRow(
  queries
    .update(webhookDeliveries)
    .set({
      status: sql`settled.column3`,
      attemptCount: sql`settled.column4`,
      nextAttemptAt: sql`settled.column5`,
      completedAt: sql`settled.column6`,
      onlyAttempt: sql`settled.column7`,
      onlyExchange: sql`settled.column8`,
      leaseToken: sql`null`,
      leaseUntil: sql`null`,
    })
    .from(
      sql`(values (${placeholder('position')}, ${placeholder('token')}, ${placeholder('status')}, ${placeholder('attemptCount')}, ${placeholder('nextAttemptAt')}, ${placeholder('completedAt')}, ${placeholder('onlyAttempt')}, ${placeholder('onlyExchange')}, ${placeholder('deliveryId')})) as settled`,
    )
    .where(
      sql`${webhookDeliveries.position} = settled.column1 and ${webhookDeliveries.id} = settled.column9 and ${webhookDeliveries.leaseToken} = settled.column2`,
    ),
  { mustChange: true },
);
/** An attempt as it is shown. */
export type DeliveryAttempt = WebhookDeliveryWithAttempts['attempts'][number];

export interface Settlement {
  readonly deliveryId: Uuid;
  readonly position: number;
  readonly companyId: Uuid;
  readonly createdAt: Instant;
  readonly token: LeaseToken;
  /** Of the attempts, from 1, answers that paused the endpoint included. */
  readonly number: number;
  /** Without those answers. */
  readonly attemptCount: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: AttemptError | null;
  /** What was sent and answered, encrypted. */
  readonly exchange: string;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Instant | null;
  readonly completedAt: Instant | null;
}
/** Later, the sweep may have passed the time of the delivery, and no longer looks for what it sent. */
const ONLY_EXCHANGE_MS = 24 * 3600 * 1000;

/**
 * Stores the outcome of an attempt. Refuses the unit if another queue now holds the lease. Most deliveries succeed at the
 * first attempt, which is kept in their own row.
 */
export function settlementStatements({
  createdAt,
  startedAt,
  durationMs,
  responseStatus,
  error,
  exchange,
  ...settled
}: Settlement) {
  const { deliveryId, companyId, number, status } = settled;
  if (number === 1 && status === 'SUCCEEDED' && startedAt < addMillis(createdAt, ONLY_EXCHANGE_MS)) {
    const attempt = { number, startedAt: formatInstant(startedAt), durationMs, responseStatus, error };
    const onlyAttempt = JSON.stringify(attempt satisfies DeliveryAttempt);
    return [settleDelivery({ ...settled, onlyAttempt, onlyExchange: exchange })];
  }
  return [
    settleDelivery({ ...settled, onlyAttempt: null, onlyExchange: null }),
    insertAttempt({ deliveryId, companyId, number, startedAt, durationMs, responseStatus, error, exchange }),
  ];
}

/** Answers of one delivery that pause the endpoint and are shown among its attempts. Later ones change nothing. */
export const PAUSES_SHOWN_MAX = 10;

const keepPlace = write(
  queries
    .update(webhookDeliveries)
    .set({
      pauseCount: sql`${webhookDeliveries.pauseCount} + 1`,
      nextAttemptAt: sql`max(${webhookDeliveries.nextAttemptAt}, coalesce(${placeholder('deferredUntil')}, 0))`,
      leaseToken: sql`null`,
      leaseUntil: sql`null`,
    })
    .where(
      and(
        eq(webhookDeliveries.position, placeholder('position')),
        eq(webhookDeliveries.id, placeholder('deliveryId')),
        heldDelivery,
      ),
    ),
  { mustChange: true },
);
const FIRST_MICROS = sql.raw(String(PAUSE_SECONDS_FIRST * 1_000_000));
const MAX_MICROS = sql.raw(String(PAUSE_SECONDS_MAX * 1_000_000));
const growingPause = sql`min(${FIRST_MICROS} << min(${webhookEndpoints.pauseCount}, 20), ${MAX_MICROS})`;
const pauseEndpoint = write(
  queries
    .update(webhookEndpoints)
    .set({
      lastFailureAt: sql`${placeholder('now')}`,
      failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${placeholder('now')})`,
      // Requests that were sent together are one pause.
      pauseCount: sql`${webhookEndpoints.pauseCount} + ${isUnpaused(webhookEndpoints.pausedUntil, placeholder('now'))}`,
      pausedUntil: sql`case when ${placeholder('askedMicros')} is null and not ${isUnpaused(webhookEndpoints.pausedUntil, placeholder('now'))} then ${webhookEndpoints.pausedUntil}
        else max(coalesce(${webhookEndpoints.pausedUntil}, 0), ${placeholder('now')} + coalesce(${placeholder('askedMicros')}, ${growingPause})) end`,
    })
    .where(
      and(eq(webhookEndpoints.id, placeholder('endpointId')), eq(webhookEndpoints.version, placeholder('version'))),
    ),
);
export interface PauseOrder extends Omit<Settlement, 'attemptCount' | 'status' | 'nextAttemptAt' | 'completedAt'> {
  readonly endpointId: Uuid;
  /** An answer of an earlier address does not pause the next one. */
  readonly version: number;
  readonly now: Instant;
  readonly deferredUntil: Instant | null;
  readonly isShown: boolean;
  /** Null if the receiver did not say how long. */
  readonly askedMicros: bigint | null;
}
/**
 * Pauses the endpoint of a delivery. The delivery keeps its place and its attempts. Refuses the unit if another queue now
 * holds the lease.
 */
export function pauseStatements({ deliveryId, companyId, token, endpointId, version, now, ...order }: PauseOrder) {
  const { number, startedAt, durationMs, responseStatus, error, exchange, askedMicros } = order;
  return [
    keepPlace({ deliveryId, position: order.position, token, deferredUntil: order.deferredUntil }),
    pauseEndpoint({ endpointId, version, now, askedMicros }),
    ...(order.isShown
      ? [insertAttempt({ deliveryId, companyId, number, startedAt, durationMs, responseStatus, error, exchange })]
      : []),
  ];
}

/** The time of the last success may be this much older. */
const SUCCESS_MICROS = 300_000_000;
/** An answer of a request that was sent before the pause does not end it. */
const endedPause = (now: SQL) => ({
  pausedUntil: sql`case when ${webhookEndpoints.pausedUntil} > ${now} then ${webhookEndpoints.pausedUntil} end`,
  pauseCount: sql`case when ${webhookEndpoints.pausedUntil} > ${now} then ${webhookEndpoints.pauseCount} else 0 end`,
});
// Failures are counted one by one.
const countSuccess = writeRow(
  queries
    .update(webhookEndpoints)
    .set({
      lastSuccessAt: sql`succeeded.column2`,
      consecutiveFailures: sql`0`,
      failingSince: sql`null`,
      ...endedPause(sql`succeeded.column2`),
    })
    .from(sql`(values (${placeholder('id')}, ${placeholder('now')})) as succeeded`)
    .where(
      sql`${webhookEndpoints.id} = succeeded.column1 and (${webhookEndpoints.consecutiveFailures} > 0 or ${webhookEndpoints.failingSince} is not null or ${webhookEndpoints.pausedUntil} <= succeeded.column2 or coalesce(${webhookEndpoints.lastSuccessAt}, 0) <= succeeded.column2 - ${sql.raw(String(SUCCESS_MICROS))})`,
    ),
);
const countFailure = write(
  queries
    .update(webhookEndpoints)
    .set({
      lastFailureAt: sql`${placeholder('now')}`,
      consecutiveFailures: sql`${webhookEndpoints.consecutiveFailures} + 1`,
      failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${placeholder('now')})`,
      ...endedPause(sql`${placeholder('now')}`),
    })
    .where(eq(webhookEndpoints.id, placeholder('id'))),
);
/** The result of an attempt for its endpoint. */
export function attemptCounted(id: Uuid, isSuccess: boolean, now: Instant) {
  return isSuccess ? countSuccess({ id, now }) : countFailure({ id, now });
}

const disable = write(
  queries
    .update(webhookEndpoints)
    .set({
      state: sql`'AUTO_DISABLED'`,
      updatedAt: sql`${placeholder('now')}`,
      version: sql`${webhookEndpoints.version} + 1`,
    })
    .where(
      and(
        eq(webhookEndpoints.id, placeholder('id')),
        eq(webhookEndpoints.version, placeholder('version')),
        eq(webhookEndpoints.state, 'ENABLED'),
        // A success since the row was read has ended the failures, and does not change the version.
        sql`(${placeholder('failuresMin')} is null or (${webhookEndpoints.consecutiveFailures} >= ${placeholder('failuresMin')} and ${webhookEndpoints.failingSince} <= ${placeholder('failingBefore')}))`,
      ),
    ),
  { mustChange: true },
);
export interface DisableOrder {
  readonly id: Uuid;
  readonly version: number;
  readonly now: Instant;
  /** What the row must show in this unit, after its failure is counted. Undefined disables it whatever it shows. */
  readonly failing?: { readonly failuresMin: number; readonly failingBefore: Instant } | undefined;
}
/** Disables an endpoint. The unit is refused if its owner has changed it since it was read, or if it no longer fails. */
export function autoDisable({ id, version, now, failing }: DisableOrder) {
  const { failuresMin = null, failingBefore = null } = failing ?? {};
  return disable({ id, version, now, failuresMin, failingBefore });
}

/** The delivery has ended without being sent. */
const SKIPPED = {
  status: sql`'SKIPPED'`,
  completedAt: sql`${placeholder('now')}`,
  nextAttemptAt: sql`null`,
  leaseToken: sql`null`,
  leaseUntil: sql`null`,
};
const skipForgotten = write(
  queries
    .update(webhookDeliveries)
    .set(SKIPPED)
    .where(
      sql`${isNamed} and ${hasToken} and not exists (select 1 from ${events} where ${events.id} = ${webhookDeliveries.eventId} and ${isKept})`,
    ),
);
/** Skips leased deliveries whose event is no longer kept, because they cannot be sent any more. */
export function deletedEventsSkipped({ tokens, positions }: Claimed, now: Instant) {
  return skipForgotten({ tokens: JSON.stringify(tokens), positions: JSON.stringify(positions), now });
}

const skip = write(
  queries
    .update(webhookDeliveries)
    .set(SKIPPED)
    .where(
      sql`${webhookDeliveries.position} in (select d.position from webhook_deliveries as d indexed by webhook_deliveries_due where d.endpoint_id = ${placeholder('endpointId')} and ${isOpen} and ${isFree}
        and d.position not in (select value from json_each(${placeholder('busy')})) limit ${placeholder('limit')})
        and not exists (select 1 from ${webhookEndpoints} where ${webhookEndpoints.id} = ${placeholder('endpointId')} and ${webhookEndpoints.state} = 'ENABLED')`,
    ),
  { mustChange: true },
);
export interface SkipOrder extends Pick<Lease, 'endpointId' | 'now' | 'realNow' | 'holder'> {
  /** Positions of deliveries that this queue is sending. */
  readonly busy: readonly number[];
}
/** Skips some open deliveries of an endpoint that no longer takes any. Refused if there are none. */
export function deliveriesSkipped({ busy, ...order }: SkipOrder, limit: number) {
  return skip({ ...order, busy: JSON.stringify(busy), limit });
}
