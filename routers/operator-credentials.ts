import * as z from 'zod';
import {
  issuedOperatorCredential,
  operatorCredential,
  operatorCredentialRequest,
} from '../src/contract/operator-credential.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { createProgram, listPrograms, revokeProgram } from '../src/domain/credentials/program/program.ts';
import { operatorPersonProcedure, operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Credentials of operators' programs. Only people create and revoke them. */
export const operatorCredentials = router({
  /** Newest first, without their secrets. */
  list: operatorProcedure('reads')
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(operatorCredential)))
    .query(async ({ ctx, input }) => orThrow(await listPrograms(ctx.services, input))),

  /** Only this answer contains the secret. */
  create: operatorPersonProcedure('writes')
    .input(request({ body: operatorCredentialRequest }))
    .output(answer(issuedOperatorCredential))
    .mutation(async ({ ctx, input }) => orThrow(await createProgram(ctx.services, ctx, input))),

  /** The secret becomes invalid at once, and its tokens within a minute. */
  revoke: operatorPersonProcedure('writes')
    .input(request({ body: { credentialId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      const { clientId } = orThrow(await revokeProgram(ctx.services, ctx, input.credentialId));
      ctx.services.tokenCache.deleteOf(clientId);
      return null;
    }),
});
