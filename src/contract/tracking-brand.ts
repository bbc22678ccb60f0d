import * as z from 'zod';
import { LOGO_BYTES_MAX, LOGO_CONTENT_TYPES } from './media-asset-state.ts';
import { contactPhone } from './place.ts';
import { version } from './shipment.ts';
import { shownLogo } from './tracking.ts';
import { instantOut, text } from './values.ts';

/** What the pages of a company's tracking links show of the company, besides its name. */

/** RFC 4648 section 4, with padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_LENGTH_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

/** How recipients reach the company. They see it only if `showsContact` is true. */
export const brandContact = {
  phone: z.nullable(contactPhone()),
  whatsApp: z.nullable(contactPhone()),
  showsContact: z.boolean(),
};
export type BrandContact = z.output<z.ZodObject<typeof brandContact>>;

/** A new logo, or null for none. */
export const brandLogo = {
  logo: z.nullable(
    z.strictObject({
      contentType: z.enum(LOGO_CONTENT_TYPES),
      base64: text({ min: 1, max: BASE64_LENGTH_MAX, pattern: BASE64, words: 'base64' }),
    }),
  ),
};
export type BrandLogo = z.output<z.ZodObject<typeof brandLogo>>['logo'];

export const trackingBrand = z.strictObject({
  ...brandContact,
  logo: z.nullable(shownLogo),
  /** Null before the first change. */
  updatedAt: z.nullable(instantOut),
  version,
});
export type TrackingBrand = z.output<typeof trackingBrand>;
