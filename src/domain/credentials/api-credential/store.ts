import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { credentialSecrets, credentials } from '../../../../db/directory/schema/credentials.ts';
import { placeholder, queries, read, write } from '../../../../db/statement.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/*
 * The SQL of a company's API credential, in the directory. A company has at most one that is not deleted. Functions whose
 * scope may be undefined also serve the credentials of operators' programs, which belong to no company.
 */

const credentialColumns = {
  credentialId: credentials.id,
  clientId: credentials.clientId,
  scopes: credentials.scopes,
  createdAt: credentials.createdAt,
  lastUsedAt: credentials.lastUsedAt,
  secretHint: credentialSecrets.secretHint,
  secretExpiresAt: credentialSecrets.expiresAt,
};
const selectCredential = read(credentialColumns, (columns) =>
  queries
    .select(columns)
    .from(credentials)
    .innerJoin(credentialSecrets, eq(credentialSecrets.credentialId, credentials.id))
    .where(
      and(
        eq(credentials.companyId, placeholder('companyId')),
        isNull(credentials.deletedAt),
        or(isNull(credentialSecrets.expiresAt), gt(credentialSecrets.expiresAt, placeholder('now'))),
      ),
    )
    .orderBy(desc(credentials.createdAt), desc(credentials.id), desc(credentialSecrets.createdAt)),
);
export type CredentialRow = ReturnType<ReturnType<typeof credentialOf>['decode']>;
/** The company's credential with its valid secrets: one row per secret. The current secret has no end. */
export function credentialOf(scope: CompanyScope, now: Instant) {
  return selectCredential({ companyId: scope.companyId, now });
}

// The columns must be in the tables' order, as INSERT … SELECT needs them.
const insertCredential = write(
  queries.insert(credentials).select(
    sql`select ${placeholder('id')}, ${placeholder('companyId')}, ${placeholder('clientId')}, ${placeholder('scopes')}, ${placeholder('createdAt')}, null, null
      where not exists (select 1 from credentials where company_id = ${placeholder('companyId')} and deleted_at is null)`,
  ),
  { mustChange: true },
);
export interface NewCredential {
  readonly id: Uuid;
  readonly clientId: string;
  readonly scopes: string;
  readonly createdAt: Instant;
}
/** Inserts the company's credential. The unit is refused if it already has one. */
export function credentialInsert(scope: CompanyScope, row: NewCredential) {
  return insertCredential({ companyId: scope.companyId, ...row });
}

const insertSecret = write(
  queries.insert(credentialSecrets).select(
    sql`select ${placeholder('id')}, id, ${placeholder('secretHmac')}, ${placeholder('secretHint')}, ${placeholder('createdAt')}, null
      from credentials where id = ${placeholder('credentialId')} and company_id is ${placeholder('companyId')} and deleted_at is null`,
  ),
  { mustChange: true },
);
export interface NewSecret {
  readonly id: Uuid;
  readonly credentialId: Uuid;
  readonly secretHmac: string;
  readonly secretHint: string;
  readonly createdAt: Instant;
}
/** Adds a secret to the credential. The unit is refused if the credential is deleted. */
export function secretInsert(scope: CompanyScope | undefined, row: NewSecret) {
  return insertSecret({ companyId: scope?.companyId ?? null, ...row });
}

const endSecret = write(
  queries
    .update(credentialSecrets)
    .set({ expiresAt: sql`${placeholder('expiresAt')}` })
    .where(
      sql`${credentialSecrets.expiresAt} is null
        and ${credentialSecrets.credentialId} in (select id from credentials where id = ${placeholder('credentialId')} and company_id = ${placeholder('companyId')} and deleted_at is null)
        and not exists (select 1 from credential_secrets as previous where previous.credential_id = ${placeholder('credentialId')} and previous.expires_at > ${placeholder('now')})`,
    ),
  { mustChange: true },
);
/** Sets the end of the current secret. The unit is refused while an earlier secret is still valid. */
export function secretEnd(scope: CompanyScope, end: { credentialId: Uuid; now: Instant; expiresAt: Instant }) {
  return endSecret({ companyId: scope.companyId, ...end });
}

const updateScopes = write(
  queries
    .update(credentials)
    .set({ scopes: sql`${placeholder('scopes')}` })
    .where(
      and(
        eq(credentials.id, placeholder('id')),
        eq(credentials.companyId, placeholder('companyId')),
        isNull(credentials.deletedAt),
      ),
    ),
  { mustChange: true },
);
/** Replaces the credential's scopes. The unit is refused if it is deleted. */
export function scopesUpdate(scope: CompanyScope, id: Uuid, scopes: string) {
  return updateScopes({ companyId: scope.companyId, id, scopes });
}

const deleteCredential = write(
  queries
    .update(credentials)
    .set({ deletedAt: sql`${placeholder('now')}` })
    .where(
      and(
        eq(credentials.id, placeholder('id')),
        sql`${credentials.companyId} is ${placeholder('companyId')}`,
        isNull(credentials.deletedAt),
      ),
    ),
  { mustChange: true },
);
/** Marks the credential and its secrets deleted. The unit is refused if it is already deleted. */
export function credentialDelete(scope: CompanyScope | undefined, id: Uuid, now: Instant) {
  return deleteCredential({ companyId: scope?.companyId ?? null, id, now });
}
