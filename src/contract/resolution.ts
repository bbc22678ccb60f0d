import * as z from 'zod';
import { priceWithVat } from './price-estimate.ts';
import { EVIDENCES } from './proof-state.ts';
import {
  FAILURE_PAYERS,
  FOLLOW_UP_KINDS,
  GOODS,
  OPTION_OBJECTIONS,
  RECALL_REASONS,
  RESOLUTION_KINDS,
  RESOLUTION_STATES,
  RETURN_REASONS,
} from './resolution-state.ts';
import { coordinate, externalReference } from './shipment.ts';
import { ITEMS_MAX, SHIPMENT_STATES } from './shipment-state.ts';
import { shortAddress } from './short-address.ts';
import { instant, instantOut, integer, logged, placeCode, text, uuidOut } from './values.ts';

const kind = z
  .enum(RESOLUTION_KINDS)
  .describe('REDELIVER: another attempt. RETURN: back to the pickup location. DISPOSE: the parcel is destroyed.');

/** One way to go on after a failed delivery. */
export const resolutionOption = z
  .strictObject({
    kind,
    available: z.boolean().describe('Whether it can be chosen now.'),
    code: z
      .nullable(z.enum(OPTION_OBJECTIONS))
      .describe(
        'Why it cannot be chosen; null if it can. RECIPIENT_FORGOTTEN: their data was deleted. DECIDED: something was chosen already.',
      ),
    payer: z.enum(FAILURE_PAYERS).describe('Who pays for it. What the carrier pays costs the merchant nothing.'),
    price: priceWithVat.describe('What the merchant pays for it.'),
  })
  .meta({ id: 'ResolutionOption' });
export type ResolutionOption = z.output<typeof resolutionOption>;

/** What becomes of a parcel whose delivery failed. */
export const resolution = z
  .strictObject({
    shipmentId: uuidOut,
    failure: z.strictObject({
      reasonCode: logged(z.string()).describe('Why the delivery failed.'),
      at: instantOut.describe('When it failed.'),
      evidence: z.enum(EVIDENCES).describe('How well the attempt is proven. It decides who pays.'),
    }),
    goods: z.enum(GOODS).describe('Where the parcel is now, also if another shipment carries it on.'),
    state: z
      .enum(RESOLUTION_STATES)
      .describe('CHOSEN: somebody decided. AUTOMATIC: nobody did, and the default was taken. NOT_NEEDED: it is lost.'),
    decideBy: z.nullable(instantOut).describe('When the service takes the default. Null if nothing is to be decided.'),
    default: z.nullable(z.enum(RESOLUTION_KINDS)).describe('What is taken if nobody decides.'),
    options: z.array(resolutionOption).describe('What can be chosen, with payer and price.'),
    attemptsMade: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 1 } })
      .describe('Attempts to deliver this parcel so far; of a return, attempts to bring it back.'),
    followUpShipmentId: z.nullable(uuidOut).describe('The shipment that carries the parcel on; null without one.'),
  })
  .meta({ id: 'Resolution' });
export type Resolution = z.output<typeof resolution>;

export const resolutionRequest = {
  kind,
  externalReference: z
    .optional(externalReference())
    .describe('Of the shipment that follows. Absent: that of the first one with `~2`, `~3` or `~R`.'),
  location: z
    .optional(z.strictObject({ latitude: coordinate(90), longitude: coordinate(180) }))
    .describe('Another pin for REDELIVER, in the same city.'),
  shortAddress: z.optional(shortAddress()).describe('The short code of the National Address, for REDELIVER.'),
  windowStart: z
    .optional(instant)
    .describe(
      'When REDELIVER is wanted: the `start` of a window that the city has within three days. The driver still has to agree.',
    ),
};
export type ResolutionRequest = z.output<z.ZodObject<typeof resolutionRequest>>;

export const returnRequest = {
  externalReference: externalReference().describe('The identifier of the return, of the merchant’s own.'),
  reasonCode: z.enum(RETURN_REASONS).describe('Why the items go back.'),
  items: z
    .array(
      z.strictObject({
        index: integer(0, ITEMS_MAX - 1).describe('The position of the item in `items` of the shipment, from 0.'),
        quantity: integer(1, 10_000).describe('How many of it go back.'),
      }),
    )
    .min(1)
    .max(ITEMS_MAX)
    .describe('What goes back, each item once.'),
  pickupWindowStart: instant,
  pickupWindowEnd: instant,
  pickupLocationCode: z
    .optional(placeCode())
    .describe('Where the items go. Absent: to the pickup location that they came from.'),
};
export type ReturnRequest = z.output<z.ZodObject<typeof returnRequest>>;

export const recallRequest = {
  reasonCode: z.enum(RECALL_REASONS).describe('Why the merchant takes the parcel back.'),
  comment: z.optional(text({ max: 240 })),
};

/** How many of an item go back, or can. */
export const itemQuantity = z
  .strictObject({
    index: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 0 } })
      .describe('The position of the item in `items` of the shipment, from 0.'),
    quantity: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 1 } })
      .describe('How many of it.'),
  })
  .meta({ id: 'ItemQuantity' });

/** How a shipment belongs to others. */
export const relations = z
  .strictObject({
    redeliveryOf: z.nullable(uuidOut).describe('The shipment whose parcel this one delivers again.'),
    returnOf: z.nullable(uuidOut).describe('The shipment whose parcel this one takes back.'),
    followUps: z
      .array(
        z.strictObject({
          shipmentId: uuidOut,
          kind: z.enum(FOLLOW_UP_KINDS).describe('What the later shipment is.'),
          state: z.enum(SHIPMENT_STATES),
        }),
      )
      .describe('The shipments that followed this one, the oldest first.'),
    returnable: z
      .array(itemQuantity)
      .describe('What `POST …/returns` can take back now. Empty if nothing can go back.'),
  })
  .meta({ id: 'ShipmentRelations' });
export type Relations = z.output<typeof relations>;

/** Parcels that wait for a decision of the company. */
export const undecided = z.strictObject({
  parcels: z.number(),
  first: z.nullable(z.strictObject({ shipmentId: uuidOut, decideBy: instantOut, default: z.enum(RESOLUTION_KINDS) })),
});
export type Undecided = z.output<typeof undecided>;
