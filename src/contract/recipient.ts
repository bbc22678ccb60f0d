import * as z from 'zod';
import { literalDecimal } from '../core/decimal.ts';
import { REFUSAL_COMMENT_LENGTH_MAX, RETURN_DAYS } from '../core/limits.ts';
import { ADDRESS_STATUSES } from './address-state.ts';
import { UNTIL } from './amendment-rules.ts';
import { AMENDMENT_CHANGES, AMENDMENT_OBJECTIONS } from './amendment-state.ts';
import { deliveryWindow, offeredWindow } from './delivery-window.ts';
import { RECIPIENT_CHANGES, REFUSAL_REASONS, recipientRefusal } from './recipient-state.ts';
import { itemQuantity, returnRequest } from './resolution.ts';
import { RETURN_REASONS } from './resolution-state.ts';
import { coordinate, locationOut, saudiMobile, version } from './shipment.ts';
import { amendmentRequest, deliveryPlace } from './shipment-amendment.ts';
import { decimal, instantOut, text, uuidOut } from './values.ts';

/** What a recipient reads and changes with a tracking link, after a code to the shipment's phone. */

/** A code that was sent to the shipment's phone. */
export const recipientChallenge = z
  .strictObject({
    challengeId: uuidOut.describe('Identifies the code. It is in the path of the verification.'),
    maskedDestination: z.string().describe('Where the code was sent: four digits of the shipment’s phone.'),
    expiresAt: instantOut,
    resendAvailableAt: instantOut.describe('When another code can be requested.'),
    attemptsRemaining: z.number().meta({ override: { type: 'integer' as const, minimum: 0 } }),
    sandboxOtp: z.optional(z.string()).describe('The code. Only in sandboxes, whose phones are invented.'),
  })
  .meta({ id: 'RecipientChallenge' });
export type RecipientChallenge = z.output<typeof recipientChallenge>;

export const recipientSession = z
  .strictObject({
    recipientToken: z.string().describe('Send it as a bearer token. Browsers also get it as a cookie.'),
    expiresAt: instantOut.describe('It ends earlier if the link is revoked or the shipment gets another phone.'),
  })
  .meta({ id: 'RecipientSession' });

/** What a recipient may do, and until when. */
const may = z.strictObject({
  change: z.enum(RECIPIENT_CHANGES),
  allowed: z.boolean(),
  until: z
    .nullable(z.enum([...UNTIL, 'RETURN_DAYS']))
    .describe(
      `What ends it: DEPARTURE is when the driver sets out, END is the end of the shipment, RETURN_DAYS is ${RETURN_DAYS} days after that. Null if it is over.`,
    ),
  code: z
    .nullable(z.enum([...AMENDMENT_OBJECTIONS, 'NOT_DELIVERED']))
    .describe('Why it is not allowed; null if it is. NOT_DELIVERED: a return can be asked for after the delivery.'),
});

/** EXPIRED: the merchant did not decide in time. */
const RETURN_REQUEST_STATES = ['AWAITING_MERCHANT', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
/** No day, because the merchant may need some days to decide. */
export const PARTS_OF_DAY = ['MORNING', 'AFTERNOON', 'EVENING'] as const;

const returnWish = {
  reasonCode: z.enum(RETURN_REASONS).describe('Why the items go back.'),
  partOfDay: z
    .enum(PARTS_OF_DAY)
    .describe('When somebody is at home to hand them over: before 12:00, from then to 17:00, or later.'),
};

/** That the recipient asks the merchant to take items back. */
export const recipientReturn = z
  .strictObject({
    state: z
      .enum(RETURN_REQUEST_STATES)
      .describe('ACCEPTED: the merchant has made a return since. EXPIRED: it did not decide until `decideBy`.'),
    askedAt: instantOut.describe('When the recipient asked.'),
    decideBy: instantOut.describe('Until when the merchant can decide.'),
    ...returnWish,
    comment: z.nullable(z.string()).describe('In the recipient’s own words.'),
    items: z.array(itemQuantity).describe('What goes back.'),
  })
  .meta({ id: 'RecipientReturn' });
export type RecipientReturn = z.output<typeof recipientReturn>;

export const recipientReturnRequest = {
  ...returnWish,
  comment: z.optional(text({ max: REFUSAL_COMMENT_LENGTH_MAX })),
  items: z.optional(returnRequest.items).describe('What goes back. Absent: all that is not on its way back yet.'),
};
export type RecipientReturnRequest = z.output<z.ZodObject<typeof recipientReturnRequest>>;

const pin = z
  .strictObject({
    code: z.string().describe('Four digits that the recipient tells the driver at the door.'),
    advice: z.string().describe('What to do with it, in the language of the request.'),
  })
  .meta({ id: 'DeliveryPin' });
export type DeliveryPin = z.output<typeof pin>;

/** The delivery as its recipient sees it. It never has a price. */
export const recipientDelivery = z
  .strictObject({
    version: version.describe('Of the shipment.'),
    confirmedAt: z.nullable(instantOut).describe('When the recipient confirmed the destination as it is now.'),
    destination: locationOut,
    nationalAddress: z.strictObject({ shortAddress: z.nullable(z.string()), status: z.enum(ADDRESS_STATUSES) }),
    place: z.nullable(deliveryPlace).describe('Where the driver leaves the parcel; null if nobody said it.'),
    instructions: z.nullable(z.string()),
    window: z
      .nullable(deliveryWindow)
      .describe('When the recipient wants the parcel; null if nobody asked for a time.'),
    windowsOffered: z.array(offeredWindow).describe('The windows that can be asked for now, the earliest first.'),
    refusal: z.nullable(recipientRefusal),
    returnRequest: z.nullable(recipientReturn).describe('The return that the recipient last asked for.'),
    returnable: z
      .array(z.strictObject({ ...itemQuantity.shape, description: z.string() }))
      .describe('The items whose return can be asked for now. Empty if none can.'),
    pin: z.nullable(pin).describe('The PIN of the delivery, while a driver has the parcel. Null if none is needed.'),
    awaitingMerchant: z
      .array(
        z.strictObject({ amendmentId: uuidOut, changes: z.array(z.enum(AMENDMENT_CHANGES)), decideBy: instantOut }),
      )
      .describe('Changes that the merchant has to decide.'),
    may: z.array(may).describe('One entry for each permission of the link.'),
  })
  .meta({ id: 'RecipientDelivery' });
export type RecipientDelivery = z.output<typeof recipientDelivery>;

/** Members of a change. What is absent stays as it is. */
export const recipientChange = {
  confirmed: z.optional(z.literal(true)).describe('The destination is right, as it is after this change.'),
  location: z.optional(z.strictObject({ latitude: coordinate(90), longitude: coordinate(180) })),
  addressLine: amendmentRequest.addressLine,
  shortAddress: amendmentRequest.shortAddress,
  windowStart: amendmentRequest.windowStart,
  place: amendmentRequest.place,
  instructions: amendmentRequest.instructions,
};
export type RecipientChange = z.output<z.ZodObject<typeof recipientChange>>;

export const changedDelivery = z
  .strictObject({
    delivery: recipientDelivery,
    applied: z.array(z.enum(AMENDMENT_CHANGES)).describe('What is changed now.'),
    awaitingMerchant: z
      .array(z.strictObject({ amendmentId: uuidOut, changes: z.array(z.enum(AMENDMENT_CHANGES)) }))
      .describe('What the merchant has to agree to first.'),
  })
  .meta({ id: 'ChangedDelivery' });

export const refusalRequest = {
  reasonCode: z.enum(REFUSAL_REASONS),
  comment: z.optional(text({ max: REFUSAL_COMMENT_LENGTH_MAX })),
};
export type RefusalRequest = z.output<z.ZodObject<typeof refusalRequest>>;

/** What a company allows its recipients. */
export const recipientSettings = {
  amendmentLimit: decimal({ min: literalDecimal('0'), max: literalDecimal('1000'), digitsMax: 6 }).describe(
    'The most that one change of a recipient may cost without a decision of the company, in SAR with VAT.',
  ),
};
export type RecipientSettings = z.output<z.ZodObject<typeof recipientSettings>>;

/** The mobile by which earlier recipients are searched for. It is personal, so it is only ever sent in a body. */
export const knownRecipientRequest = { phone: saudiMobile() };
export const knownRecipient = z.strictObject({ name: z.string(), destination: locationOut });
export type KnownRecipient = z.output<typeof knownRecipient>;

/** What the recipient has said besides amendments, for the merchant. */
export const recipientReply = z
  .strictObject({
    confirmedAt: z.nullable(instantOut).describe('When the recipient last confirmed the destination.'),
    refusal: z.nullable(recipientRefusal),
    returnRequest: z
      .nullable(recipientReturn)
      .describe('The return that the recipient last asked for. Null also once the recipient is forgotten.'),
  })
  .meta({ id: 'RecipientReply' });
export type RecipientReply = z.output<typeof recipientReply>;
