import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { mediaContent } from '../src/contract/media-asset.ts';
import { MEDIA_CONTENT_TYPES } from '../src/contract/media-asset-state.ts';
import {
  proof as content,
  type PinResend,
  pinResend,
  proofDocument,
  proofDocumentRequest,
  proofMediaRequest,
  storedProofMedia,
} from '../src/contract/proof.ts';
import { PROOF_MEDIA_MAX } from '../src/contract/proof-state.ts';
import { uuid } from '../src/contract/values.ts';
import { PROOF_MEDIA_KEPT_DAYS, UPLOAD_BYTES_MAX, UPLOAD_MEBIBYTES_MAX } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { findHeldShipment } from '../src/domain/drivers/held-shipment.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import { readProofMedia, uploadProofMedia } from '../src/domain/proof/media.ts';
import { readProof, readProofDocument } from '../src/domain/proof/read.ts';
import { PIN_RESENDS_MAX } from '../src/domain/proof/store.ts';
import { resendPin } from '../src/domain/proof/tell-pin.ts';
import { uploadsFor } from '../src/domain/sandbox/fault/fault.ts';
import { optionalKey } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { rawRequest } from './other-requests.ts';
import { companyProcedure, driverProcedure, merchantProcedure, router } from './procedure.ts';
import { answer, file, page, request } from './request.ts';

const PATH = '/v2/external/shipments/{shipmentId}/proof';
const shipmentId = { shipmentId: uuid };
const tags = ['Proof of delivery'];

/** What drivers prove, and what merchants read of it. */
export const proofs = router({
  upload: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/driver/shipments/{shipmentId}/proof-media',
        tags,
        summary: 'Upload a picture of a delivery',
        description: `The bytes of one JPEG or PNG of at most ${UPLOAD_MEBIBYTES_MAX} MiB, at most ${PROOF_MEDIA_MAX} for a shipment, while the driver has the parcel. All metadata is cut, such as the place. The same picture again for the same purpose is 200 with the first answer. Name it in the \`proof\` of DELIVER or FAIL.`,
      },
      successStatuses: [201, 200],
      problems: [
        'ACCESS_DENIED',
        'INVALID_STATE_TRANSITION',
        'UNSUPPORTED_DOCUMENT_TYPE',
        'DOCUMENT_TOO_LARGE',
        'DOCUMENT_CONTENT_MISMATCH',
        'VALIDATION_FAILED',
        'STORAGE_PROVIDER_UNAVAILABLE',
      ],
    })
    .input(
      rawRequest(
        { path: shipmentId, query: proofMediaRequest },
        { contentTypes: MEDIA_CONTENT_TYPES, bytesMax: UPLOAD_BYTES_MAX },
      ),
    )
    .output(answer(storedProofMedia))
    .mutation(
      async ({ ctx: { services, store, driver, reply }, input: { content: sent, shipmentId: id, purpose } }) => {
        const { scope, shipment } = orThrow(await findHeldShipment(store.database, driver, id));
        const dependencies = { ...services, ...store, documents: uploadsFor(services, store, scope) };
        const contentType = z.enum(MEDIA_CONTENT_TYPES).parse(sent.contentType);
        const upload = { shipment, driverId: driver.driverId, purpose, contentType, bytes: sent.bytes };
        const { isNew, ...stored } = orThrow(await uploadProofMedia(dependencies, scope, upload));
        reply.status = isNew ? 201 : 200;
        return stored;
      },
    ),

  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags,
        summary: 'Read what was proven of a delivery or an attempt',
        description:
          'A delivery that had nothing to prove has no record (404), like a shipment that has not ended. The events `shipment.delivered` and `shipment.delivery_failed` have the same `sha256`.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: shipmentId }))
    .output(answer(content))
    .query(async ({ ctx, input }) => orThrow(await readProof(ctx.store.database, ctx.company, input.shipmentId))),

  // Also by session: the printed page shows the pictures.
  readMedia: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/media/{mediaAssetId}`,
        tags,
        summary: 'Read a picture of a delivery',
        description: `The picture for a download. The entity tag is its SHA-256. Pictures are deleted after ${PROOF_MEDIA_KEPT_DAYS} days at the latest (404).`,
      },
      problems: ['RESOURCE_NOT_FOUND', 'STORAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ path: { ...shipmentId, mediaAssetId: uuid } }))
    .output(file(mediaContent, 'image/*'))
    .query(async ({ ctx: { services, store, company, reply }, input }) => {
      const { sha256, ...picture } = orThrow(await readProofMedia({ ...services, ...store }, company, input));
      Object.assign(reply.headers, { etag: `"${sha256}"`, 'cache-control': 'private, no-store' });
      return picture;
    }),

  print: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/document`,
        tags,
        summary: 'Print what was proven',
        description:
          'One page of A4, in the language of `lang` or of Accept-Language. It shows the pictures that are still kept, if a person opens it, and has the hashes of all. Problems are JSON.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: shipmentId, query: proofDocumentRequest }))
    .output(page(proofDocument))
    .query(async ({ ctx, input: { lang = ctx.facts.locale, ...input } }) => {
      const { services, store, company, reply } = ctx;
      const shown = orThrow(await readProofDocument({ ...services, ...store }, company, input.shipmentId));
      reply.headers['content-language'] = lang;
      return { locale: lang, ...shown };
    }),

  resendPin: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/pin-resends`,
        tags,
        summary: 'Send the PIN to the recipient again',
        description: `While a driver has the parcel, ${PIN_RESENDS_MAX} times for a shipment; then 409 with the \`reason\` LIMIT_REACHED. The body is \`{}\`. No answer ever has a PIN.`,
      },
      successStatuses: [202, 200],
      problems: ['INVALID_STATE_TRANSITION', 'MESSAGE_PROVIDER_UNAVAILABLE', ...KEY_PROBLEMS],
    })
    .input(request({ path: shipmentId, header: { idempotencyKey: optionalKey }, body: {} }))
    .output(answer(pinResend))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'proofs.resendPin', idempotencyKey, same },
        {
          run: (bind: Bind<PinResend>, claim) =>
            resendPin({ ...ctx.services, ...ctx.store }, ctx.company, { ...same, bind, claim }),
          present: (body) => ({ status: 202, body, headers: {} }),
        },
      ),
    ),
});
