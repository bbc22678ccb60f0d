import * as z from 'zod';
import { MEMBER, PROVED_OWNER, PROVED_READER } from '../src/access/require.ts';
import {
  apiCredential,
  credentialStanding,
  issuedApiCredential,
  rotatedApiCredential,
  rotationRequest,
  scopesRequest,
} from '../src/contract/merchant-api-credential.ts';
import { orThrow } from '../src/core/problem.ts';
import {
  createApiCredential,
  deleteApiCredential,
  readApiCredential,
  readCredentialStanding,
  rotateApiCredential,
  setApiCredentialScopes,
} from '../src/domain/credentials/api-credential/api-credential.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/merchant-api-credential';
const tags = ['Credential'];
/** The credential of a company's systems. A company has one, and its owner chooses the scopes. */
export const merchantApiCredential = router({
  create: personProcedure('writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags,
        summary: 'Issue the API credential',
        description: 'The request has no body. Only this response contains the secret.',
      },
      successStatuses: [201],
      problems: ['CREDENTIAL_ALREADY_EXISTS'],
    })
    .input(request({}))
    .output(answer(issuedApiCredential))
    .mutation(async ({ ctx }) => {
      const issued = orThrow(await createApiCredential(ctx.services, ctx.company));
      ctx.reply.status = 201;
      return issued;
    }),

  get: personProcedure('reads', PROVED_READER)
    .meta({
      openapi: { method: 'GET', path: PATH, tags, summary: 'Read the API credential, without its secret' },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({}))
    .output(answer(apiCredential))
    .query(async ({ ctx }) => orThrow(await readApiCredential(ctx.services, ctx.company))),

  /** For the first steps on the home page of the console, which every person sees. Only over tRPC. */
  standing: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(credentialStanding))
    .query(async ({ ctx }) => orThrow(await readCredentialStanding(ctx.services, ctx.company))),

  rotate: personProcedure('writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/rotations`,
        tags,
        summary: 'Rotate the secret of the API credential',
        description:
          'Only this response contains the new secret. The previous secret and its tokens stay valid for `overlapSeconds`.',
      },
      successStatuses: [201],
      problems: ['RESOURCE_NOT_FOUND', 'SECRET_ROTATION_IN_PROGRESS'],
    })
    .input(request({ body: rotationRequest }))
    .output(answer(rotatedApiCredential))
    .mutation(async ({ ctx, input }) => {
      const rotated = orThrow(await rotateApiCredential(ctx.services, ctx.company, input));
      if (input.overlapSeconds === 0) ctx.services.tokenCache.deleteOf(rotated.clientId);
      ctx.reply.status = 201;
      return rotated;
    }),

  setScopes: personProcedure('writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'PUT',
        path: `${PATH}/scopes`,
        tags,
        summary: 'Set the scopes of the API credential',
        description:
          'A rotation keeps them. Request new tokens afterwards: tokens with a scope that was removed become invalid within a minute.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ body: scopesRequest }))
    .output(answer(apiCredential))
    .mutation(async ({ ctx, input }) => {
      const credential = orThrow(await setApiCredentialScopes(ctx.services, ctx.company, input));
      ctx.services.tokenCache.deleteOf(credential.clientId);
      return credential;
    }),

  delete: personProcedure('writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'DELETE',
        path: PATH,
        tags,
        summary: 'Delete the API credential',
        description: 'Its secrets become invalid at once, and its tokens within a minute.',
      },
      successStatuses: [204],
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      const { clientId } = orThrow(await deleteApiCredential(ctx.services, ctx.company));
      ctx.services.tokenCache.deleteOf(clientId);
      ctx.reply.status = 204;
      return null;
    }),
});
