import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { credentialSecrets, credentials } from '../../../../db/directory/schema/credentials.ts';
import { queries, read, write } from '../../../../db/statement.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* The SQL of a company's API credential, in the directory. A company has at most one that is not deleted. */

const place = sql.placeholder;

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
        eq(credentials.companyId, place('companyId')),
        isNull(credentials.deletedAt),
        or(isNull(credentialSecrets.expiresAt), gt(credentialSecrets.expiresAt, place('now'))),
      ),
    )
    .orderBy(desc(credentials.createdAt), desc(credentials.id), desc(credentialSecrets.createdAt)),
);
export type CredentialRow = ReturnType<ReturnType<typeof credentialOf>['decode']>;
/** The company's credential with each of its valid secrets: one row a secret. The one that stays has no end. */
export function credentialOf(scope: CompanyScope, now: Instant) {
  return selectCredential({ companyId: scope.companyId, now });
}

// Columns stand in the tables' order: that is how INSERT … SELECT pairs them.
const insertCredential = write(
  queries.insert(credentials).select(
    sql`select ${place('id')}, ${place('companyId')}, ${place('clientId')}, ${place('scopes')}, ${place('createdAt')}, null, null
      where not exists (select 1 from credentials where company_id = ${place('companyId')} and deleted_at is null)`,
  ),
  { mustChange: true },
);
export interface NewCredential {
  readonly id: Uuid;
  readonly clientId: string;
  readonly scopes: string;
  readonly createdAt: Instant;
}
/** The company's credential; refuses the unit when it has one. */
export function credentialInsert(scope: CompanyScope, row: NewCredential) {
  return insertCredential({ companyId: scope.companyId, ...row });
}

const insertSecret = write(
  queries.insert(credentialSecrets).select(
    sql`select ${place('id')}, id, ${place('secretHmac')}, ${place('secretHint')}, ${place('createdAt')}, null
      from credentials where id = ${place('credentialId')} and company_id = ${place('companyId')} and deleted_at is null`,
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
/** One more secret of the company's credential; refuses the unit when that is gone. */
export function secretInsert(scope: CompanyScope, row: NewSecret) {
  return insertSecret({ companyId: scope.companyId, ...row });
}

const endSecret = write(
  queries
    .update(credentialSecrets)
    .set({ expiresAt: sql`${place('expiresAt')}` })
    .where(
      sql`${credentialSecrets.expiresAt} is null
        and ${credentialSecrets.credentialId} in (select id from credentials where id = ${place('credentialId')} and company_id = ${place('companyId')} and deleted_at is null)
        and not exists (select 1 from credential_secrets as previous where previous.credential_id = ${place('credentialId')} and previous.expires_at > ${place('now')})`,
    ),
  { mustChange: true },
);
/** Gives the credential's secret an end; refuses the unit while another one has yet to reach its own. */
export function secretEnd(scope: CompanyScope, end: { credentialId: Uuid; now: Instant; expiresAt: Instant }) {
  return endSecret({ companyId: scope.companyId, ...end });
}

const deleteCredential = write(
  queries
    .update(credentials)
    .set({ deletedAt: sql`${place('now')}` })
    .where(
      and(
        eq(credentials.id, place('id')),
        eq(credentials.companyId, place('companyId')),
        isNull(credentials.deletedAt),
      ),
    ),
  { mustChange: true },
);
/** Marks the credential deleted, and with it all its secrets; refuses the unit when it is gone already. */
export function credentialDelete(scope: CompanyScope, id: Uuid, now: Instant) {
  return deleteCredential({ companyId: scope.companyId, id, now });
}
