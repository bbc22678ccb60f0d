import * as z from 'zod';
import { MEDIA_CONTENT_TYPES } from './media-asset-state.ts';
import { externalReference, SORT_ORDER_MAX, timelineMedia } from './shipment.ts';
import { instantOut, integer, logged, uuidOut } from './values.ts';

/** Query parameters of an upload. */
export const mediaAssetRequest = {
  // The samples use the reference of a shipment that does not exist yet.
  externalReference: externalReference().meta({ example: 'ORDER-1002' }),
  sortOrder: integer(0, SORT_ORDER_MAX).default(0),
};

const { purpose, sortOrder } = timelineMedia.shape;

/** A picture that waits for its shipment. The event lists it without the state, which is always READY there. */
export const mediaAsset = z
  .strictObject({
    mediaAssetId: uuidOut,
    state: z.literal('READY').describe('Always READY: the picture is stored.'),
    purpose,
    sortOrder,
  })
  .meta({ id: 'MediaAsset' });
export type MediaAsset = z.output<typeof mediaAsset>;

/** A picture in the list. Its shipment is null as long as it waits for it. */
export const storedMediaAsset = z
  .strictObject({
    ...mediaAsset.shape,
    externalReference: logged(z.string()),
    shipmentId: z.nullable(uuidOut).describe('The shipment with this reference; null as long as there is none.'),
    contentType: z.enum(MEDIA_CONTENT_TYPES),
    sizeBytes: z.number().meta({ override: { type: 'integer' as const, minimum: 1 } }),
    sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
    createdAt: instantOut,
  })
  .meta({ id: 'StoredMediaAsset' });
export type StoredMediaAsset = z.output<typeof storedMediaAsset>;

/** The bytes of a picture: REST answers them as they are, tRPC in base64. */
export const mediaContent = z.strictObject({
  /** A name of ours: nothing of it comes from the uploaded file. */
  fileName: z.string(),
  contentType: z.enum(MEDIA_CONTENT_TYPES),
  base64: z.string(),
});
export type MediaContent = z.output<typeof mediaContent>;
