import * as z from 'zod';
import { foundPerson, listedRecovery, recovery, recoveryRequest } from '../src/contract/recovery.ts';
import { signInRequest } from '../src/contract/session.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { beginRecovery, findPeople, listRecoveries, stopRecovery } from '../src/domain/people/recovery/recovery.ts';
import { operatorPersonProcedure, operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Merchants' people, for operators. */
export const operatorPeople = router({
  find: operatorProcedure('reads')
    .input(request({ query: { identifier: signInRequest.identifier } }))
    .output(answer(z.array(foundPerson)))
    .query(async ({ ctx, input }) => orThrow(await findPeople(ctx.services, input.identifier))),

  /** Replaces both identifiers of a person who has neither factor, two days later, unless somebody who is told stops it. */
  recover: operatorPersonProcedure('writes')
    .input(request({ body: recoveryRequest }))
    .output(answer(recovery))
    .mutation(async ({ ctx, input }) => orThrow(await beginRecovery(ctx.services, input, ctx))),

  recoveries: operatorProcedure('reads')
    .input(request({}))
    .output(answer(z.array(listedRecovery)))
    .query(async ({ ctx }) => orThrow(await listRecoveries(ctx.services))),

  stopRecovery: operatorProcedure('writes')
    .input(request({ body: { recoveryId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await stopRecovery(ctx.services, { by: 'operator', ...input, ...ctx }));
      return null;
    }),
});
