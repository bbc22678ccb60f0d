import type { RequiredDocument } from '../../contract/registration.ts';
import { DOCUMENT_CONTENT_TYPES, type DocumentType, type LegalBasis } from '../../contract/registration-state.ts';
import { UPLOAD_BYTES_MAX } from '../../core/limits.ts';
import type { Violation } from '../../core/result.ts';

/** The documents that each legal basis needs. The SQL that completes a registration reads this table too. */
export const REQUIRED_DOCUMENTS: Readonly<Record<LegalBasis, readonly DocumentType[]>> = {
  COMMERCIAL_ENTITY: ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION'],
  FREELANCER: ['NATIONAL_ADDRESS', 'FREELANCE_CERTIFICATE'],
};

/** The documents that a legal basis needs, and whether each is uploaded. */
export function requiredDocumentsOf(legalBasis: LegalBasis, uploaded: readonly DocumentType[]): RequiredDocument[] {
  return REQUIRED_DOCUMENTS[legalBasis].map((documentType) => ({
    documentType,
    state: uploaded.includes(documentType) ? 'UPLOADED' : 'MISSING',
    maxBytes: UPLOAD_BYTES_MAX,
    contentTypes: [...DOCUMENT_CONTENT_TYPES],
  }));
}

/** Whether a legal basis needs this document. */
export function isRequired(legalBasis: LegalBasis, documentType: DocumentType): boolean {
  return REQUIRED_DOCUMENTS[legalBasis].includes(documentType);
}

/** A commercial entity has a number, and a freelancer has none. */
export function numberViolations(request: {
  readonly legalBasis: LegalBasis;
  readonly commercialRegistrationNumber?: string | undefined;
}): Violation[] {
  const hasNumber = request.commercialRegistrationNumber !== undefined;
  if (hasNumber === (request.legalBasis === 'COMMERCIAL_ENTITY')) return [];
  return [{ field: 'commercialRegistrationNumber', code: hasNumber ? 'FORBIDDEN_FIELD' : 'REQUIRED' }];
}

/** The shard of a new company, from the last bits of its id. They are random, so all shards get equally many companies. */
export function shardFor(companyId: string, shards: readonly string[]): string {
  const shard = shards[Number.parseInt(companyId.slice(-8), 16) % shards.length];
  if (shard === undefined) throw new Error('There is no shard');
  return shard;
}
