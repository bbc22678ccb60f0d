import * as z from 'zod';
import { caseOut, caseText, owedCase } from '../src/contract/case.ts';
import { CASE_ANSWERS } from '../src/contract/case-state.ts';
import { seenVersion } from '../src/contract/fleet.ts';
import { mediaContent } from '../src/contract/media-asset.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import { readMedia } from '../src/domain/media-assets/stored.ts';
import { answerCase } from '../src/domain/shipments/change-case.ts';
import { listOwedCases, readCaseForOperator } from '../src/domain/shipments/operator-cases.ts';
import { companyAt } from './operator-shipments.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const ofCompany = { companyId: uuid, caseId: uuid };

/** Complaints of all companies, for operators. */
export const operatorCases = router({
  /** Complaints to which an answer is owed, the least time left first. */
  list: operatorProcedure('reads')
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(owedCase)))
    .query(async ({ ctx, input }) => orThrow(await listOwedCases(ctx.services, input))),

  /** A complaint with its texts. The audit names the operator, once an hour for each shipment. */
  get: operatorProcedure('reads')
    .input(request({ query: ofCompany }))
    .output(answer(caseOut))
    .query(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      return orThrow(await readCaseForOperator(store, company, input.caseId));
    }),

  /** A picture that a complaint shows. The audit names the operator as for the complaint. */
  picture: operatorProcedure('reads')
    .input(request({ query: { ...ofCompany, mediaAssetId: uuid } }))
    .output(answer(mediaContent))
    .query(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      const { messages } = orThrow(await readCaseForOperator(store, company, input.caseId));
      const isOfCase = messages.some(({ mediaAssetIds }) => mediaAssetIds.includes(input.mediaAssetId));
      if (!isOfCase) throw new Problem(refuse('RESOURCE_NOT_FOUND'));
      return orThrow(await readMedia({ ...ctx.services, ...store }, company, input.mediaAssetId));
    }),

  /** Answers a complaint, or decides one that was disputed: then it must be another operator than the one who answered. */
  answer: operatorProcedure('writes')
    .input(request({ body: { ...ofCompany, ...seenVersion, text: caseText, outcome: z.enum(CASE_ANSWERS) } }))
    .output(answer(caseOut))
    .mutation(async ({ ctx, input: { companyId, version, ...order } }) => {
      const { company, store } = await companyAt(ctx, companyId);
      const precondition = { kind: 'versions', versions: [version] } as const;
      const { correlationId } = ctx.facts;
      return orThrow(
        await answerCase({ ...ctx.services, ...store }, company, { ...order, precondition, correlationId }),
      );
    }),
});
