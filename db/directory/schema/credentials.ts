import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../columns.ts';
import { companies } from './companies.ts';

/** OAuth clients. `companyId` is null for an operator's client. */
export const credentials = sqliteTable(
  'credentials',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').references(() => companies.id),
    clientId: text('client_id').notNull(),
    /** Space-separated, as in RFC 6749 section 3.3. */
    scopes: text().notNull(),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
    /** Time of the last issued token, up to a minute late. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    // Token endpoint: the client by its id.
    uniqueIndex('credentials_client_id').on(table.clientId),
    // Console: the credential of a company.
    index('credentials_company_id').on(table.companyId),
  ],
);

/** Secrets of a client: one, or two while a rotation overlaps. Only a keyed HMAC of each is kept. */
export const credentialSecrets = sqliteTable(
  'credential_secrets',
  {
    id: uuid().primaryKey(),
    credentialId: uuid('credential_id')
      .notNull()
      .references(() => credentials.id),
    secretHmac: text('secret_hmac').notNull(),
    secretHint: text('secret_hint').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    // Token endpoint: the secrets of one client.
    index('credential_secrets_credential_id').on(table.credentialId),
  ],
);

/** Access tokens revoked before they expire (RFC 7009). A row is useless after `expiresAt`. */
export const tokenRevocations = sqliteTable(
  'token_revocations',
  { tokenId: uuid('token_id').primaryKey(), expiresAt: instant('expires_at').notNull() },
  (table) => [
    // Sweep: rows of expired tokens.
    index('token_revocations_expires_at').on(table.expiresAt),
  ],
);
