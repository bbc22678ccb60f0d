/** The legal basis of a merchant. It decides which documents a registration needs. */
export const LEGAL_BASES = ['COMMERCIAL_ENTITY', 'FREELANCER'] as const;
export type LegalBasis = (typeof LEGAL_BASES)[number];

export const REGISTRATION_STATES = ['DRAFT', 'COMPLETED'] as const;

export const DOCUMENT_TYPES = ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION', 'FREELANCE_CERTIFICATE'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_CONTENT_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];
