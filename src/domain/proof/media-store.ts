import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { isAtHome } from '../../../db/shard/moving.ts';
import { proofMedia } from '../../../db/shard/schema/delivery-proofs.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { PROOF_MEDIA_MAX } from '../../contract/proof-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of pictures that drivers upload. */

type MediaRow = typeof proofMedia.$inferSelect;

const insertUploading = write<Omit<MediaRow, 'state'>>(
  queries.insert(proofMedia).select(
    sql`select ${placeholder('id')}, ${placeholder('shipmentId')}, ${placeholder('companyId')}, ${placeholder('driverId')}, ${placeholder('purpose')}, 'UPLOADING', ${placeholder('objectKey')},
        ${placeholder('sha256')}, ${placeholder('sizeBytes')}, ${placeholder('contentType')}, ${placeholder('recordedAt')}, ${placeholder('dueAt')}
        where (select count(*) from proof_media where shipment_id = ${placeholder('shipmentId')}) < ${sql.raw(String(PROOF_MEDIA_MAX))}
        on conflict do nothing`,
  ),
);
/** Inserts the row of a picture before its bytes are stored, unless the shipment has it or has as many as it may have. */
export function uploadingInsert(scope: CompanyScope, row: Omit<MediaRow, 'state' | 'companyId'>): WriteStatement {
  return insertUploading({ ...row, companyId: scope.companyId });
}

const updateReady = write(
  queries
    .update(proofMedia)
    .set({ state: 'READY', dueAt: sql`${placeholder('dueAt')}` })
    .where(
      and(
        eq(proofMedia.id, placeholder('id')),
        eq(proofMedia.companyId, placeholder('companyId')),
        eq(proofMedia.state, 'UPLOADING'),
      ),
    ),
  { mustChange: true },
);
/** Its bytes are stored. Refuses the unit if the sweep was faster. */
export function readyUpdate(scope: CompanyScope, id: Uuid, dueAt: Instant): WriteStatement {
  return updateReady({ companyId: scope.companyId, id, dueAt });
}

const dueColumns = { id: proofMedia.id, objectKey: proofMedia.objectKey };
const selectDue = read(dueColumns, (columns) =>
  queries
    .select(columns)
    .from(proofMedia)
    .where(and(lte(proofMedia.dueAt, placeholder('now')), isAtHome(proofMedia.companyId)))
    .orderBy(asc(proofMedia.dueAt))
    .limit(placeholder('limit')),
);
/** Pictures of all companies that were never stored, or are kept no longer. */
export function proofMediaDue(now: Instant, limit: number) {
  return selectDue({ now, limit });
}

const expireDue = write(
  queries
    .update(proofMedia)
    .set({ state: 'EXPIRED' })
    .where(
      and(
        sql`${proofMedia.id} in (select value from json_each(${placeholder('ids')}))`,
        lte(proofMedia.dueAt, placeholder('now')),
      ),
    ),
);
/** Before their objects are removed, so that no upload makes one of them READY meanwhile. */
export function proofMediaExpiry(ids: readonly Uuid[], now: Instant) {
  return expireDue({ ids: JSON.stringify(ids), now });
}

const deleteExpired = write(
  queries
    .delete(proofMedia)
    .where(
      and(
        sql`${proofMedia.id} in (select value from json_each(${placeholder('ids')}))`,
        eq(proofMedia.state, 'EXPIRED'),
      ),
    ),
);
/** After their objects are removed. The records keep their hashes. */
export function expiredProofMediaDelete(ids: readonly Uuid[]) {
  return deleteExpired({ ids: JSON.stringify(ids) });
}
