import { and, asc, inArray, sql } from 'drizzle-orm';
import { registrationDocuments, registrations } from '../../../../db/directory/schema/registrations.ts';
import { queries, read, type WriteStatement, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* The SQL of the sweep of registrations, in the directory. */

const place = sql.placeholder;

/** Rows in one sweep; the next sweep continues. */
const SWEEP_MAX = 100;

/* States as text: SQLite does not use a partial index for a bound value. */

const selectUnprovisioned = read(
  { id: registrations.id, companyId: registrations.companyId, shard: registrations.shard },
  (columns) =>
    queries
      .select(columns)
      .from(registrations)
      .where(sql`${registrations.state} = 'COMPLETED' and ${registrations.provisionedAt} is null`)
      .orderBy(asc(registrations.id))
      .limit(SWEEP_MAX),
);
/** Companies whose rows may be missing in their shard. */
export function unprovisioned() {
  return selectUnprovisioned({});
}

const isExpired = sql`${registrations.state} = 'DRAFT' and ${registrations.expiresAt} < ${place('now')}`;
const selectExpired = read({ id: registrations.id }, (columns) =>
  queries.select(columns).from(registrations).where(isExpired).orderBy(asc(registrations.expiresAt)).limit(SWEEP_MAX),
);
/** Expired drafts. */
export function expiredDrafts(now: Instant) {
  return selectExpired({ now });
}

const ofIds = sql`(select value from json_each(${place('ids')}))`;
const selectObjectKeys = read({ objectKey: registrationDocuments.objectKey }, (columns) =>
  queries.select(columns).from(registrationDocuments).where(sql`${registrationDocuments.registrationId} in ${ofIds}`),
);
/** The object keys of the documents of these registrations. */
export function objectKeysOf(registrationIds: readonly Uuid[]) {
  return selectObjectKeys({ ids: JSON.stringify(registrationIds) });
}

const deleteDocuments = write(
  queries.delete(registrationDocuments).where(
    inArray(
      registrationDocuments.registrationId,
      queries
        .select({ id: registrations.id })
        .from(registrations)
        .where(and(sql`${registrations.id} in ${ofIds}`, isExpired)),
    ),
  ),
);
const deleteDrafts = write(queries.delete(registrations).where(and(sql`${registrations.id} in ${ofIds}`, isExpired)));
/** Deletes expired drafts and the rows of their documents. */
export function draftDeletion(registrationIds: readonly Uuid[], now: Instant): WriteStatement[] {
  const ids = JSON.stringify(registrationIds);
  return [deleteDocuments({ ids, now }), deleteDrafts({ ids, now })];
}
