import * as z from 'zod';
import { instantOut } from './values.ts';

/** What a recipient may change, and ask for. */
export const RECIPIENT_CHANGES = ['ADDRESS', 'WINDOW', 'INSTRUCTIONS', 'REFUSE', 'RETURN'] as const;
export type RecipientChangeKind = (typeof RECIPIENT_CHANGES)[number];

/** What a tracking link allows the recipient to do, once they have proved that the shipment's phone is theirs. `PROOF`: to see the photo of the delivery. */
export const LINK_PERMISSIONS = [...RECIPIENT_CHANGES, 'PROOF'] as const;
export type LinkPermission = (typeof LINK_PERMISSIONS)[number];

/** Why a recipient does not want a shipment. */
export const REFUSAL_REASONS = ['NOT_ORDERED', 'CHANGED_MIND', 'ORDERED_TWICE', 'TOO_LATE', 'OTHER'] as const;

/** That the recipient does not want the shipment. Its state stays: the merchant decides. */
export const recipientRefusal = z
  .strictObject({
    refusedAt: instantOut,
    reasonCode: z.enum(REFUSAL_REASONS),
    comment: z
      .nullable(z.string())
      .describe('In the recipient’s own words. Null also once the recipient is forgotten.'),
  })
  .meta({ id: 'RecipientRefusal' });
