import * as z from 'zod';
import {
  ADDRESS_LINE_LENGTH_MAX,
  AMENDMENTS_MAX,
  INSTRUCTIONS_LENGTH_MAX,
  PLACE_NOTE_LENGTH_MAX,
} from '../core/limits.ts';
import { AMENDERS, priceEffect } from './amendment-event.ts';
import {
  AMENDMENT_CHANGES,
  AMENDMENT_OBJECTIONS,
  AMENDMENT_REASONS,
  AMENDMENT_STATES,
  PLACE_KINDS,
} from './amendment-state.ts';
import { PAYERS } from './cancellation.ts';
import { offeredWindow } from './delivery-window.ts';
import { SHIPMENT_EVENT_TYPES } from './event-type.ts';
import { cityCode, coordinate, money, saudiMobile, version } from './shipment.ts';
import { SHIPMENT_STATES } from './shipment-state.ts';
import { shortAddress } from './short-address.ts';
import { coordinateOut, decimalOut, instant, instantOut, text, uuidOut } from './values.ts';

/** Requests and answers of amendments of a shipment. */

/** Members of an amendment. What is absent stays as it is. */
export const amendmentRequest = {
  location: z.optional(
    z.strictObject({
      latitude: coordinate(90),
      longitude: coordinate(180),
      cityCode: z
        .optional(cityCode())
        .describe('The present city. Another city is refused. Cancel the shipment and create a new one.'),
    }),
  ),
  addressLine: z.optional(text({ min: 1, max: ADDRESS_LINE_LENGTH_MAX })),
  shortAddress: z
    .optional(shortAddress())
    .describe('The short code of the National Address. It replaces the record, and is checked anew after the answer.'),
  recipient: z.optional(
    z.strictObject({
      name: z.optional(text({ min: 1, max: 120 })),
      phone: z.optional(saudiMobile()),
      alternateContactName: z.nullish(text({ max: 120 })).describe('A second person to call. Null removes the name.'),
      alternateContactPhone: z.nullish(saudiMobile()).describe('The number of a second person. Null removes it.'),
    }),
  ),
  pickupWindowStart: z.optional(instant),
  pickupWindowEnd: z.optional(instant),
  windowStart: z
    .optional(instant)
    .describe('When the delivery is wanted: the `start` of one of the `windowsOffered` of the shipment.'),
  codAmount: z.optional(money()),
  place: z.optional(
    z.strictObject({ kind: z.enum(PLACE_KINDS), note: z.nullish(text({ max: PLACE_NOTE_LENGTH_MAX })) }),
  ),
  instructions: z
    .optional(z.nullable(text({ max: INSTRUCTIONS_LENGTH_MAX })))
    .describe('What the driver has to know at the door. Null removes it.'),
  reasonCode: z.optional(z.enum(AMENDMENT_REASONS)).describe('Why the shipment is amended.'),
};
export type AmendmentRequest = z.output<z.ZodObject<typeof amendmentRequest>>;

export const deliveryPlace = z
  .strictObject({
    kind: z.enum(PLACE_KINDS),
    note: z.nullable(z.string()).describe('Where exactly, in words. Null if nobody said it.'),
  })
  .meta({ id: 'DeliveryPlace' });
export type DeliveryPlace = z.output<typeof deliveryPlace>;

const change = z.enum(AMENDMENT_CHANGES);
const changes = z.array(change).describe('What it changes.');

/** What an amendment would do now. */
export const amendmentPreview = z
  .strictObject({
    shipmentId: uuidOut,
    version: version.describe('Send it in If-Match, so that the amendment costs `priceEffect` or changes nothing.'),
    state: z.enum(SHIPMENT_STATES),
    allowed: z.boolean().describe('Whether the shipment can be amended so now.'),
    changes,
    violations: z
      .array(
        z.strictObject({
          change,
          reason: z
            .enum(AMENDMENT_OBJECTIONS)
            .describe(
              `TOO_LATE: the shipment is past the state in which this can be changed. CITY_CHANGE: the pin is in another city. LIMIT_REACHED: it has been amended ${AMENDMENTS_MAX} times. NOT_PERMITTED is for recipients only.`,
            ),
        }),
      )
      .describe('Why it is not allowed; empty if it is.'),
    priceEffect,
    payer: z.enum(PAYERS).describe('Who pays it. NOBODY also for a credit.'),
    chargesAfter: z
      .strictObject({
        netAmount: decimalOut().describe('Without VAT.'),
        vatAmount: decimalOut().describe('The VAT on netAmount.'),
        totalAmount: decimalOut().describe('With VAT.'),
      })
      .describe('The charges of the shipment after it.'),
    distanceMeters: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 0 } })
      .describe('The way that the charges after it are for.'),
    validUntil: z
      .nullable(instantOut)
      .describe('Before this instant time alone does not change the answer. Null: it never does.'),
    endsWith: z.array(z.enum(SHIPMENT_EVENT_TYPES)).describe('Events after which it is not allowed any more.'),
  })
  .meta({ id: 'AmendmentPreview' });
export type AmendmentPreview = z.output<typeof amendmentPreview>;

/** The new values, as far as a shipment shows them: never a phone, and no alternate contact. */
const newValues = z
  .strictObject({
    location: z.optional(z.strictObject({ latitude: coordinateOut(), longitude: coordinateOut() })),
    addressLine: z.optional(z.string()),
    shortAddress: z.optional(z.string()).describe('The short code of the National Address.'),
    recipientName: z.optional(z.string()),
    maskedRecipientPhone: z.optional(z.string()),
    pickupWindowStart: z.optional(instantOut),
    pickupWindowEnd: z.optional(instantOut),
    deliveryWindow: z
      .optional(z.nullable(offeredWindow))
      .describe('Null if a later pickup left no room for the window that was asked for.'),
    codAmount: z.optional(decimalOut()),
    place: z.optional(deliveryPlace),
    instructions: z.optional(z.nullable(z.string())),
  })
  .meta({ id: 'AmendedValues' });
export type AmendedValues = z.output<typeof newValues>;

/** An amendment as its company reads it. */
export const shipmentAmendment = z
  .strictObject({
    amendmentId: uuidOut.describe('Identifies the amendment.'),
    by: z.enum(AMENDERS).describe('Who asked for it.'),
    state: z.enum(AMENDMENT_STATES).describe('Whether it is in force. AWAITING_MERCHANT: the company has to decide.'),
    changes,
    change: newValues.describe('The new values, as a shipment shows them. Empty once the recipient is forgotten.'),
    reasonCode: z.nullable(z.enum(AMENDMENT_REASONS)).describe('Why; null if nobody said so.'),
    priceEffect,
    shipmentVersion: z
      .nullable(version)
      .describe('The version of the shipment that it led to; null until it is applied.'),
    requestedAt: instantOut.describe('When it was asked for.'),
    acknowledgedAt: z.nullable(instantOut).describe('When the driver confirmed to have read it; null until then.'),
    decideBy: z.nullable(instantOut).describe('Until when the company can decide; null if there is nothing to decide.'),
    decidedAt: z.nullable(instantOut).describe('When the company decided; null if it did not have to.'),
    version,
  })
  .meta({ id: 'ShipmentAmendment' });
export type ShipmentAmendment = z.output<typeof shipmentAmendment>;
