import * as z from 'zod';
import { COD_HOLDERS, COLLECTION_METHODS } from './cod-state.ts';
import { pageOf } from './page.ts';
import { decimalOut, instant, instantOut, logged, uuidOut } from './values.ts';

/** The amount to collect of a shipment, and what became of it. */
export const codOfShipment = z
  .strictObject({
    currency: logged(z.string()).describe('The currency of the amounts.'),
    expectedAmount: decimalOut().describe('What the driver has to collect: the `codAmount` of the shipment.'),
    collectedAmount: z.nullable(decimalOut()).describe('What the driver has collected; null before the delivery.'),
    method: z.nullable(z.enum(COLLECTION_METHODS)).describe('How the recipient paid; null before the delivery.'),
    reference: z
      .nullable(z.string())
      .describe('What the driver noted, such as the number of the card terminal; null without one.'),
    collectedAt: z.nullable(instantOut).describe('When it was collected: the time of the delivery. Null before it.'),
    holder: z.enum(COD_HOLDERS).describe('Who has the money.'),
  })
  .meta({ id: 'ShipmentCod' });
export type CodOfShipment = z.output<typeof codOfShipment>;

const collection = z
  .strictObject({
    shipmentId: uuidOut,
    shipmentNumber: logged(z.string()),
    externalReference: logged(z.string()),
    amount: decimalOut().describe('What the driver has collected, in the currency of the shipment.'),
    method: z.enum(COLLECTION_METHODS).describe('How the recipient paid.'),
    collectedAt: instantOut.describe('When it was collected: the time of the delivery.'),
  })
  .meta({ id: 'CodCollection' });

export const codTotals = z
  .strictObject({
    amount: decimalOut().describe('The sum of all collections of the range.'),
    shipments: z
      .number()
      .meta({ override: { type: 'integer' as const, minimum: 0 } })
      .describe('How many there are.'),
  })
  .meta({ id: 'CodTotals' });

export const codCollections = pageOf(collection)
  .extend({
    totals: codTotals.describe('Of the whole range, on each page: as they were on the first one.'),
  })
  .meta({ id: 'CodCollectionPage' });
export type CodCollections = z.output<typeof codCollections>;

/** A range of instants: `from` inclusive, `to` exclusive. */
export const collectionRange = { from: instant, to: instant };
