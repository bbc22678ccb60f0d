import * as z from 'zod';
import { instantOut } from './values.ts';

export const MESSAGE_CHANNELS = ['SMS', 'EMAIL'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** What a one-time code is for. */
export const MESSAGE_PURPOSES = ['DRIVER_SIGN_IN'] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];

/** A code in the inbox of a local deployment. */
export const oneTimeCode = z.strictObject({
  recipient: z.string(),
  channel: z.enum(MESSAGE_CHANNELS),
  purpose: z.enum(MESSAGE_PURPOSES),
  code: z.string(),
  createdAt: instantOut,
});
export type OneTimeCode = z.output<typeof oneTimeCode>;
