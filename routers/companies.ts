import * as z from 'zod';
import { PROVED_OWNER } from '../src/access/require.ts';
import { vatNumber } from '../src/contract/statement.ts';
import { orThrow } from '../src/core/problem.ts';
import { setVatNumber } from '../src/domain/companies/vat-number.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const members = { vatNumber: z.nullable(vatNumber) };

/** What an owner says about the own company. Only over tRPC, which the console uses. It stands on statements, so a change needs a second factor. */
export const companies = router({
  setVatNumber: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: members }))
    .output(answer(z.strictObject(members)))
    .mutation(async ({ ctx, input }) => orThrow(await setVatNumber(ctx.services, ctx.company, input.vatNumber))),
});
