import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { branch, branchChanges, branchRequest, placeStatus } from '../src/contract/place.ts';
import { placeCode } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { createBranch, setBranchStatus, updateBranch } from '../src/domain/places/branch.ts';
import { listBranches } from '../src/domain/places/read.ts';
import { ifMatch } from './headers.ts';
import { companyProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const target = { header: { ifMatch }, body: { branchCode: placeCode() } };

/** A company's systems and people read branches. Only people create and change them, in the console over tRPC. */
export const branches = router({
  list: companyProcedure('shipments:read', 'reads', MEMBER)
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

  create: personProcedure('writes', MEMBER)
    .input(request({ body: branchRequest }))
    .output(answer(branch))
    .mutation(async ({ ctx: { services, store, company }, input }) =>
      orThrow(await createBranch({ ...services, ...store }, company, input)),
    ),

  update: personProcedure('writes', MEMBER)
    .input(request({ header: target.header, body: { ...target.body, ...branchChanges } }))
    .output(answer(branch))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const { branchCode, ifMatch: precondition, ...changes } = input;
      const order = { branchCode, precondition, changes };
      return orThrow(await updateBranch({ ...services, ...store }, company, order));
    }),

  deactivate: statusProcedure('INACTIVE'),
  activate: statusProcedure('ACTIVE'),
});

function statusProcedure(status: z.output<typeof placeStatus>) {
  return personProcedure('writes', MEMBER)
    .input(request(target))
    .output(answer(branch))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const order = { branchCode: input.branchCode, precondition: input.ifMatch, status };
      return orThrow(await setBranchStatus({ ...services, ...store }, company, order));
    });
}
