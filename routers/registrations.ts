import * as z from 'zod';
import {
  registration,
  registrationCompleted,
  registrationRequest,
  uploadedDocument,
  verificationResent,
} from '../src/contract/registration.ts';
import { DOCUMENT_CONTENT_TYPES, DOCUMENT_TYPES } from '../src/contract/registration-state.ts';
import { verificationRequest } from '../src/contract/session.ts';
import { text, uuid } from '../src/contract/values.ts';
import { UPLOAD_BYTES_MAX } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { completeRegistration } from '../src/domain/registrations/completion.ts';
import { register, resendCode } from '../src/domain/registrations/registration.ts';
import { uploadDocument } from '../src/domain/registrations/upload.ts';
import { optionalKey } from './headers.ts';
import { noteReplay } from './once.ts';
import { rawRequest } from './other-requests.ts';
import { publicProcedure, router, whereOf } from './procedure.ts';
import { answer, request } from './request.ts';
import { uploadProcedure } from './upload-procedure.ts';

/** As in the header, where a percent-encoded letter takes up to nine bytes. `displayNameOf` returns the name to show. */
const fileName = text({ min: 1, max: 2304 });

const PATH = '/v2/account-registrations/{registrationId}';
const tags = ['Registration'];

/** Self-registration of merchants. */
export const registrations = router({
  create: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/merchant-registrations',
        tags,
        summary: 'Register a merchant company',
        description:
          'Creates a draft and sends a code to the mobile. A commercial entity gives its ten-digit registration number, a freelancer gives none. The response is the same for an e-mail address that is already in use; its owner gets a notice by e-mail.',
      },
      successStatuses: [201, 200],
      problems: ['INVALID_IDEMPOTENCY_KEY', 'RATE_LIMITED', 'OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ header: { idempotencyKey: optionalKey }, body: registrationRequest }))
    .output(answer(registration))
    .mutation(async ({ ctx, input }) => {
      const { address } = whereOf(ctx.facts);
      const made = orThrow(await register({ ...ctx.services, later: ctx.later }, input, address));
      ctx.reply.status = made.isReplay ? 200 : 201;
      if (made.isReplay) noteReplay(ctx);
      return made.registration;
    }),

  uploadDocument: uploadProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: `${PATH}/documents/{documentType}`,
        tags,
        summary: 'Upload a document of a registration',
        description:
          'The bytes of one PDF, JPEG or PNG of at most 1 MiB, in place of an earlier one of the same type. The capability is the uploadCapability of the registration; a file name may be percent-encoded.',
      },
      problems: [
        'UNSUPPORTED_DOCUMENT_TYPE',
        'DOCUMENT_TOO_LARGE',
        'VALIDATION_FAILED',
        'DOCUMENT_CONTENT_MISMATCH',
        'STORAGE_PROVIDER_UNAVAILABLE',
      ],
    })
    .input(
      rawRequest(
        { path: { registrationId: uuid, documentType: z.enum(DOCUMENT_TYPES) }, header: { fileName } },
        { contentTypes: DOCUMENT_CONTENT_TYPES, bytesMax: UPLOAD_BYTES_MAX },
      ),
    )
    .output(answer(uploadedDocument))
    .mutation(async ({ ctx, input }) => {
      const { documentType, fileName: name, content } = input;
      const contentType = z.enum(DOCUMENT_CONTENT_TYPES).parse(content.contentType);
      const order = { documentType, fileName: name, contentType, bytes: content.bytes };
      return orThrow(await uploadDocument(ctx.services, ctx.draft, order));
    }),

  requestVerification: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/verification-requests`,
        tags,
        summary: 'Send another code to the mobile of a registration',
        description: 'Only the newest code is valid. The response is the same for an unknown registration.',
      },
      successStatuses: [202],
      problems: ['OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ path: { registrationId: uuid } }))
    .output(answer(verificationResent))
    .mutation(async ({ ctx, input }) => {
      const { address } = whereOf(ctx.facts);
      const dependencies = { ...ctx.services, later: ctx.later };
      const sent = orThrow(await resendCode(dependencies, input.registrationId, address));
      ctx.reply.status = 202;
      return sent;
    }),

  verify: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/verifications`,
        tags,
        summary: 'Complete a registration with its code',
        description:
          'Creates the company and its owner, who can sign in by the mobile from then on. The e-mail address signs in once a second factor by e-mail has proved it.',
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED', 'REGISTRATION_INCOMPLETE'],
    })
    .input(request({ path: { registrationId: uuid }, body: verificationRequest }))
    .output(answer(registrationCompleted))
    .mutation(async ({ ctx, input }) =>
      orThrow(await completeRegistration({ ...ctx.services, later: ctx.later }, { ...input, ...whereOf(ctx.facts) })),
    ),
});
