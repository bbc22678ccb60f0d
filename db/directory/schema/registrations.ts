import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_TYPES,
  LEGAL_BASES,
  REGISTRATION_STATES,
  REVIEWS,
} from '../../../src/contract/registration-state.ts';
import { count, instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * Registrations. The ids of company and owner and the shard are chosen with the draft, so that a completion can be
 * repeated if its outcome is unknown. A completed row is the record of the company's registration.
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
    /** An HMAC of the idempotency key, if any, and of the request: what a repeat of the request has in common with it. */
    onceHmac: text('once_hmac').notNull().default(''),
    /** The answer, sealed, for a repeat of the request. Empty once the registration is completed. */
    sealedAnswer: text('sealed_answer').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    /** The sweep deletes a draft after this time. */
    expiresAt: instant('expires_at').notNull(),
    completedAt: instant('completed_at'),
    /** When the company's rows were written to its shard; null before that. The sweep retries. */
    provisionedAt: instant('provisioned_at'),
    /** Null for a draft. A company of a deployment that requires no approval starts as APPROVED. */
    review: oneOf(REVIEWS)(),
    /** The operator's last decision: the person's id or the client of a program, why, and when. */
    reviewedBy: text('reviewed_by'),
    reviewReason: text('review_reason'),
    reviewedAt: instant('reviewed_at'),
    /** The sweep deletes the documents after this time; null if they are kept. */
    documentsUntil: instant('documents_until'),
  },
  (table) => [
    check('registrations_state', isOneOf(table.state, REGISTRATION_STATES)),
    check('registrations_legal_basis', isOneOf(table.legalBasis, LEGAL_BASES)),
    // Sweep: expired drafts.
    index('registrations_expiring').on(table.expiresAt).where(sql`${table.state} = 'DRAFT'`),
    // A repeat of the request.
    index('registrations_once').on(table.onceHmac).where(sql`${table.state} = 'DRAFT'`),
    // Sweep: companies without rows in their shard.
    index('registrations_unprovisioned')
      .on(table.id)
      .where(sql`${table.state} = 'COMPLETED' and ${table.provisionedAt} is null`),
    // Operators: the oldest of each status first.
    index('registrations_of_status').on(table.review, table.createdAt, table.id),
    // Sweep: documents of rejected registrations.
    index('registrations_documents_until').on(table.documentsUntil).where(sql`${table.documentsUntil} is not null`),
    // Operators: the registration of a company, and a company by the number of its registration.
    index('registrations_company_id').on(table.companyId),
    index('registrations_number').on(table.commercialRegistrationNumber),
    // Operators: other registrations with the same contacts.
    index('registrations_mobile').on(table.mobile),
    index('registrations_email').on(table.email),
  ],
);

/** Documents of a registration. Their bytes are in an object store under `objectKey`. */
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
    /** 1 for a PDF that may ask for a password. */
    isProtected: count('is_protected').notNull().default(0),
    uploadedAt: instant('uploaded_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.registrationId, table.documentType] }),
    // Operators: the same file elsewhere.
    index('registration_documents_sha256').on(table.sha256),
    check('registration_documents_content_type', isOneOf(table.contentType, DOCUMENT_CONTENT_TYPES)),
  ],
);

/**
 * Objects that may be in the object store although no registration lists them: being uploaded, aborted, or replaced.
 * The sweep deletes old ones.
 */
export const unlistedObjects = sqliteTable(
  'unlisted_objects',
  { objectKey: text('object_key').primaryKey(), since: instant().notNull() },
  (table) => [
    // Sweep.
    index('unlisted_objects_since').on(table.since),
  ],
);
