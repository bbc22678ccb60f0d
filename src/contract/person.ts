import * as z from 'zod';
import { ROLES } from './person-role.ts';
import { email } from './session.ts';
import { saudiMobile } from './shipment.ts';
import { instantOut, publicName, uuidOut } from './values.ts';

/** Requests and responses of owners who manage the people of their company. */

const FULL_NAME_LENGTH_MAX = 120;

/** Members of a request to add a person. */
export const personRequest = {
  fullName: publicName(FULL_NAME_LENGTH_MAX),
  email: email(),
  mobile: saudiMobile(),
  role: z.enum(ROLES),
};
export type PersonRequest = z.output<z.ZodObject<typeof personRequest>>;

export const person = z.strictObject({
  personId: uuidOut,
  fullName: z.string(),
  /** Null once another person has proved it, as `maskedMobile`. */
  email: z.nullable(z.string()),
  maskedMobile: z.nullable(z.string()),
  role: z.enum(ROLES),
  /** Whether the person can sign in: a code has proved the e-mail address or the mobile. */
  hasAccepted: z.boolean(),
  createdAt: instantOut,
});
export type PersonRecord = z.output<typeof person>;
