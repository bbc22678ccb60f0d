import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { shipmentRatings } from '../../../db/shard/schema/shipment-ratings.ts';
import { trackingLinks } from '../../../db/shard/schema/tracking-links.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of ratings. */

const linkColumns = {
  id: trackingLinks.id,
  shipmentId: trackingLinks.shipmentId,
  companyId: trackingLinks.companyId,
  expiresAt: trackingLinks.expiresAt,
  permissions: trackingLinks.permissions,
  merchantName: trackingLinks.merchantName,
  locale: trackingLinks.locale,
};
const selectLink = read(linkColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(
      and(
        eq(trackingLinks.tokenHash, placeholder('tokenHash')),
        isNull(trackingLinks.revokedAt),
        gt(trackingLinks.expiresAt, placeholder('now')),
      ),
    ),
);
/** The link with this token, unless it is revoked or expired. */
export function linkByToken(tokenHash: string, now: Instant) {
  return selectLink({ tokenHash, now });
}

const insertRating = write(
  queries.insert(shipmentRatings).select(
    sql`select id, company_id, ${placeholder('stars')}, ${placeholder('ratedAt')}, ${placeholder('eventId')} from shipments
      where id = ${placeholder('shipmentId')} and company_id = ${placeholder('companyId')} and state = 'DELIVERED'
        and exists (select 1 from tracking_links
          where id = ${placeholder('linkId')} and shipment_id = ${placeholder('shipmentId')} and revoked_at is null and expires_at > ${placeholder('ratedAt')})
        and not exists (select 1 from shipment_ratings where shipment_id = ${placeholder('shipmentId')})`,
  ),
  { mustChange: true },
);
export type NewRating = Omit<typeof shipmentRatings.$inferSelect, 'companyId'> & { readonly linkId: Uuid };
/**
 * A rating by the holder of this link. The unit is refused if the shipment is not delivered or has a rating, or if the link
 * has ended.
 */
export function ratingInsert(scope: CompanyScope, rating: NewRating) {
  return insertRating({ companyId: scope.companyId, ...rating });
}

const selectRating = read({ stars: shipmentRatings.stars }, (columns) =>
  queries
    .select(columns)
    .from(shipmentRatings)
    .where(
      and(
        eq(shipmentRatings.shipmentId, placeholder('shipmentId')),
        eq(shipmentRatings.companyId, placeholder('companyId')),
        eq(shipmentRatings.eventId, placeholder('eventId')),
      ),
    ),
);
/** Returns one row if the rating with this event was stored. */
export function ratingOf(scope: CompanyScope, { shipmentId, eventId }: Pick<NewRating, 'shipmentId' | 'eventId'>) {
  return selectRating({ companyId: scope.companyId, shipmentId, eventId });
}
