import * as z from 'zod';
import { personRequest } from './person.ts';
import { ROLES } from './person-role.ts';
import { reviewReason } from './registration-review.ts';
import { instantOut, text, uuid, uuidOut } from './values.ts';

/** The recovery of an account whose person has neither factor. */

/** The person, the identifiers that the person gets, and how the operator knows the person. */
export const recoveryRequest = {
  personId: uuid,
  email: personRequest.email,
  mobile: personRequest.mobile,
  reason: reviewReason,
};

const STOP_TOKEN_LENGTH_MAX = 64;
/** The token of the link in the message. */
export const stopRequest = { token: text({ min: 1, max: STOP_TOKEN_LENGTH_MAX }) };

/** A recovery that nobody has stopped. */
export const recovery = z.strictObject({ recoveryId: uuidOut, personId: uuidOut, dueAt: instantOut });
export type RecoveryRecord = z.output<typeof recovery>;

/** The same for operators. */
export const listedRecovery = recovery.extend({ fullName: z.string(), companyName: z.string(), reason: z.string() });
export type ListedRecovery = z.output<typeof listedRecovery>;

/** A merchant's person, as operators find them by an e-mail address or a mobile. */
export const foundPerson = z.strictObject({
  personId: uuidOut,
  fullName: z.string(),
  role: z.enum(ROLES),
  companyId: uuidOut,
  companyName: z.string(),
  /** Whether the person can sign in with an e-mail address or a mobile, so that a code could reach them. */
  hasAccepted: z.boolean(),
});
export type FoundPerson = z.output<typeof foundPerson>;
