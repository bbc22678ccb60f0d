import * as z from 'zod';
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_TYPES, LEGAL_BASES, REGISTRATION_STATES } from './registration-state.ts';
import { email } from './session.ts';
import { instantOut, patterned, publicName, uuid, uuidOut } from './values.ts';

/** Requests and answers of a merchant's registration. */

const NAME_LENGTH_MAX = 120;

/** Members of a registration. Domain rules check the combinations. */
export const registrationRequest = {
  email: email(),
  storeName: publicName(NAME_LENGTH_MAX),
  legalBasis: z.enum(LEGAL_BASES),
  commercialRegistrationNumber: z.optional(patterned(/^[0-9]{10}$/, 'tenDigits', { example: '1010123456' })),
  fullName: publicName(NAME_LENGTH_MAX),
  mobileNumber: patterned(/^5[0-9]{8}$/, 'nationalMobile', { example: '512345678' }).describe(
    'A Saudi mobile number without country code: nine digits from 5.',
  ),
  deviceReference: uuid,
};
export type RegistrationRequest = z.output<z.ZodObject<typeof registrationRequest>>;

const requiredDocument = z.strictObject({
  documentType: z.enum(DOCUMENT_TYPES),
  state: z.enum(['MISSING', 'UPLOADED']),
  maxBytes: z
    .number()
    .meta({ override: { type: 'integer' as const } })
    .describe('The largest file, in bytes.'),
  contentTypes: z.array(z.enum(DOCUMENT_CONTENT_TYPES)).describe('Media types that the document may have.'),
});
export type RequiredDocument = z.output<typeof requiredDocument>;
/** The documents that a registration needs, and whether each is uploaded. */
const requiredDocuments = z.array(requiredDocument);

const attemptsRemaining = z.number().meta({ override: { type: 'integer' as const, minimum: 0 } });

/** In a sandbox, the response contains the code. Other deployments only send it. */
const sandboxOtp = z.optional(z.string());

export const registration = z
  .strictObject({
    registrationId: uuidOut,
    uploadCapability: z.string().describe('Authorises the uploads of this registration and nothing else.'),
    uploadCapabilityExpiresAt: instantOut.describe('Until when it authorises uploads.'),
    state: z.enum(REGISTRATION_STATES),
    requiredDocuments,
    verification: z.strictObject({
      channel: z.enum(['SMS']),
      maskedDestination: z.string(),
      expiresAt: instantOut,
      resendAvailableAt: instantOut,
      attemptsRemaining,
    }),
    expiresAt: instantOut,
    sandboxOtp,
  })
  .meta({ id: 'MerchantRegistration' });
export type Registration = z.output<typeof registration>;

export const verificationResent = z
  .strictObject({ expiresAt: instantOut, resendAvailableAt: instantOut, attemptsRemaining, sandboxOtp })
  .meta({ id: 'RegistrationVerification' });
export type VerificationResent = z.output<typeof verificationResent>;

/** An uploaded document, and the state of its registration. */
export const uploadedDocument = z
  .strictObject({
    documentType: z.enum(DOCUMENT_TYPES),
    sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
    sizeBytes: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    state: z.enum(['UPLOADED']).describe('Always UPLOADED.'),
    requiredDocuments,
  })
  .meta({ id: 'UploadedDocument' });
export type UploadedDocument = z.output<typeof uploadedDocument>;

export const registrationCompleted = z
  .strictObject({ state: z.enum(['COMPLETED']).describe('Always COMPLETED.'), companyId: uuidOut })
  .meta({ id: 'RegistrationCompleted' });
export type RegistrationCompleted = z.output<typeof registrationCompleted>;

/** A registration that was completed in the console. Nobody is signed in if the mobile signs in another person. */
export const registrationEntered = registrationCompleted.extend({ isSignedIn: z.boolean() }).meta({ id: undefined });
