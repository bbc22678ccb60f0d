import * as z from 'zod';
import { COLLECTION_METHODS } from './cod-state.ts';
import { decimalOut, instantOut, logged } from './values.ts';

/** What `cod.collected` tells. In a file of its own, because every event needs it from the start. */
export const collectionInEvent = z.strictObject({
  amount: decimalOut().describe('What the driver has collected.'),
  currency: logged(z.string()).describe('The currency of the amount.'),
  method: z.enum(COLLECTION_METHODS).describe('How the recipient paid.'),
  reference: z.nullable(z.string()).describe('What the driver noted; null without one.'),
  collectedAt: instantOut.describe('When it was collected: the time of the delivery.'),
});
export type CollectionInEvent = z.output<typeof collectionInEvent>;
