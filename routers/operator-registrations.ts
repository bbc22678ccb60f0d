import * as z from 'zod';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import {
  listedRegistration,
  REGISTRATION_STATUSES,
  readDocument,
  reviewedRegistration,
  reviewReason,
} from '../src/contract/registration-review.ts';
import { DOCUMENT_TYPES } from '../src/contract/registration-state.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import {
  decideRegistration,
  listRegistrations,
  openDocument,
  readRegistration,
} from '../src/domain/registrations/review.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const registrationId = { registrationId: uuid };

/** Registrations, for the operators who approve companies. */
export const operatorRegistrations = router({
  /** Registrations with a status, oldest first. */
  list: operatorProcedure('reads')
    .input(request({ query: { status: z.enum(REGISTRATION_STATUSES), ...pageRequest } }))
    .output(answer(pageOf(listedRegistration)))
    .query(async ({ ctx: { services }, input }) =>
      orThrow(await listRegistrations({ ...services, database: services.directory.database }, input)),
    ),

  get: operatorProcedure('reads')
    .input(request({ query: registrationId }))
    .output(answer(reviewedRegistration))
    .query(async ({ ctx, input }) => orThrow(await readRegistration(ctx.services, input.registrationId))),

  /** The bytes of a document. The audit names the operator. */
  document: operatorProcedure('reads')
    .input(request({ query: { ...registrationId, documentType: z.enum(DOCUMENT_TYPES) } }))
    .output(answer(readDocument))
    .query(async ({ ctx, input }) => orThrow(await openDocument(ctx.services, input, ctx))),

  /** The company may create shipments from now on. Also for a registration that was rejected. */
  approve: operatorProcedure('writes')
    .input(request({ body: { ...registrationId, reason: reviewReason } }))
    .output(answer(reviewedRegistration))
    .mutation(async ({ ctx, input }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      return orThrow(await decideRegistration(dependencies, { ...input, review: 'APPROVED' }, ctx));
    }),

  /** The company cannot create shipments. Its documents are deleted after 30 days. */
  reject: operatorProcedure('writes')
    .input(request({ body: { ...registrationId, reason: reviewReason } }))
    .output(answer(reviewedRegistration))
    .mutation(async ({ ctx, input }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      return orThrow(await decideRegistration(dependencies, { ...input, review: 'REJECTED' }, ctx));
    }),
});
