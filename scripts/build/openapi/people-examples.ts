import { COMPANY_SCOPES } from '../../../src/contract/scope.ts';
import { SAMPLE_COMPANIES } from '../../shared/sample-companies.ts';

const [company] = SAMPLE_COMPANIES;
if (company === undefined) throw new Error('There is no sample company to make examples of');
const { owner } = company;

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Request bodies of registration, sign-in and the API credential. */
export const PEOPLE_REQUEST_EXAMPLES: Examples = {
  'registrations.create': {
    email: 'noura@taif-roses.example',
    storeName: 'Taif Roses',
    legalBasis: 'COMMERCIAL_ENTITY',
    commercialRegistrationNumber: '4030123456',
    fullName: 'Noura Al-Qahtani',
    mobileNumber: '512345678',
    deviceReference: '6f2b8a4e-6d0c-4a57-9d6e-0f5c1b7a3e21',
  },
  'registrations.verify': { otp: '493017' },
  'sessions.startSignIn': { identifier: owner.email, deviceReference: '6f2b8a4e-6d0c-4a57-9d6e-0f5c1b7a3e21' },
  'sessions.verifySignIn': { otp: '493017' },
  'sessions.startElevation': {},
  'sessions.verifyElevation': { otp: '493017' },
  'merchantApiCredential.rotate': { overlapSeconds: 86_400 },
  'merchantApiCredential.setScopes': { scopes: [...COMPANY_SCOPES] },
};

const contentTypes = ['application/pdf', 'image/jpeg', 'image/png'];
const sessionToken = 'ses_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZXNzaW9u';

const credential = {
  credentialId: '01976e2d-2b60-7f48-9c05-7a31e8d4b6f2',
  clientId: 'mcl_dGhpcyBpcyBhbiBleGFtcGxl',
  scopes: ['shipments:read', 'shipments:write', 'webhooks:manage'],
  deployment: 'sandbox',
  createdAt: '2026-01-31T09:02:00.000000Z',
};
const first = { clientSecret: 'msk_test_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZWNyZXQ', secretHint: 'yZXQ' };
const second = { clientSecret: 'msk_test_b25lIG1vcmUgZXhhbXBsZSwgbm90IGEgc2VjcmV0ISE', secretHint: '0ISE' };
const previousSecretExpiresAt = '2026-02-01T09:03:00.000000Z';

/** Responses of the same operations. */
export const PEOPLE_ANSWER_EXAMPLES: Examples = {
  'registrations.create': {
    registrationId: '01976e2c-1a44-7b0e-8f31-52d6c0a9e7b4',
    uploadCapability: 'upl_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZWNyZXQ',
    uploadCapabilityExpiresAt: '2026-01-31T09:30:00.000000Z',
    state: 'DRAFT',
    requiredDocuments: [
      { documentType: 'NATIONAL_ADDRESS', state: 'MISSING', maxBytes: 1_048_576, contentTypes },
      { documentType: 'COMMERCIAL_REGISTRATION', state: 'MISSING', maxBytes: 1_048_576, contentTypes },
    ],
    verification: {
      channel: 'SMS',
      maskedDestination: '********5678',
      expiresAt: '2026-01-31T09:05:00.000000Z',
      resendAvailableAt: '2026-01-31T09:01:00.000000Z',
      attemptsRemaining: 5,
    },
    expiresAt: '2026-02-07T09:00:00.000000Z',
  },
  'registrations.requestVerification': {
    expiresAt: '2026-01-31T09:06:00.000000Z',
    resendAvailableAt: '2026-01-31T09:02:00.000000Z',
    attemptsRemaining: 5,
  },
  'registrations.uploadDocument': {
    documentType: 'NATIONAL_ADDRESS',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    sizeBytes: 48_213,
    state: 'UPLOADED',
    requiredDocuments: [
      {
        documentType: 'NATIONAL_ADDRESS',
        state: 'UPLOADED',
        maxBytes: 1_048_576,
        contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      },
      {
        documentType: 'COMMERCIAL_REGISTRATION',
        state: 'MISSING',
        maxBytes: 1_048_576,
        contentTypes: ['application/pdf', 'image/jpeg', 'image/png'],
      },
    ],
  },
  'registrations.verify': { state: 'COMPLETED', companyId: '01976e2c-1a44-7c91-a5d0-9be41f7702d8' },
  'sessions.startSignIn': {
    challengeId: '01976e2b-0c44-7e19-9a52-3f6b8d1c7e04',
    expiresAt: '2026-01-31T09:05:00.000000Z',
  },
  'sessions.verifySignIn': {
    sessionToken,
    expiresAt: '2026-01-31T21:00:00.000000Z',
    assuranceLevel: 'AAL1',
  },
  'sessions.current': {
    sessionId: '01976e2b-5f10-7d3a-b6c8-1e9027a4f553',
    person: {
      personId: '01976e2a-0f63-7a2d-9c14-8b5e6f0d3a71',
      fullName: owner.fullName,
      email: owner.email,
      role: 'OWNER',
    },
    company: { companyId: '01976e29-b1d8-7f06-8e42-c7a35d91046f', name: company.name },
    assuranceLevel: 'AAL2',
    freshUntil: '2026-01-31T09:11:00.000000Z',
    expiresAt: '2026-01-31T21:00:00.000000Z',
  },
  'sessions.startElevation': {
    elevationId: '01976e2b-8a02-7b44-90f7-d3c16e5a2b98',
    channel: 'SMS',
    maskedDestination: '********5678',
    expiresAt: '2026-01-31T09:06:00.000000Z',
  },
  'sessions.verifyElevation': {
    assuranceLevel: 'AAL2',
    freshUntil: '2026-01-31T09:11:00.000000Z',
    sessionToken,
  },
  'merchantApiCredential.create': { ...credential, ...first },
  'merchantApiCredential.get': {
    ...credential,
    secretHint: second.secretHint,
    lastUsedAt: '2026-01-31T09:40:12.118000Z',
    previousSecretExpiresAt,
  },
  'merchantApiCredential.rotate': { ...credential, ...second, previousSecretExpiresAt },
  'merchantApiCredential.setScopes': {
    ...credential,
    scopes: [...COMPANY_SCOPES],
    secretHint: second.secretHint,
    lastUsedAt: '2026-01-31T09:40:12.118000Z',
    previousSecretExpiresAt,
  },
};
