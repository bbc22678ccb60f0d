import { and, eq, sql } from 'drizzle-orm';
import { isFirstOfLine, isOpen, isUnpaused } from '../../../db/shard/deliveries.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { events } from '../../../db/shard/schema/events.ts';
import { webhookDeliveries, webhookEndpoints } from '../../../db/shard/schema/webhooks.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { LeaseHolder } from '../../core/webhook-terms.ts';
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

/** The lease of the sender. */
export const heldDelivery = sql`${webhookDeliveries.leaseToken} = ${placeholder('token')}`;
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
