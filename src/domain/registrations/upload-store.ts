import { and, eq, lt, sql } from 'drizzle-orm';
import { registrationDocuments, registrations, unlistedObjects } from '../../../db/directory/schema/registrations.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of documents and of their objects, in the directory. */

export type DocumentRow = typeof registrationDocuments.$inferSelect;

const insertMark = write(
  queries.insert(unlistedObjects).values({ objectKey: placeholder('objectKey'), since: placeholder('since') }),
);
/** Records an object that will be stored and is not listed yet. */
export function uploadMark(objectKey: string, since: Instant) {
  return insertMark({ objectKey, since });
}

const requireDraft = write(
  queries
    .update(registrations)
    .set({ state: sql`${registrations.state}` })
    .where(
      and(
        eq(registrations.id, placeholder('registrationId')),
        eq(registrations.state, 'DRAFT'),
        eq(registrations.uploadCapabilityHash, placeholder('capabilityHash')),
        sql`${registrations.uploadCapabilityExpiresAt} > ${placeholder('uploadedAt')}`,
      ),
    ),
  { mustChange: true },
);
const unlistReplaced = write(
  queries.insert(unlistedObjects).select(
    queries
      .select({ objectKey: registrationDocuments.objectKey, since: sql`0`.as('since') })
      .from(registrationDocuments)
      .where(
        and(
          eq(registrationDocuments.registrationId, placeholder('registrationId')),
          eq(registrationDocuments.documentType, placeholder('documentType')),
        ),
      ),
  ),
);
const upsertDocument = write(
  queries
    .insert(registrationDocuments)
    .values({
      registrationId: placeholder('registrationId'),
      documentType: placeholder('documentType'),
      objectKey: placeholder('objectKey'),
      sha256: placeholder('sha256'),
      sizeBytes: placeholder('sizeBytes'),
      contentType: placeholder('contentType'),
      displayName: placeholder('displayName'),
      isProtected: placeholder('isProtected'),
      uploadedAt: placeholder('uploadedAt'),
    })
    .onConflictDoUpdate({
      target: [registrationDocuments.registrationId, registrationDocuments.documentType],
      set: {
        objectKey: sql`excluded.object_key`,
        sha256: sql`excluded.sha256`,
        sizeBytes: sql`excluded.size_bytes`,
        contentType: sql`excluded.content_type`,
        displayName: sql`excluded.display_name`,
        isProtected: sql`excluded.is_protected`,
        uploadedAt: sql`excluded.uploaded_at`,
      },
    }),
);
const deleteMarks = write(
  queries
    .delete(unlistedObjects)
    .where(sql`${unlistedObjects.objectKey} in (select value from json_each(${placeholder('objectKeys')}))`),
);
/**
 * Lists a document in place of one of the same type. Refuses the unit unless the capability still authorises uploads.
 */
export function documentStatements(row: DocumentRow, capabilityHash: string): WriteStatement[] {
  const { registrationId, documentType, objectKey, uploadedAt } = row;
  return [
    requireDraft({ registrationId, capabilityHash, uploadedAt }),
    unlistReplaced({ registrationId, documentType }),
    upsertDocument({ ...row }),
    objectsForgotten([objectKey]),
  ];
}

/** Rows in one sweep; the next sweep continues. */
const SWEEP_MAX = 100;
const selectUnlisted = read({ objectKey: unlistedObjects.objectKey }, (columns) =>
  queries
    .select(columns)
    .from(unlistedObjects)
    .where(lt(unlistedObjects.since, placeholder('before')))
    .limit(SWEEP_MAX),
);
/** Objects that were recorded before an instant and are not listed: replaced ones, and interrupted uploads. */
export function unlistedSince(before: Instant) {
  return selectUnlisted({ before });
}

/** Deletes the records of objects that are listed now or removed. */
export function objectsForgotten(objectKeys: readonly string[]) {
  return deleteMarks({ objectKeys: JSON.stringify(objectKeys) });
}
