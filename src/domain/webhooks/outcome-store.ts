import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isUnpaused } from '../../../db/shard/deliveries.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { placeholder, placesOf, queries, write, writeRow } from '../../../db/statement.ts';
import type { AttemptError, DeliveryStatus } from '../../contract/event-type.ts';
import type { WebhookDeliveryWithAttempts } from '../../contract/webhook.ts';
import { addMillis, formatInstant, type Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { PAUSE_SECONDS_FIRST, PAUSE_SECONDS_MAX } from '../../core/webhook-terms.ts';
import { heldDelivery } from './delivery-store.ts';
import type { LeaseToken } from './lease.ts';

/* The SQL of what an attempt has changed: its delivery, and its endpoint. */

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
