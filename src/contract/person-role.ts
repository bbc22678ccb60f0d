/** Roles of people in a company. An OWNER also manages people and credentials, and reads the audit. */
export const ROLES = ['OWNER', 'MEMBER'] as const;
export type Role = (typeof ROLES)[number];

/** Roles of everybody who signs in. An OPERATOR runs the deployment and belongs to no company. */
export const SESSION_ROLES = [...ROLES, 'OPERATOR'] as const;

/** Assurance levels of a session: a code by one channel, or by both (NIST SP 800-63B). */
export const ASSURANCE_LEVELS = ['AAL1', 'AAL2'] as const;
export type AssuranceLevel = (typeof ASSURANCE_LEVELS)[number];

/** Purposes of one-time codes. A sandbox's driver has a separate one, because only the company's system may answer it. */
export const CHALLENGE_PURPOSES = [
  'REGISTRATION',
  'SIGN_IN',
  'ELEVATION',
  'INVITATION_ACCEPTANCE',
  'IDENTIFIER_CHANGE',
  'DRIVER_SIGN_IN',
  'SANDBOX_DRIVER_SIGN_IN',
  'RECIPIENT_SIGN_IN',
] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];
