import { DOCUMENT_BYTES_MAX, type RequiredDocument } from '../../contract/registration.ts';
import { DOCUMENT_CONTENT_TYPES, type DocumentType, type LegalBasis } from '../../contract/registration-state.ts';
import type { Violation } from '../../core/result.ts';

const REQUIRED: Readonly<Record<LegalBasis, readonly DocumentType[]>> = {
  COMMERCIAL_ENTITY: ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION'],
  FREELANCER: ['NATIONAL_ADDRESS', 'FREELANCE_CERTIFICATE'],
};

/** The documents that a legal basis needs, and which of them are there. */
export function requiredDocumentsOf(legalBasis: LegalBasis, uploaded: readonly DocumentType[]): RequiredDocument[] {
  return REQUIRED[legalBasis].map((documentType) => ({
    documentType,
    state: uploaded.includes(documentType) ? 'UPLOADED' : 'MISSING',
    maxBytes: DOCUMENT_BYTES_MAX,
    contentTypes: [...DOCUMENT_CONTENT_TYPES],
  }));
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

/** The shard of a new company: by the last bits of its id, which are random, so that shards fill alike. */
export function shardFor(companyId: string, shards: readonly string[]): string {
  const shard = shards[Number.parseInt(companyId.slice(-8), 16) % shards.length];
  if (shard === undefined) throw new Error('There is no shard');
  return shard;
}
