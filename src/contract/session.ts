import * as z from 'zod';
import { normalEmail } from '../core/email.ts';
import { SAUDI_MOBILE } from '../core/phone.ts';
import { MESSAGE_CHANNELS } from './message.ts';
import { ASSURANCE_LEVELS, SESSION_ROLES } from './person-role.ts';
import { addViolation, instantOut, patterned, uuid, uuidOut } from './values.ts';

/** Requests and responses of people who sign in. */

/** Longest address that mail can be sent to (RFC 5321 section 4.5.3.1.3). */
const EMAIL_LENGTH_MAX = 254;
/** Of the longer form. */
const lengthOf = (text: string) => Math.max(text.length, normalEmail(text)?.length ?? 0);
const isEmail = (text: string) => normalEmail(text) !== undefined;

/** An e-mail address. It is compared in lower case, and its domain in ASCII. */
export const email = () =>
  z
    .string()
    .check((context) => {
      if (lengthOf(context.value) > EMAIL_LENGTH_MAX) addViolation(context, 'TOO_LONG', EMAIL_LENGTH_MAX);
      else if (!isEmail(context.value)) addViolation(context, 'PATTERN_MISMATCH', 'an e-mail address');
    })
    .meta({ format: 'email', maxLength: EMAIL_LENGTH_MAX });

/** An e-mail address or a Saudi mobile number. */
const identifier = z
  .string()
  .check((context) => {
    if (lengthOf(context.value) > EMAIL_LENGTH_MAX) addViolation(context, 'TOO_LONG', EMAIL_LENGTH_MAX);
    else if (!SAUDI_MOBILE.test(context.value) && !isEmail(context.value))
      addViolation(context, 'PATTERN_MISMATCH', 'an e-mail address or a Saudi mobile number');
  })
  .meta({ maxLength: EMAIL_LENGTH_MAX })
  .describe('The e-mail address or the Saudi mobile number of the person.');

/** Six digits. */
const otp = () => patterned(/^[0-9]{6}$/, 'sixDigits', { example: '493017' });

/** Members of a request to sign in: by e-mail address or Saudi mobile, from a device that names itself. */
export const signInRequest = {
  identifier,
  deviceReference: uuid,
};
export type SignInRequest = z.output<z.ZodObject<typeof signInRequest>>;
/** Members of a request to accept an invitation: its id from the message, on a device that names itself. */
export const acceptanceRequest = { invitationId: uuid, deviceReference: uuid };
/** Members of the answer to a code. */
export const verificationRequest = { otp: otp() };

/** The e-mail address or mobile that a person replaces their own with. */
export const identifierChangeRequest = { identifier };

export const signInChallenge = z
  .strictObject({ challengeId: uuidOut, expiresAt: instantOut })
  .meta({ id: 'SignInChallenge' });

const assuranceLevel = z.enum(ASSURANCE_LEVELS);

export const signedIn = z
  .strictObject({ sessionToken: z.string(), expiresAt: instantOut, assuranceLevel })
  .meta({ id: 'SignedIn' });

export const elevationChallenge = z
  .strictObject({
    elevationId: uuidOut.describe('Identifies the request for a second code. It is in the path of the verification.'),
    channel: z.enum(MESSAGE_CHANNELS),
    maskedDestination: z.string(),
    expiresAt: instantOut,
  })
  .meta({ id: 'AssuranceElevation' });

export const elevated = z
  .strictObject({ assuranceLevel, freshUntil: instantOut, sessionToken: z.string() })
  .meta({ id: 'Elevated' });

/** `heldUntil`: until then the person may not change credentials, webhooks and people. */
export const identifierChanged = z.strictObject({ sessionToken: z.string(), heldUntil: instantOut });

/** The session of a request: its person and its assurance level. */
export const currentSession = z
  .strictObject({
    sessionId: uuidOut,
    person: z.strictObject({
      personId: uuidOut,
      fullName: z.string(),
      email: z.nullable(z.string()).describe('Null once another person has proved the address.'),
      role: z.enum(SESSION_ROLES),
    }),
    /** Null for an operator. */
    company: z
      .nullable(z.strictObject({ companyId: uuidOut, name: z.string() }))
      .describe('The company of the person; null for an operator.'),
    assuranceLevel,
    freshUntil: z.nullable(instantOut),
    expiresAt: instantOut,
  })
  .meta({ id: 'CurrentSession' });
export type CurrentSession = z.output<typeof currentSession>;

/** One of a person's sessions. */
export const session = z.strictObject({
  sessionId: uuidOut,
  isCurrent: z.boolean(),
  channel: z.enum(MESSAGE_CHANNELS),
  assuranceLevel,
  createdAt: instantOut,
  lastSeenAt: instantOut,
  expiresAt: instantOut,
});
export type Session = z.output<typeof session>;

/** Where the people of a company are signed in, for its owners. */
export const memberSignIns = z.strictObject({
  sessions: z.array(
    session.extend({
      personId: uuidOut,
      /** The network address of the sign-in; null if it is not known. */
      address: z.nullable(z.string()),
    }),
  ),
  /** The last sign-in of each person of the last `SIGN_IN_DAYS` days. */
  last: z.array(z.strictObject({ personId: uuidOut, at: instantOut })),
});
export type MemberSignIns = z.output<typeof memberSignIns>;
