import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { type MediaAsset, mediaAsset, mediaAssetRequest } from '../src/contract/media-asset.ts';
import { MEDIA_ASSETS_MAX, MEDIA_CONTENT_TYPES } from '../src/contract/media-asset-state.ts';
import { sha256Hex } from '../src/core/crypto.ts';
import { MEDIA_WAITING_DAYS, UPLOAD_BYTES_MAX, UPLOAD_MEBIBYTES_MAX } from '../src/core/limits.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import { uploadMedia } from '../src/domain/media/upload.ts';
import { uploadsFor } from '../src/domain/sandbox/fault/fault.ts';
import { optionalKey } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, rawRequest } from './request.ts';

/** Pictures for shipments that do not exist yet. */
export const mediaAssets = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/media-assets',
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
});
