/** What a person may do in a company: an OWNER also manages people, credentials and what is audited. */
export const ROLES = ['OWNER', 'MEMBER'] as const;
export type Role = (typeof ROLES)[number];

/** How surely a session is its person's: by one channel, or by both (NIST SP 800-63B). */
export const ASSURANCE_LEVELS = ['AAL1', 'AAL2'] as const;
export type AssuranceLevel = (typeof ASSURANCE_LEVELS)[number];

/** What a one-time code is for. A sandbox's driver has a purpose of their own: only the company's system may answer it. */
export const CHALLENGE_PURPOSES = [
  'REGISTRATION',
  'SIGN_IN',
  'ELEVATION',
  'DRIVER_SIGN_IN',
  'SANDBOX_DRIVER_SIGN_IN',
] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];
