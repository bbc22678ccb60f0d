import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { companies } from '../../../../db/directory/schema/companies.ts';
import { registrationDocuments, registrations } from '../../../../db/directory/schema/registrations.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* The SQL of the sweep of registrations, in the directory. */

/** Rows in one sweep; the next sweep continues. */
const SWEEP_MAX = 100;

/* States as text: SQLite does not use a partial index for a bound value. */

const selectUnprovisioned = read(
  { id: registrations.id, companyId: registrations.companyId, shard: companies.shard, review: registrations.review },
  (columns) =>
    queries
      .select(columns)
      .from(registrations)
      // The company may have moved since its registration.
      .innerJoin(companies, eq(companies.id, registrations.companyId))
      .where(sql`${registrations.state} = 'COMPLETED' and ${registrations.provisionedAt} is null`)
      .orderBy(asc(registrations.id))
      .limit(SWEEP_MAX),
);
/** Companies whose rows or whose review may be missing in their shard. */
export function unprovisioned() {
  return selectUnprovisioned({});
}

const isExpired = sql`${registrations.state} = 'DRAFT' and ${registrations.expiresAt} < ${placeholder('now')}`;
const selectExpired = read({ id: registrations.id }, (columns) =>
  queries.select(columns).from(registrations).where(isExpired).orderBy(asc(registrations.expiresAt)).limit(SWEEP_MAX),
);
/** Expired drafts. */
export function expiredDrafts(now: Instant) {
  return selectExpired({ now });
}

const isOutdated = sql`${registrations.documentsUntil} is not null and ${registrations.documentsUntil} < ${placeholder('now')}`;
const selectOutdated = read({ id: registrations.id }, (columns) =>
  queries
    .select(columns)
    .from(registrations)
    .where(isOutdated)
    .orderBy(asc(registrations.documentsUntil))
    .limit(SWEEP_MAX),
);
/** Rejected registrations whose documents are kept no longer. */
export function outdatedDocuments(now: Instant) {
  return selectOutdated({ now });
}

const ofIds = sql`(select value from json_each(${placeholder('ids')}))`;
const selectObjectKeys = read({ objectKey: registrationDocuments.objectKey }, (columns) =>
  queries.select(columns).from(registrationDocuments).where(sql`${registrationDocuments.registrationId} in ${ofIds}`),
);
/** The object keys of the documents of these registrations. */
export function objectKeysOf(registrationIds: readonly Uuid[]) {
  return selectObjectKeys({ ids: JSON.stringify(registrationIds) });
}

const deleteDocuments = (which: SQL) =>
  write(
    queries.delete(registrationDocuments).where(
      inArray(
        registrationDocuments.registrationId,
        queries
          .select({ id: registrations.id })
          .from(registrations)
          .where(and(sql`${registrations.id} in ${ofIds}`, which)),
      ),
    ),
  );
const deleteOfDrafts = deleteDocuments(isExpired);
const deleteOutdated = deleteDocuments(isOutdated);
const unmarkOutdated = write(
  queries
    .update(registrations)
    .set({ documentsUntil: null })
    .where(and(sql`${registrations.id} in ${ofIds}`, isOutdated)),
);
/** Deletes the rows of documents that are kept no longer. Remove their objects first. */
export function outdatedDeletion(registrationIds: readonly Uuid[], now: Instant): WriteStatement[] {
  const ids = JSON.stringify(registrationIds);
  return [deleteOutdated({ ids, now }), unmarkOutdated({ ids, now })];
}

const deleteDrafts = write(queries.delete(registrations).where(and(sql`${registrations.id} in ${ofIds}`, isExpired)));
/** Deletes expired drafts and the rows of their documents. */
export function draftDeletion(registrationIds: readonly Uuid[], now: Instant): WriteStatement[] {
  const ids = JSON.stringify(registrationIds);
  return [deleteOfDrafts({ ids, now }), deleteDrafts({ ids, now })];
}
