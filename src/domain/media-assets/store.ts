import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { mediaAssets, mediaLists } from '../../../db/shard/schema/media-assets.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, variants, type WriteStatement, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of media assets. Attaching needs no SQL here: the event of a creation copies the list of its pictures. */

export type MediaAssetRow = typeof mediaAssets.$inferSelect;

/** Must be the same text as in the partial index, otherwise SQLite does not use the index. */
const isReady = sql.raw(`state = 'READY'`);

/** Whether one more picture may become READY: the reference has no shipment and fewer than `max` pictures. */
const hasRoom = sql`not exists (select 1 from ${shipments}
    where ${shipments.companyId} = ${placeholder('companyId')} and ${shipments.externalReference} = ${placeholder('externalReference')})
  and (select count(*) from media_assets
    where company_id = ${placeholder('companyId')} and external_reference = ${placeholder('externalReference')} and ${isReady}) < ${placeholder('max')}`;

const insertUploading = write(
  queries.insert(mediaAssets).select(
    sql`select ${placeholder('id')}, ${placeholder('companyId')}, ${placeholder('externalReference')}, ${placeholder('sortOrder')}, 'UPLOADING', ${placeholder('objectKey')},
      ${placeholder('sha256')}, ${placeholder('sizeBytes')}, ${placeholder('contentType')}, ${placeholder('createdAt')}, ${placeholder('dueAt')} where ${hasRoom}`,
  ),
  { mustChange: true },
);
/** Inserts the row of a picture before its bytes are stored. If the reference has no room, the unit is refused. */
export function uploadingInsert(scope: CompanyScope, row: Omit<MediaAssetRow, 'companyId' | 'state'>, max: number) {
  return insertUploading({ ...row, companyId: scope.companyId, max });
}

const ofCompany = and(eq(mediaAssets.id, placeholder('id')), eq(mediaAssets.companyId, placeholder('companyId')));
const updateReady = write(
  queries
    .update(mediaAssets)
    .set({ state: 'READY', dueAt: sql`${placeholder('dueAt')}` })
    .where(and(ofCompany, eq(mediaAssets.state, 'UPLOADING'), hasRoom)),
  { mustChange: true },
);
/** The list of a reference's READY pictures. sqld does not support ORDER BY in an aggregate. */
export function listOf(companyId: SQL, externalReference: SQL): SQL {
  return sql`(select json_group_array(json_object('mediaAssetId', id, 'purpose', 'SHIPMENT_CREATION_EVIDENCE', 'sortOrder', sort_order))
    from (select id, sort_order from media_assets
      where company_id = ${companyId} and external_reference = ${externalReference} and ${isReady} order by sort_order, id))`;
}

const deleteList = write(
  queries
    .delete(mediaLists)
    .where(
      and(
        eq(mediaLists.companyId, placeholder('companyId')),
        eq(mediaLists.externalReference, placeholder('externalReference')),
      ),
    ),
);
const insertList = write(
  queries
    .insert(mediaLists)
    .select(
      sql`select ${placeholder('companyId')}, ${placeholder('externalReference')}, ${listOf(sql`${placeholder('companyId')}`, sql`${placeholder('externalReference')}`)}`,
    ),
);
/** Marks the picture READY. If the reference has no room any more, the unit is refused. */
export function readyStatements(
  scope: CompanyScope,
  { id, externalReference }: Pick<MediaAssetRow, 'id' | 'externalReference'>,
  { dueAt, max }: { readonly dueAt: Instant; readonly max: number },
): WriteStatement[] {
  const reference = { companyId: scope.companyId, externalReference };
  return [updateReady({ ...reference, id, dueAt, max }), deleteList(reference), insertList(reference)];
}

const readyColumns = {
  id: mediaAssets.id,
  objectKey: mediaAssets.objectKey,
  contentType: mediaAssets.contentType,
  externalReference: mediaAssets.externalReference,
};
const selectReady = read(readyColumns, (columns) =>
  queries.select(columns).from(mediaAssets).where(and(ofCompany, isReady)),
);
/** The picture, if it is READY. */
export function readyById(scope: CompanyScope, id: Uuid) {
  return selectReady({ companyId: scope.companyId, id });
}

// `count` only gives the right column type.
const countReady = read({ count: mediaAssets.sortOrder }, () =>
  queries
    .select({ count: sql`count(*)`.as('count') })
    .from(mediaAssets)
    .where(
      and(
        eq(mediaAssets.companyId, placeholder('companyId')),
        eq(mediaAssets.externalReference, placeholder('externalReference')),
        isReady,
      ),
    ),
);
/** The number of pictures that wait for the shipment with this reference. */
export function readyOfReference(scope: CompanyScope, externalReference: string) {
  return countReady({ companyId: scope.companyId, externalReference });
}

const listedColumns = {
  id: mediaAssets.id,
  externalReference: mediaAssets.externalReference,
  sortOrder: mediaAssets.sortOrder,
  contentType: mediaAssets.contentType,
  sizeBytes: mediaAssets.sizeBytes,
  sha256: mediaAssets.sha256,
  createdAt: mediaAssets.createdAt,
  shipmentId: shipments.id,
};
const isAttached = and(
  eq(shipments.companyId, mediaAssets.companyId),
  eq(shipments.externalReference, mediaAssets.externalReference),
);
const selectPage = variants((hasReference: boolean, hasPosition: boolean) =>
  read(listedColumns, (columns) =>
    queries
      .select(columns)
      .from(mediaAssets)
      .leftJoin(shipments, isAttached)
      .where(
        and(
          eq(mediaAssets.companyId, placeholder('companyId')),
          sql`${mediaAssets}.${isReady}`,
          hasReference ? eq(mediaAssets.externalReference, placeholder('externalReference')) : undefined,
          hasPosition
            ? sql`(${mediaAssets.createdAt}, ${mediaAssets.id}) < (${placeholder('createdAt')}, ${placeholder('id')})`
            : undefined,
        ),
      )
      .orderBy(desc(mediaAssets.createdAt), desc(mediaAssets.id))
      .limit(placeholder('limit')),
  ),
);
export type ListedMediaRow = ReturnType<ReturnType<ReturnType<typeof selectPage>>['decode']>;
/** READY pictures of the company, newest first, each with its shipment. */
export function mediaPage(
  scope: CompanyScope,
  externalReference: string | undefined,
  after: Position | undefined,
  limit: number,
) {
  return selectPage(
    externalReference !== undefined,
    after !== undefined,
  )({
    companyId: scope.companyId,
    externalReference: externalReference ?? null,
    createdAt: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const expireUnattached = write(
  queries
    .update(mediaAssets)
    .set({ state: 'EXPIRED', dueAt: sql`${placeholder('now')}` })
    .where(and(ofCompany, isReady, sql`not exists (select 1 from ${shipments} where ${isAttached})`)),
  { mustChange: true },
);
const insertListLeft = write(
  queries.insert(mediaLists).select(
    sql`select ${placeholder('companyId')}, ${placeholder('externalReference')}, ${listOf(sql`${placeholder('companyId')}`, sql`${placeholder('externalReference')}`)}
        where exists (select 1 from media_assets
          where company_id = ${placeholder('companyId')} and external_reference = ${placeholder('externalReference')} and ${isReady})`,
  ),
);
/** Leaves the object and the row to the sweep. If the picture has a shipment by now, or is gone, the unit is refused. */
export function removalStatements(
  scope: CompanyScope,
  { id, externalReference }: Pick<MediaAssetRow, 'id' | 'externalReference'>,
  now: Instant,
): WriteStatement[] {
  const reference = { companyId: scope.companyId, externalReference };
  return [expireUnattached({ ...reference, id, now }), deleteList(reference), insertListLeft(reference)];
}

const selectNamed = read(
  { id: mediaAssets.id, externalReference: mediaAssets.externalReference, shipmentId: shipments.id },
  (columns) =>
    queries
      .select(columns)
      .from(mediaAssets)
      .leftJoin(shipments, isAttached)
      .where(
        and(
          eq(mediaAssets.companyId, placeholder('companyId')),
          sql`${mediaAssets}.${isReady}`,
          sql`${mediaAssets.id} in (select value from json_each(${placeholder('ids')}))`,
        ),
      ),
);
/** Those of the pictures that are READY, with their shipment if they have one. */
export function picturesByIds(scope: CompanyScope, ids: readonly Uuid[]) {
  return selectNamed({ companyId: scope.companyId, ids: JSON.stringify(ids) });
}

const attach = write(
  queries
    .update(mediaAssets)
    .set({ externalReference: sql`${placeholder('shipmentReference')}`, dueAt: sql`${placeholder('dueAt')}` })
    .where(
      and(
        ofCompany,
        isReady,
        sql`not exists (select 1 from ${shipments} where ${isAttached})`,
        sql`exists (select 1 from ${shipments} where ${shipments.companyId} = ${placeholder('companyId')}
          and ${shipments.externalReference} = ${placeholder('shipmentReference')} and ${shipments.forgottenAt} is null)`,
      ),
    ),
  { mustChange: true },
);
const keepReady = write(
  queries
    .update(mediaAssets)
    .set({ dueAt: sql`max(${mediaAssets.dueAt}, ${placeholder('dueAt')})` })
    .where(and(ofCompany, isReady)),
);
/** Keeps a picture of a shipment until `dueAt` at least. */
export function keepStatement(scope: CompanyScope, id: Uuid, dueAt: Instant): WriteStatement {
  return keepReady({ companyId: scope.companyId, id, dueAt });
}

/** Gives a waiting picture to a shipment that exists, and keeps it until `dueAt`. If it has another shipment by now, or the recipient was forgotten, the unit is refused. */
export function attachStatements(
  scope: CompanyScope,
  { id, externalReference }: Pick<MediaAssetRow, 'id' | 'externalReference'>,
  { shipmentReference, dueAt }: { readonly shipmentReference: string; readonly dueAt: Instant },
): WriteStatement[] {
  const reference = { companyId: scope.companyId, externalReference };
  const attached = attach({ companyId: scope.companyId, id, shipmentReference, dueAt });
  return [attached, deleteList(reference), insertListLeft(reference)];
}

const selectExpired = read({ id: mediaAssets.id }, (columns) =>
  queries
    .select(columns)
    .from(mediaAssets)
    .where(and(ofCompany, eq(mediaAssets.state, 'EXPIRED'))),
);
/** The picture, if it was removed or is no longer needed. */
export function expiredById(scope: CompanyScope, id: Uuid) {
  return selectExpired({ companyId: scope.companyId, id });
}
