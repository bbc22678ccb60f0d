import * as z from 'zod';
import { AMENDMENT_CHANGES, AMENDMENT_REASONS } from './amendment-state.ts';
import { decimalOut, instantOut, uuidOut } from './values.ts';

/** What an amendment changes in the charges. */
export const priceEffect = z
  .strictObject({
    lines: z
      .array(z.strictObject({ code: z.literal('AMENDMENT'), amount: decimalOut().describe('Without VAT.') }))
      .describe('The lines that are added. Negative if the new way is cheaper; empty if the price stays.'),
    netAmount: decimalOut().describe('Without VAT.'),
    vatAmount: decimalOut().describe('The VAT on netAmount.'),
    totalAmount: decimalOut().describe('With VAT.'),
  })
  .meta({ id: 'PriceEffect' });

/** The actors that can amend a shipment. Drivers cannot. */
export const AMENDERS = ['MERCHANT', 'RECIPIENT', 'OPERATOR', 'SYSTEM'] as const;

/** What an event tells of an amendment. The shipment beside it has the new values. */
export const amendmentInEvent = z.strictObject({
  amendmentId: uuidOut,
  by: z.enum(AMENDERS),
  changes: z.array(z.enum(AMENDMENT_CHANGES)),
  reasonCode: z.nullable(z.enum(AMENDMENT_REASONS)),
  priceEffect,
  decideBy: z.optional(instantOut).describe('Of `shipment.amendment_requested`: until when the company can decide.'),
  state: z
    .optional(z.enum(['APPLIED', 'REJECTED']))
    .describe('Of `shipment.amendment_decided`: what the company decided.'),
});
