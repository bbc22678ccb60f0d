import * as z from 'zod';
import { externalReference, SORT_ORDER_MAX, timelineMedia } from './shipment.ts';
import { integer, uuidOut } from './values.ts';

/** Query parameters of an upload. */
export const mediaAssetRequest = {
  // Of a shipment that is still to come, in the samples too.
  externalReference: externalReference().meta({ example: 'ORDER-1002' }),
  sortOrder: integer(0, SORT_ORDER_MAX).default(0),
};

const { purpose, sortOrder } = timelineMedia.shape;

/** A picture that waits for its shipment. Its event lists it without the state, which says nothing there. */
export const mediaAsset = z
  .strictObject({ mediaAssetId: uuidOut, state: z.literal('READY'), purpose, sortOrder })
  .meta({ id: 'MediaAsset' });
export type MediaAsset = z.output<typeof mediaAsset>;
