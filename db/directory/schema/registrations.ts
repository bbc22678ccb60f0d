import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_TYPES,
  LEGAL_BASES,
  REGISTRATION_STATES,
} from '../../../src/contract/registration-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * Merchants on their way in. The ids of company and owner, and the shard, are chosen with the draft, so that a completion
 * whose end nobody heard is the same completion when it is repeated. A completed row is what is known of the company.
 */
export const registrations = sqliteTable(
  'registrations',
  {
    id: uuid().primaryKey(),
    state: oneOf(REGISTRATION_STATES)().notNull(),
    storeName: text('store_name').notNull(),
    legalBasis: oneOf(LEGAL_BASES)('legal_basis').notNull(),
    /** Ten digits; null for a freelancer. */
    commercialRegistrationNumber: text('commercial_registration_number'),
    fullName: text('full_name').notNull(),
    /** In lower case. */
    email: text().notNull(),
    /** E.164. */
    mobile: text().notNull(),
    deviceReference: uuid('device_reference').notNull(),
    companyId: uuid('company_id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    shard: text().notNull(),
    /** SHA-256 of the capability that authorises uploads, in base64url. */
    uploadCapabilityHash: text('upload_capability_hash').notNull(),
    uploadCapabilityExpiresAt: instant('upload_capability_expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** A draft is forgotten after this. */
    expiresAt: instant('expires_at').notNull(),
    completedAt: instant('completed_at'),
    /** Since when the company's rows stand in its shard; null until then, and the sweep sees to it. */
    provisionedAt: instant('provisioned_at'),
  },
  (table) => [
    check('registrations_state', isOneOf(table.state, REGISTRATION_STATES)),
    check('registrations_legal_basis', isOneOf(table.legalBasis, LEGAL_BASES)),
    // Sweep: drafts past their time.
    index('registrations_expiring').on(table.state, table.expiresAt),
    // Sweep: companies that their shard does not know yet.
    index('registrations_unprovisioned').on(table.state, table.provisionedAt),
  ],
);

/** What is known of the documents of a registration. Their bytes are in an object store under `objectKey`. */
export const registrationDocuments = sqliteTable(
  'registration_documents',
  {
    registrationId: uuid('registration_id')
      .notNull()
      .references(() => registrations.id),
    documentType: oneOf(DOCUMENT_TYPES)('document_type').notNull(),
    objectKey: text('object_key').notNull(),
    /** Lower-case hexadecimal. */
    sha256: text().notNull(),
    sizeBytes: count('size_bytes').notNull(),
    contentType: oneOf(DOCUMENT_CONTENT_TYPES)('content_type').notNull(),
    displayName: text('display_name').notNull(),
    uploadedAt: instant('uploaded_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.registrationId, table.documentType] }),
    check('registration_documents_document_type', isOneOf(table.documentType, DOCUMENT_TYPES)),
    check('registration_documents_content_type', isOneOf(table.contentType, DOCUMENT_CONTENT_TYPES)),
  ],
);

/**
 * Objects that may be in the object store without being a document of any registration: on their way, broken off, or
 * replaced. The sweep removes what has been here for long.
 */
export const unlistedObjects = sqliteTable(
  'unlisted_objects',
  { objectKey: text('object_key').primaryKey(), since: instant().notNull() },
  (table) => [
    // Sweep.
    index('unlisted_objects_since').on(table.since),
  ],
);
