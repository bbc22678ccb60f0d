/** The legal basis of a merchant. It decides which documents a registration needs. */
export const LEGAL_BASES = ['COMMERCIAL_ENTITY', 'FREELANCER'] as const;
export type LegalBasis = (typeof LEGAL_BASES)[number];

export const REGISTRATION_STATES = ['DRAFT', 'COMPLETED'] as const;

/** How a completed registration stands with the operators. A company of one that is not approved cannot create shipments. */
export const REVIEWS = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type Review = (typeof REVIEWS)[number];

export const DOCUMENT_TYPES = ['NATIONAL_ADDRESS', 'COMMERCIAL_REGISTRATION', 'FREELANCE_CERTIFICATE'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_CONTENT_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];
