import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { trackingLinks } from '../../../db/shard/schema/tracking-links.ts';
import { check, columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of tracking links. */

export type TrackingLinkRow = typeof trackingLinks.$inferSelect;

const linkColumns = columnsOf(trackingLinks);
const ofShipment = and(
  eq(trackingLinks.shipmentId, placeholder('shipmentId')),
  eq(trackingLinks.companyId, placeholder('companyId')),
);

const insertLink = write(
  queries.insert(trackingLinks).select(
    sql`select ${placeholder('id')}, ${placeholder('tokenHash')}, ${placeholder('shipmentId')}, ${placeholder('companyId')}, ${placeholder('merchantName')},
      ${placeholder('locale')}, ${placeholder('label')}, ${placeholder('createdAt')}, ${placeholder('expiresAt')}, null, 0, null, 0, ${placeholder('sealedToken')}, ${placeholder('permissions')}
      where (select count(*) from tracking_links
        where shipment_id = ${placeholder('shipmentId')} and revoked_at is null and expires_at > ${placeholder('createdAt')}) < ${placeholder('max')}`,
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
    .where(and(ofShipment, isNull(trackingLinks.revokedAt), gt(trackingLinks.expiresAt, placeholder('now')))),
);
/** The active links of a shipment. */
export function activeLinks(scope: CompanyScope, shipmentId: Uuid, now: Instant) {
  return selectActive({ companyId: scope.companyId, shipmentId, now });
}

const selectLink = read(linkColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(and(ofShipment, eq(trackingLinks.id, placeholder('id')))),
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
        eq(trackingLinks.id, placeholder('id')),
        eq(trackingLinks.version, placeholder('version')),
        sql`${trackingLinks.revokedAt} is ${placeholder('revokedAt')}`,
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

const isBehind = sql`(${placeholder('createdAt')} is null or (${trackingLinks.createdAt}, ${trackingLinks.id}) < (${placeholder('createdAt')}, ${placeholder('key')}))`;
const selectPage = read(linkColumns, (columns) =>
  queries
    .select(columns)
    .from(trackingLinks)
    .where(and(ofShipment, isBehind))
    .orderBy(desc(trackingLinks.createdAt), desc(trackingLinks.id))
    .limit(placeholder('limit')),
);
/** Links of a shipment, newest first. */
export function linkPage(scope: CompanyScope, shipmentId: Uuid, after: Position | undefined, limit: number) {
  const position = { createdAt: after?.createdAt ?? null, key: after?.key ?? null };
  return selectPage({ companyId: scope.companyId, shipmentId, ...position, limit });
}

const revokeLink = write(
  queries
    .update(trackingLinks)
    .set({ revokedAt: sql`${placeholder('revokedAt')}`, version: sql`${trackingLinks.version} + 1`, sealedToken: null })
    .where(
      and(
        ofShipment,
        eq(trackingLinks.id, placeholder('id')),
        eq(trackingLinks.version, placeholder('version')),
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
    eq(shipments.id, placeholder('shipmentId')),
    eq(shipments.companyId, placeholder('companyId')),
    eq(shipments.version, placeholder('version')),
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
      viewCount: sql`${trackingLinks.viewCount} + (select value ->> 1 from json_each(${placeholder('views')}) where value ->> 0 = ${trackingLinks.tokenHash})`,
      lastViewedAt: sql`max(coalesce(${trackingLinks.lastViewedAt}, 0), (select value ->> 2 from json_each(${placeholder('views')}) where value ->> 0 = ${trackingLinks.tokenHash}))`,
    })
    // Views of a company that is moving are lost for a few seconds, so that they do not delay the views of others.
    .where(
      sql`${trackingLinks.tokenHash} in (select value ->> 0 from json_each(${placeholder('views')})) and ${isAtHome(trackingLinks.companyId)}`,
    ),
);
/** Views of a link since the last write. */
export interface Views {
  /** Finds the link by the index of tokens. */
  readonly tokenHash: string;
  readonly count: number;
  readonly lastViewedAt: Instant;
}
/** Adds views to the stored counts of their links. */
export function viewsAddition(views: readonly Views[]) {
  const rows = views.map(({ tokenHash, count, lastViewedAt }) => [tokenHash, count, Number(lastViewedAt)]);
  return addViews({ views: JSON.stringify(rows) });
}
