import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { tokenHashOf } from '../../access/authenticate.ts';
import { isOfType, isProtectedPdf, withoutTrailer } from '../../contract/file-type.ts';
import type { UploadedDocument } from '../../contract/registration.ts';
import type { DocumentContentType, DocumentType } from '../../contract/registration-state.ts';
import { sha256Hex } from '../../core/crypto.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Documents, newObjectKey, storageUnavailable } from '../../ports/documents.ts';
import type { Random } from '../../ports/random.ts';
import { refusalOf, uploadsOfRegistration, useStatements } from '../challenges/limit.ts';
import { settle } from '../settle.ts';
import { displayNameOf } from './document.ts';
import { isRequired, requiredDocumentsOf } from './requirement.ts';
import { documentTypesOf, draftOfCapability, type RegistrationRow } from './store.ts';
import { documentStatements, uploadMark } from './upload-store.ts';

/*
 * Promise: a document that is listed as UPLOADED can be read from the object store. It is stored before it is listed. The
 * key of each object is recorded before the object is stored, so that the sweep finds objects that were never listed.
 */

export interface UploadDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly documents: Documents;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: { readonly credentialKey: string };
}

/** A draft of a registration that accepts uploads. */
export type UploadDraft = Pick<RegistrationRow, 'id' | 'legalBasis'> & { readonly capabilityHash: string };

/** The draft of an upload; 401 if the capability is expired, wrong, or of another registration. */
export async function authorizeUpload(
  { directory, clock }: Pick<UploadDependencies, 'directory' | 'clock'>,
  registrationId: Uuid,
  capability: string,
): Promise<Result<UploadDraft>> {
  const capabilityHash = await tokenHashOf(capability);
  const found = await directory.database.read(draftOfCapability(registrationId, capabilityHash, clock.now()));
  if (!found.ok) return unavailable();
  const [draft] = found.rows;
  return draft === undefined ? refuse('AUTHENTICATION_REQUIRED') : ok({ ...draft, capabilityHash });
}

export interface UploadOrder {
  readonly documentType: DocumentType;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Stores a document and lists it. It replaces a document of the same type. */
export async function uploadDocument(
  dependencies: UploadDependencies,
  draft: UploadDraft,
  order: UploadOrder,
): Promise<Result<UploadedDocument>> {
  const { directory, documents, clock, random, config } = dependencies;
  const { documentType, contentType } = order;
  if (!isRequired(draft.legalBasis, documentType)) {
    const violation = { field: 'documentType', code: 'FORBIDDEN_FIELD' } as const;
    return refuse('VALIDATION_FAILED', { violations: [violation] });
  }
  if (!isOfType(order.bytes, contentType)) return refuse('DOCUMENT_CONTENT_MISMATCH');
  const bytes = withoutTrailer(order.bytes, contentType);
  const objectKey = newObjectKey(random);
  const limits = [await uploadsOfRegistration(config, draft.id)];
  const now = clock.now();
  const statements = [...useStatements(limits, now), uploadMark(objectKey, now)];
  const noted = settle(await directory.writer.commit({ statements }));
  if (!noted.ok) return noted;
  if (!noted.value) return refusalOf(directory.database, limits, now);
  if ((await documents.put(objectKey, { bytes, contentType })) !== 'stored') return storageUnavailable();
  const document = { objectKey, documentType, contentType, sha256: await sha256Hex(bytes), sizeBytes: bytes.length };
  const row = {
    ...document,
    registrationId: draft.id,
    displayName: displayNameOf(order.fileName),
    isProtected: contentType === 'application/pdf' && isProtectedPdf(bytes) ? 1 : 0,
    uploadedAt: clock.now(),
  };
  const listed = settle(await directory.writer.commit({ statements: documentStatements(row, draft.capabilityHash) }));
  if (!listed.ok) return listed;
  // During the upload, the capability expired or the registration was completed.
  if (!listed.value) return refuse('AUTHENTICATION_REQUIRED');
  const types = await directory.database.read(documentTypesOf(draft.id));
  if (!types.ok) return unavailable();
  const uploaded = types.rows.map((one) => one.documentType);
  const { sha256, sizeBytes } = document;
  const requiredDocuments = requiredDocumentsOf(draft.legalBasis, uploaded);
  return ok({ documentType, sha256, sizeBytes, state: 'UPLOADED', requiredDocuments });
}
