import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import {
  type MediaAsset,
  mediaAsset,
  mediaAssetRequest,
  mediaContent,
  storedMediaAsset,
} from '../src/contract/media-asset.ts';
import { MEDIA_ASSETS_MAX, MEDIA_CONTENT_TYPES } from '../src/contract/media-asset-state.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { externalReference } from '../src/contract/shipment.ts';
import { uuid } from '../src/contract/values.ts';
import { sha256Hex } from '../src/core/crypto.ts';
import { MEDIA_WAITING_DAYS, UPLOAD_BYTES_MAX, UPLOAD_MEBIBYTES_MAX } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import { listMedia, readMedia, removeMedia } from '../src/domain/media-assets/stored.ts';
import { uploadMedia } from '../src/domain/media-assets/upload.ts';
import { uploadsFor } from '../src/domain/sandbox/fault/fault.ts';
import { optionalKey } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { rawRequest } from './other-requests.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, file, request } from './request.ts';

const PATH = '/v2/external/media-assets';
const mediaAssetId = { mediaAssetId: uuid };

/** Pictures for shipments that do not exist yet. */
export const mediaAssets = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags: ['Shipments'],
        summary: 'Upload a picture for a shipment that does not exist yet',
        description: `The bytes of one JPEG or PNG of at most ${UPLOAD_MEBIBYTES_MAX} MiB. The shipment.created event of the shipment that gets this externalReference lists them all, at most ${MEDIA_ASSETS_MAX}, by sortOrder; after ${MEDIA_WAITING_DAYS} days without that shipment a picture is removed. A reference that has its shipment takes no more.`,
      },
      successStatuses: [201, 200],
      problems: [
        'EXTERNAL_REFERENCE_CONFLICT',
        'UNSUPPORTED_DOCUMENT_TYPE',
        'DOCUMENT_TOO_LARGE',
        'VALIDATION_FAILED',
        'DOCUMENT_CONTENT_MISMATCH',
        'STORAGE_PROVIDER_UNAVAILABLE',
        ...KEY_PROBLEMS,
      ],
    })
    .input(
      rawRequest(
        { query: mediaAssetRequest, header: { idempotencyKey: optionalKey } },
        { contentTypes: MEDIA_CONTENT_TYPES, bytesMax: UPLOAD_BYTES_MAX },
      ),
    )
    .output(answer(mediaAsset))
    .mutation(async ({ ctx, input }) => {
      const { services, store, company } = ctx;
      const { content, idempotencyKey, ...parameters } = input;
      const contentType = z.enum(MEDIA_CONTENT_TYPES).parse(content.contentType);
      const dependencies = { ...services, ...store, documents: uploadsFor(services, store, company) };
      const order = { ...parameters, contentType, bytes: content.bytes };
      const same = { ...parameters, contentType, sha256: await sha256Hex(content.bytes) };
      return answerOnce(
        ctx,
        { operation: 'mediaAssets.create', idempotencyKey, same },
        {
          run: (bind: Bind<MediaAsset>) => uploadMedia(dependencies, company, order, bind),
          present: (body) => ({ status: 201, body, headers: {} }),
        },
      );
    }),

  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags: ['Shipments'],
        summary: 'List uploaded pictures, newest first',
        description: 'A picture has its shipmentId when the shipment with its externalReference exists.',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: { externalReference: z.optional(externalReference()), ...pageRequest } }))
    .output(answer(pageOf(storedMediaAsset)))
    .query(async ({ ctx, input }) => orThrow(await listMedia({ ...ctx.services, ...ctx.store }, ctx.company, input))),

  read: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{mediaAssetId}/content`,
        tags: ['Shipments'],
        summary: 'Read an uploaded picture',
        description:
          'The picture for a download, without the metadata that cameras write, such as the place. Problems are JSON.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'STORAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ path: mediaAssetId }))
    .output(file(mediaContent, 'image/*'))
    .query(async ({ ctx, input }) =>
      orThrow(await readMedia({ ...ctx.services, ...ctx.store }, ctx.company, input.mediaAssetId)),
    ),

  delete: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${PATH}/{mediaAssetId}`,
        tags: ['Shipments'],
        summary: 'Delete an uploaded picture',
        description: 'Not possible once its shipment exists.',
      },
      successStatuses: [204],
      problems: ['RESOURCE_NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    })
    .input(request({ path: mediaAssetId }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await removeMedia({ ...ctx.services, ...ctx.store }, ctx.company, input.mediaAssetId));
      ctx.reply.status = 204;
      return null;
    }),
});
