import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { companies, companySuspensions } from '../../../db/directory/schema/companies.ts';
import { credentialSecrets, credentials, tokenRevocations } from '../../../db/directory/schema/credentials.ts';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of OAuth clients in the directory. It runs before authentication, so no function takes a CompanyScope. */

const isSecretValid = and(
  isNull(credentials.deletedAt),
  or(isNull(credentialSecrets.expiresAt), gt(credentialSecrets.expiresAt, placeholder('now'))),
);

/** Joins the suspension of the client's company, if the company is suspended now. */
const isSuspension = and(eq(companySuspensions.companyId, credentials.companyId), isNull(companySuspensions.endedAt));

const clientColumns = {
  companyId: credentials.companyId,
  clientId: credentials.clientId,
  scopes: credentials.scopes,
  secretId: credentialSecrets.id,
  secretHmac: credentialSecrets.secretHmac,
  lastUsedAt: credentials.lastUsedAt,
  shard: companies.shard,
  suspendedSince: companySuspensions.since,
};
const selectClient = read(clientColumns, (columns) =>
  queries
    .select(columns)
    .from(credentials)
    .innerJoin(credentialSecrets, eq(credentialSecrets.credentialId, credentials.id))
    .leftJoin(companies, eq(companies.id, credentials.companyId))
    .leftJoin(companySuspensions, isSuspension)
    .where(and(eq(credentials.clientId, placeholder('clientId')), isSecretValid)),
);
/** A client with its valid secrets: one row per secret. */
export function clientByClientId(clientId: string, now: Instant) {
  return selectClient({ clientId, now });
}

const touchCredential = write(
  queries
    .update(credentials)
    .set({ lastUsedAt: sql`${placeholder('now')}` })
    .where(
      and(
        eq(credentials.clientId, placeholder('clientId')),
        or(isNull(credentials.lastUsedAt), lt(credentials.lastUsedAt, placeholder('before'))),
      ),
    ),
);
/** Records that a client got a token, if the last record is older than `before`. */
export function credentialTouch(clientId: string, now: Instant, before: Instant) {
  return touchCredential({ clientId, now, before });
}

const secretColumns = { scopes: credentials.scopes, suspendedSince: companySuspensions.since };
const selectLiveSecret = read(secretColumns, (columns) =>
  queries
    .select(columns)
    .from(credentialSecrets)
    .innerJoin(credentials, eq(credentials.id, credentialSecrets.credentialId))
    .leftJoin(companySuspensions, isSuspension)
    .leftJoin(tokenRevocations, eq(tokenRevocations.tokenId, placeholder('tokenId')))
    .where(and(eq(credentialSecrets.id, placeholder('secretId')), isSecretValid, isNull(tokenRevocations.tokenId))),
);
/** Returns one row if the secret of a token is valid and the token is not revoked: the scopes of its credential, and whether the company is suspended. */
export function liveSecret(secretId: Uuid, tokenId: Uuid, now: Instant) {
  return selectLiveSecret({ secretId, tokenId, now });
}

const insertRevocation = write(
  queries
    .insert(tokenRevocations)
    .values({ tokenId: placeholder('tokenId'), expiresAt: placeholder('expiresAt') })
    .onConflictDoNothing(),
);
export function revocationInsert(tokenId: Uuid, expiresAt: Instant) {
  return insertRevocation({ tokenId, expiresAt });
}

const pastRevocations = compilePastRows<{ now: Instant }>(
  tokenRevocations,
  lt(tokenRevocations.expiresAt, placeholder('now')),
);
/** Revocations of tokens that have expired since. For the sweep only. */
export function expiredRevocations(now: Instant): PastRows {
  return pastRevocations({ now });
}
