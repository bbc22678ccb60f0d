import { and, asc, eq, lte, ne, sql } from 'drizzle-orm';
import { isAtHome } from '../../../../db/shard/moving.ts';
import { mediaAssets, mediaLists } from '../../../../db/shard/schema/media-assets.ts';
import { shipments } from '../../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { listOf } from '../store.ts';

/* The SQL of the sweep of media assets, for all companies. */

const isDue = lte(mediaAssets.dueAt, placeholder('now'));
const isOneOfThem = sql`${mediaAssets.id} in (select value from json_each(${placeholder('ids')}))`;

const selectDue = read({ id: mediaAssets.id }, (columns) =>
  queries
    .select(columns)
    .from(mediaAssets)
    .where(and(isDue, isAtHome(mediaAssets.companyId)))
    .orderBy(asc(mediaAssets.dueAt))
    .limit(placeholder('limit')),
);
/** Pictures that are due for a check. */
export function mediaDue(now: Instant, limit: number) {
  return selectDue({ now, limit });
}

const postponeAttached = write(
  queries
    .update(mediaAssets)
    .set({ dueAt: sql`${shipments.createdAt} + ${placeholder('keptMicros')}` })
    .from(shipments)
    .where(
      and(
        isOneOfThem,
        eq(mediaAssets.state, 'READY'),
        eq(shipments.companyId, mediaAssets.companyId),
        eq(shipments.externalReference, mediaAssets.externalReference),
        sql`${shipments.createdAt} + ${placeholder('keptMicros')} > ${placeholder('now')}`,
      ),
    ),
);
const expireDue = write(
  queries
    .update(mediaAssets)
    .set({ state: 'EXPIRED' })
    .where(and(isOneOfThem, isDue, ne(mediaAssets.state, 'EXPIRED'))),
);
const affected = sql`select distinct company_id, external_reference from media_assets where state = 'EXPIRED' and ${isOneOfThem}`;
const deleteLists = write(queries.delete(mediaLists).where(sql`(company_id, external_reference) in (${affected})`));
const insertLists = write(
  queries.insert(mediaLists).select(
    sql`select company_id, external_reference, ${listOf(sql`one.company_id`, sql`one.external_reference`)} from (${affected}) as one
      where exists (select 1 from media_assets as left_over where left_over.state = 'READY'
        and left_over.company_id = one.company_id and left_over.external_reference = one.external_reference)`,
  ),
);
/**
 * Keeps pictures with a shipment until it is `keptMicros` old, and expires the others. The order within one unit matters:
 * a picture that a creation has just attached must not expire. Expired pictures are removed from the list.
 */
export function mediaExpiry(ids: readonly Uuid[], now: Instant, keptMicros: bigint): WriteStatement[] {
  const ofThem = { ids: JSON.stringify(ids) };
  const due = { ...ofThem, now };
  return [postponeAttached({ ...due, keptMicros }), expireDue(due), deleteLists(ofThem), insertLists(ofThem)];
}

const isGone = and(isOneOfThem, eq(mediaAssets.state, 'EXPIRED'));
const selectExpired = read({ objectKey: mediaAssets.objectKey }, (columns) =>
  queries.select(columns).from(mediaAssets).where(isGone),
);
/** The object keys of those pictures that are no longer needed. */
export function expiredKeysOf(ids: readonly Uuid[]) {
  return selectExpired({ ids: JSON.stringify(ids) });
}

const deleteExpired = write(queries.delete(mediaAssets).where(isGone));
/** Deletes the rows of those pictures that are no longer needed. Remove their objects first. */
export function expiredMediaDelete(ids: readonly Uuid[]) {
  return deleteExpired({ ids: JSON.stringify(ids) });
}
