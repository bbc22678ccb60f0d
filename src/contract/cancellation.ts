import * as z from 'zod';
import { SHIPMENT_EVENT_TYPES } from './event-type.ts';
import { priceWithVat } from './price-estimate.ts';
import { SHIPMENT_STATES } from './shipment-state.ts';
import { decimalOut, instantOut, uuidOut } from './values.ts';

/** Why a cancellation costs what it costs, or why nothing can be cancelled. */
export const CANCELLATION_RULES = [
  'NOT_ACCEPTED',
  'GRACE',
  'DRIVER_ON_WAY',
  'DRIVER_LATE',
  'CARRIER',
  'PAST_PICK_UP',
  'CANCELLED',
  'ENDED',
] as const;
export type CancellationRule = (typeof CANCELLATION_RULES)[number];

/** Who pays for a cancellation or an amendment. */
export const PAYERS = ['NOBODY', 'MERCHANT'] as const;

const rule = z
  .enum(CANCELLATION_RULES)
  .describe(
    'NOT_ACCEPTED: no driver has accepted. GRACE: a driver has just accepted. DRIVER_ON_WAY: a driver comes to the pickup. DRIVER_LATE: the driver should have come. CARRIER: an operator cancels. PAST_PICK_UP: the driver has the parcel. CANCELLED and ENDED: nothing is left to cancel.',
  );
const payer = z.nullable(z.enum(PAYERS)).describe('Who pays the fee. Null if nothing can be cancelled.');
const fee = z.nullable(priceWithVat).describe('What the cancellation costs. Null if nothing can be cancelled.');

/** What a cancellation would cost now, and until when. */
export const cancellationPreview = z
  .strictObject({
    shipmentId: uuidOut,
    version: z
      .number()
      .meta({
        override: {
          type: 'integer' as const,
          minimum: 0,
        },
      })
      .describe('Send it in If-Match, so that the cancellation costs `fee` or changes nothing.'),
    state: z.enum(SHIPMENT_STATES),
    cancellable: z.boolean().describe('Whether the shipment can be cancelled now.'),
    rule,
    payer,
    fee,
    refund: z
      .strictObject({ totalAmount: decimalOut().describe('With VAT.') })
      .describe('What the cancellation takes back of the present charges.'),
    chargesAfter: z
      .strictObject({
        netAmount: decimalOut().describe('Without VAT.'),
        vatAmount: decimalOut().describe('The VAT on netAmount.'),
        totalAmount: decimalOut().describe('With VAT.'),
      })
      .describe('The charges of the shipment after a cancellation. As they are if nothing can be cancelled.'),
    validUntil: z
      .nullable(instantOut)
      .describe('Before this instant time alone does not change the fee. Null if it never does.'),
    endsWith: z
      .array(z.enum(SHIPMENT_EVENT_TYPES))
      .describe('Events that change the rule. Each of them also changes the version.'),
    next: z
      .nullable(
        z.strictObject({
          rule,
          payer,
          fee,
          from: z.nullable(instantOut).describe('Null if an event begins it, and not an instant.'),
        }),
      )
      .describe('What applies afterwards, if the shipment stays as it is or a driver accepts.'),
    instead: z
      .nullable(
        z.strictObject({
          operation: z.literal('recalls').describe('`POST …/recalls` takes the parcel back.'),
          price: priceWithVat.describe('What the return would cost the merchant.'),
        }),
      )
      .describe('What can be done where nothing can be cancelled: a recall after the pickup. Null otherwise.'),
    decidedAt: instantOut,
  })
  .meta({ id: 'CancellationPreview' });
export type CancellationPreview = z.output<typeof cancellationPreview>;
