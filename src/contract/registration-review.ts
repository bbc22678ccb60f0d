import * as z from 'zod';
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_TYPES, LEGAL_BASES, REVIEWS } from './registration-state.ts';
import { instantOut, text, uuidOut } from './values.ts';

/** What operators see of registrations. */

export const REGISTRATION_STATUSES = ['DRAFT', ...REVIEWS] as const;
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number];

/** It must fit into an SMS of a few parts. */
export const reviewReason = text({ min: 3, max: 200 });

export const listedRegistration = z.strictObject({
  registrationId: uuidOut,
  status: z.enum(REGISTRATION_STATUSES),
  companyId: z.nullable(uuidOut),
  storeName: z.string(),
  legalBasis: z.enum(LEGAL_BASES),
  createdAt: instantOut,
  completedAt: z.nullable(instantOut),
});
export type ListedRegistration = z.output<typeof listedRegistration>;

export const SAME_FACTS = ['NUMBER', 'MOBILE', 'EMAIL', 'DOCUMENT'] as const;
export type SameFact = (typeof SAME_FACTS)[number];

export const reviewedRegistration = listedRegistration.extend({
  commercialRegistrationNumber: z.nullable(z.string()),
  fullName: z.string(),
  email: z.string(),
  mobile: z.string(),
  documents: z.array(
    z.strictObject({
      documentType: z.enum(DOCUMENT_TYPES),
      contentType: z.enum(DOCUMENT_CONTENT_TYPES),
      sizeBytes: z.number(),
      sha256: z.string(),
      /** A PDF that may ask for a password. */
      isProtected: z.boolean(),
      uploadedAt: instantOut,
    }),
  ),
  /** Other registrations that were completed with the same number, mobile, e-mail address or file. */
  elsewhere: z.array(
    z.strictObject({ registrationId: uuidOut, storeName: z.string(), same: z.array(z.enum(SAME_FACTS)) }),
  ),
  /** The last decision of an operator; null for a company that needed none. */
  decision: z.nullable(
    z.strictObject({
      /** The operator's person, or the client of a program. */
      decidedBy: z.string(),
      reason: z.string(),
      decidedAt: instantOut,
    }),
  ),
});
export type ReviewedRegistration = z.output<typeof reviewedRegistration>;

/** The bytes are base64 in JSON, so no browser ever opens an uploaded file from this origin. */
export const readDocument = z.strictObject({
  /** A name of ours: nothing of it comes from the person who uploaded the file. */
  fileName: z.string(),
  contentType: z.enum(DOCUMENT_CONTENT_TYPES),
  base64: z.string(),
});
export type ReadDocument = z.output<typeof readDocument>;
