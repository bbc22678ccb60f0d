import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { trackingLinks } from '../../../db/shard/schema/tracking-links.ts';
import { check, columnsOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of tracking links. */

const place = sql.placeholder;

export type TrackingLinkRow = typeof trackingLinks.$inferSelect;

const linkColumns = columnsOf(trackingLinks);
const ofShipment = and(
  eq(trackingLinks.shipmentId, place('shipmentId')),
  eq(trackingLinks.companyId, place('companyId')),
);

const insertLink = write(
  queries.insert(trackingLinks).select(
    sql`select ${place('id')}, ${place('tokenHash')}, ${place('shipmentId')}, ${place('companyId')}, ${place('merchantName')},
      ${place('locale')}, ${place('label')}, ${place('createdAt')}, ${place('expiresAt')}, null, 0, null, 0, ${place('sealedToken')}
      where (select count(*) from tracking_links
        where shipment_id = ${place('shipmentId')} and revoked_at is null and expires_at > ${place('createdAt')}) < ${place('max')}`,
  ),
  { mustChange: true },
);
export type NewTrackingLinkRow = Omit<
  TrackingLinkRow,
  'companyId' | 'revokedAt' | 'viewCount' | 'lastViewedAt' | 'version'
>;
/** A new link. If its shipment already has `max` active links, the statement changes no row, which refuses the unit. */
export function linkInsert(scope: CompanyScope, row: NewTrackingLinkRow, max: number) {
  return insertLink({ companyId: scope.companyId, ...row, max });
}

const selectActive = read({ id: trackingLinks.id }, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(and(ofShipment, isNull(trackingLinks.revokedAt), gt(trackingLinks.expiresAt, place('now')))),
);
/** The active links of a shipment. */
export function activeLinks(scope: CompanyScope, shipmentId: Uuid, now: Instant) {
  return selectActive({ companyId: scope.companyId, shipmentId, now });
}

const selectLink = read(linkColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(and(ofShipment, eq(trackingLinks.id, place('id')))),
);
/** One link of a shipment. */
export function linkById(scope: CompanyScope, shipmentId: Uuid, id: Uuid) {
  return selectLink({ companyId: scope.companyId, shipmentId, id });
}

const selectLinkAs = read({ id: trackingLinks.id }, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(
      and(
        ofShipment,
        eq(trackingLinks.id, place('id')),
        eq(trackingLinks.version, place('version')),
        sql`${trackingLinks.revokedAt} is ${place('revokedAt')}`,
      ),
    ),
);
/** Returns one row if the link is as in this row. No two changes of a link have the same instant. */
export function linkAs(
  scope: CompanyScope,
  { shipmentId, id, version, revokedAt }: Pick<TrackingLinkRow, 'shipmentId' | 'id' | 'version' | 'revokedAt'>,
) {
  return selectLinkAs({ companyId: scope.companyId, shipmentId, id, version, revokedAt });
}

const isBehind = sql`(${place('createdAt')} is null or (${trackingLinks.createdAt}, ${trackingLinks.id}) < (${place('createdAt')}, ${place('key')}))`;
const selectPage = read(linkColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(and(ofShipment, isBehind))
    .orderBy(desc(trackingLinks.createdAt), desc(trackingLinks.id))
    .limit(place('limit')),
);
/** Links of a shipment, newest first. */
export function linkPage(scope: CompanyScope, shipmentId: Uuid, after: Position | undefined, limit: number) {
  const position = { createdAt: after?.createdAt ?? null, key: after?.key ?? null };
  return selectPage({ companyId: scope.companyId, shipmentId, ...position, limit });
}

const revokeLink = write(
  queries
    .update(trackingLinks)
    .set({ revokedAt: sql`${place('revokedAt')}`, version: sql`${trackingLinks.version} + 1`, sealedToken: null })
    .where(
      and(
        ofShipment,
        eq(trackingLinks.id, place('id')),
        eq(trackingLinks.version, place('version')),
        isNull(trackingLinks.revokedAt),
      ),
    ),
  { mustChange: true },
);
/** Revokes a link if it still has the version that was read; otherwise changes no row, which refuses the unit. */
export function linkRevocation(
  scope: CompanyScope,
  { id, shipmentId, version }: Pick<TrackingLinkRow, 'id' | 'shipmentId' | 'version'>,
  revokedAt: Instant,
) {
  return revokeLink({ companyId: scope.companyId, id, shipmentId, version, revokedAt });
}

const keepShipment = check(
  sql`exists (select 1 from ${shipments} where ${and(
    eq(shipments.id, place('shipmentId')),
    eq(shipments.companyId, place('companyId')),
    eq(shipments.version, place('version')),
  )})`,
);
/** Refuses the unit unless the shipment still has the version that was read. */
export function shipmentGuard(scope: CompanyScope, shipmentId: Uuid, version: number) {
  return keepShipment({ companyId: scope.companyId, shipmentId, version });
}

const addViews = write(
  queries
    .update(trackingLinks)
    .set({
      viewCount: sql`${trackingLinks.viewCount} + (select value ->> 1 from json_each(${place('views')}) where value ->> 0 = ${trackingLinks.id})`,
      lastViewedAt: sql`max(coalesce(${trackingLinks.lastViewedAt}, 0), (select value ->> 2 from json_each(${place('views')}) where value ->> 0 = ${trackingLinks.id}))`,
    })
    // Views of a company that is moving are lost for a few seconds, so that they do not delay the views of others.
    .where(
      sql`${trackingLinks.id} in (select value ->> 0 from json_each(${place('views')})) and ${isAtHome(trackingLinks.companyId)}`,
    ),
);
/** Views of a link since the last write. */
export interface Views {
  readonly linkId: Uuid;
  readonly count: number;
  readonly lastViewedAt: Instant;
}
/** Adds views to the stored counts of their links. */
export function viewsAddition(views: readonly Views[]) {
  const rows = views.map(({ linkId, count, lastViewedAt }) => [linkId, count, Number(lastViewedAt)]);
  return addViews({ views: JSON.stringify(rows) });
}
