import * as z from 'zod';
import { externalReference, SORT_ORDER_MAX, timelineMedia } from './shipment.ts';
import { integer, uuidOut } from './values.ts';

/** Query parameters of an upload. */
export const mediaAssetRequest = {
  // The samples use the reference of a shipment that does not exist yet.
  externalReference: externalReference().meta({ example: 'ORDER-1002' }),
  sortOrder: integer(0, SORT_ORDER_MAX).default(0),
};

const { purpose, sortOrder } = timelineMedia.shape;

/** A picture that waits for its shipment. The event lists it without the state, which is always READY there. */
export const mediaAsset = z
  .strictObject({ mediaAssetId: uuidOut, state: z.literal('READY'), purpose, sortOrder })
  .meta({ id: 'MediaAsset' });
export type MediaAsset = z.output<typeof mediaAsset>;
