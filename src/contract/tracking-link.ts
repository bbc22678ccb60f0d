import * as z from 'zod';
import { LINK_DAYS_MAX } from '../core/limits.ts';
import { LOCALES } from '../core/locale.ts';
import { LINK_PERMISSIONS } from './recipient-state.ts';
import { version } from './shipment.ts';
import { addRepetitions, instantOut, integer, text, uuidOut } from './values.ts';

/** Links with which a merchant lets other people track a shipment. */

const EXPIRY_SECONDS_MIN = 300;
/** Also the default. */
const EXPIRY_SECONDS_MAX = LINK_DAYS_MAX * 24 * 3600;

/** Members of a request for a link. */
export const trackingLinkRequest = {
  expiresInSeconds: integer(EXPIRY_SECONDS_MIN, EXPIRY_SECONDS_MAX).default(EXPIRY_SECONDS_MAX),
  locale: z.optional(z.enum(LOCALES)),
  label: z.optional(text({ min: 1, max: 120 })),
  permissions: z
    .array(z.enum(LINK_PERMISSIONS))
    .max(LINK_PERMISSIONS.length)
    .check((context) => addRepetitions(context, context.value))
    .meta({ uniqueItems: true })
    .default([])
    .describe(
      'What the recipient may do on the page of the link, after a code to the shipment’s phone. Without any, the link only tracks.',
    ),
};

const record = {
  linkId: uuidOut.describe('Identifies the link. It is not part of its address.'),
  state: z.enum(['ACTIVE', 'REVOKED', 'EXPIRED']),
  /** Null: the page uses the reader's language. */
  locale: z.nullable(z.enum(LOCALES)),
  label: z.nullable(z.string()),
  permissions: z.array(z.enum(LINK_PERMISSIONS)).describe('What the recipient may do on its page.'),
  createdAt: instantOut,
  expiresAt: instantOut,
  revokedAt: z.nullable(instantOut).describe('When the link was revoked; null if it was not.'),
  viewCount: z
    .number()
    .meta({ override: { type: 'integer' as const, minimum: 0 } })
    .describe('How often people opened the page. Known previews, search engines and scanners are not counted.'),
  lastViewedAt: z.nullable(instantOut).describe('When the page was last opened; null if never.'),
  version,
};

/** A link without its address, which is a secret. */
export const trackingLink = z.strictObject(record).meta({ id: 'TrackingLink' });
export type TrackingLink = z.output<typeof trackingLink>;

const url = z
  .string()
  .meta({ format: 'uri', example: 'https://api.example.com/t/shard-1_0h5q7c4m2x9vt8ekdw3zrnjby6p1sgaf' });

/** A new link with its address. */
export const newTrackingLink = z.strictObject({ ...record, url }).meta({ id: 'NewTrackingLink' });

/** The address of a link. */
export const trackingLinkUrl = z.strictObject({ url }).meta({ id: 'TrackingLinkUrl' });
