import * as z from 'zod';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { branch, placeStatus } from '../src/contract/place.ts';
import { orThrow } from '../src/core/problem.ts';
import { listBranches } from '../src/domain/places/read.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const branches = router({
  list: merchantProcedure('shipments:read', 'reads')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/branches',
        tags: ['Places'],
        summary: 'List branches, newest first',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: { status: z.optional(placeStatus), ...pageRequest } }))
    .output(answer(pageOf(branch)))
    .query(async ({ ctx, input }) =>
      orThrow(await listBranches({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),
});
