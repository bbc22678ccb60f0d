import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { MEDIA_ASSET_STATES, MEDIA_CONTENT_TYPES } from '../../../src/contract/media-asset-state.ts';
import { EVIDENCES, PROOF_MEDIA_PURPOSES } from '../../../src/contract/proof-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

const shipmentId = () =>
  uuid('shipment_id')
    .primaryKey()
    .references(() => shipments.id);

/** What proves a delivery or an attempt. Written with it, and never changed but to forget the recipient. */
export const deliveryProofs = sqliteTable('delivery_proofs', {
  shipmentId: shipmentId(),
  companyId: uuid('company_id').notNull(),
  evidence: oneOf(EVIDENCES)().notNull(),
  /** Of `record` as it was written, in lower-case hexadecimal. */
  sha256: text().notNull(),
  /** Canonical JSON. The signature's name and the place are null after the recipient has been forgotten. */
  record: text().notNull(),
});

/** What happens around the proof before the door. A shipment without a PIN and without a release has no row. */
export const proofProgress = sqliteTable('proof_progress', {
  shipmentId: shipmentId(),
  companyId: uuid('company_id').notNull(),
  /** An HMAC of what the PIN is made of. With another phone or destination the counts and times of the PIN begin anew. */
  pinTag: text('pin_tag'),
  wrongTries: count('wrong_tries').notNull().default(0),
  verifiedAt: instant('verified_at'),
  /** When a recipient who has signed in first saw it. */
  seenAt: instant('seen_at'),
  sentAt: instant('sent_at'),
  /** When a message with it last could not be sent. */
  unsentAt: instant('unsent_at'),
  /** Messages that the merchant has asked for, of all PINs of the shipment. */
  resends: count().notNull().default(0),
  releasedAt: instant('released_at'),
});

/** Pictures that drivers take of a delivery. Their bytes are in an object store under `objectKey`, without metadata. */
export const proofMedia = sqliteTable(
  'proof_media',
  {
    id: uuid().primaryKey(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    companyId: uuid('company_id').notNull(),
    driverId: uuid('driver_id').notNull(),
    purpose: oneOf(PROOF_MEDIA_PURPOSES)().notNull(),
    state: oneOf(MEDIA_ASSET_STATES)().notNull(),
    objectKey: text('object_key').notNull(),
    /** Of the stored bytes, in lower-case hexadecimal. */
    sha256: text().notNull(),
    sizeBytes: count('size_bytes').notNull(),
    contentType: oneOf(MEDIA_CONTENT_TYPES)('content_type').notNull(),
    recordedAt: instant('recorded_at').notNull(),
    /** When the sweep removes it. */
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    // Upload: the same picture of a shipment once for each purpose.
    uniqueIndex('proof_media_content').on(table.shipmentId, table.sha256, table.purpose),
    // Sweep.
    index('proof_media_due').on(table.dueAt),
  ],
);
