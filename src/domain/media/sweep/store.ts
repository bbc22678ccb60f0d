import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import { mediaAssets } from '../../../../db/shard/schema/media-assets.ts';
import { shipments } from '../../../../db/shard/schema/shipments.ts';
import { queries, read, type WriteStatement, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* What a sweep finds and forgets of media assets, of any company. */

const place = sql.placeholder;
const isDue = lte(mediaAssets.dueAt, place('now'));
const isOneOfThem = sql`${mediaAssets.id} in (select value from json_each(${place('ids')}))`;

const selectDue = read({ id: mediaAssets.id }, (columns) =>
  queries.select(columns).from(mediaAssets).where(isDue).orderBy(asc(mediaAssets.dueAt)).limit(place('limit')),
);
/** Pictures that are to be looked at. */
export function mediaDue(now: Instant, limit: number) {
  return selectDue({ now, limit });
}

const postponeAttached = write(
  queries
    .update(mediaAssets)
    .set({ dueAt: sql`${shipments.createdAt} + ${place('keptMicros')}` })
    .from(shipments)
    .where(
      and(
        isOneOfThem,
        eq(mediaAssets.state, 'READY'),
        eq(shipments.companyId, mediaAssets.companyId),
        eq(shipments.externalReference, mediaAssets.externalReference),
        sql`${shipments.createdAt} + ${place('keptMicros')} > ${place('now')}`,
      ),
    ),
);
const expireDue = write(
  queries
    .update(mediaAssets)
    .set({ state: 'EXPIRED' })
    .where(and(isOneOfThem, isDue, ne(mediaAssets.state, 'EXPIRED'))),
);
/**
 * Those that have their shipment stay until it is `keptMicros` old; the others can be attached no more. In this order, in
 * one unit: what a creation has just attached is not given up.
 */
export function mediaExpiry(ids: readonly Uuid[], now: Instant, keptMicros: bigint): WriteStatement[] {
  const values = { ids: JSON.stringify(ids), now };
  return [postponeAttached({ ...values, keptMicros }), expireDue(values)];
}

const isGone = and(isOneOfThem, eq(mediaAssets.state, 'EXPIRED'));
const selectExpired = read({ objectKey: mediaAssets.objectKey }, (columns) =>
  queries.select(columns).from(mediaAssets).where(isGone),
);
/** Under which keys an object store holds those of them that nobody needs. */
export function expiredKeysOf(ids: readonly Uuid[]) {
  return selectExpired({ ids: JSON.stringify(ids) });
}

const deleteExpired = write(queries.delete(mediaAssets).where(isGone));
/** Forgets those of them that nobody needs, once their objects are removed. */
export function expiredMediaDelete(ids: readonly Uuid[]) {
  return deleteExpired({ ids: JSON.stringify(ids) });
}
