import * as z from 'zod';
import { instantOut } from './values.ts';

export const MESSAGE_CHANNELS = ['SMS', 'EMAIL'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** Purposes of messages. The first eight have a one-time code; the others are notices. */
export const MESSAGE_PURPOSES = [
  'DRIVER_SIGN_IN',
  'REGISTRATION',
  'SIGN_IN',
  'ELEVATION',
  'INVITATION_ACCEPTANCE',
  'IDENTIFIER_CHANGE',
  'RECIPIENT_SIGN_IN',
  'DELIVERY_PIN',
  'REGISTRATION_BEGUN',
  'ALREADY_REGISTERED',
  'INVITATION',
  'IDENTIFIER_TAKEN',
  'IDENTIFIER_CHANGED',
  'RECOVERY_BEGUN',
  'COMPANY_APPROVED',
  'COMPANY_REJECTED',
  'RECIPIENT_PHONE_CHANGED',
] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];

/** A code in the inbox of a local deployment. */
export const oneTimeCode = z.strictObject({
  recipient: z.string(),
  channel: z.enum(MESSAGE_CHANNELS),
  purpose: z.enum(MESSAGE_PURPOSES),
  code: z.string(),
  createdAt: instantOut,
});
/** A message without a code, in the same inbox. */
export const notice = oneTimeCode.omit({ code: true });
export type Notice = z.output<typeof notice>;
export type OneTimeCode = z.output<typeof oneTimeCode>;
