import * as z from 'zod';
import { ADDRESS_POLICIES } from '../src/contract/address-state.ts';
import {
  COMPANY_STATES,
  companyStanding,
  listedCompany,
  operatorCompany,
  standingRequest,
} from '../src/contract/operator-company.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { proofTerms } from '../src/contract/proof.ts';
import { APPROVAL_POLICIES } from '../src/contract/shipment-state.ts';
import { text, uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { listCompanies, readCompany } from '../src/domain/companies/operator-view.ts';
import { setAddressPolicy, setApprovalPolicy, setProofTerms } from '../src/domain/companies/set-policy.ts';
import { setStanding } from '../src/domain/companies/standing.ts';
import { companyAt } from './operator-shipments.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Longer than any name of a company. */
const SEARCH_LENGTH_MAX = 200;

/** Companies, for operators. */
export const operatorCompanies = router({
  /** Finds companies by a part of the name, by id or by the number of the commercial registration, newest first. */
  list: operatorProcedure('reads')
    .input(
      request({
        query: {
          search: z.optional(text({ max: SEARCH_LENGTH_MAX })),
          state: z.optional(z.enum(COMPANY_STATES)),
          ...pageRequest,
        },
      }),
    )
    .output(answer(pageOf(listedCompany)))
    .query(async ({ ctx: { services }, input }) =>
      orThrow(await listCompanies({ ...services, database: services.directory.database }, input)),
    ),

  /** A company with its suspensions, policy, people, clients and last move. */
  get: operatorProcedure('reads')
    .input(request({ query: { companyId: uuid } }))
    .output(answer(operatorCompany))
    .query(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      return orThrow(await readCompany({ ...ctx.services, ...store }, company));
    }),

  /**
   * Refuses the company's tokens and sessions, and gives it no new tokens, within a minute. Its shipments, tracking links and
   * webhooks go on.
   */
  suspend: operatorProcedure('writes', 'recently')
    .input(request({ body: standingRequest }))
    .output(answer(companyStanding))
    .mutation(async ({ ctx, input }) =>
      orThrow(await setStanding(ctx.services, { ...input, state: 'SUSPENDED' }, ctx)),
    ),

  /** Ends a suspension. Tokens and sessions that have not expired work again within a minute. */
  resume: operatorProcedure('writes', 'recently')
    .input(request({ body: standingRequest }))
    .output(answer(companyStanding))
    .mutation(async ({ ctx, input }) => orThrow(await setStanding(ctx.services, { ...input, state: 'ACTIVE' }, ctx))),

  /** Sets whether the service or an operator approves the company's new shipments. */
  setApprovalPolicy: operatorProcedure('writes')
    .input(request({ body: { companyId: uuid, approvalPolicy: z.enum(APPROVAL_POLICIES) } }))
    .output(answer(z.strictObject({ companyId: z.string(), approvalPolicy: z.enum(APPROVAL_POLICIES) })))
    .mutation(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      orThrow(await setApprovalPolicy({ ...store, ...ctx.services }, company, input.approvalPolicy));
      return input;
    }),

  /** Sets what the company's new shipments need of a National Address. Shipments that exist keep the policy of their creation. */
  setAddressPolicy: operatorProcedure('writes')
    .input(request({ body: { companyId: uuid, addressPolicy: z.enum(ADDRESS_POLICIES) } }))
    .output(answer(z.strictObject({ companyId: z.string(), addressPolicy: z.enum(ADDRESS_POLICIES) })))
    .mutation(async ({ ctx, input }) => {
      const { company, store } = await companyAt(ctx, input.companyId);
      orThrow(await setAddressPolicy({ ...store, ...ctx.services }, company, input.addressPolicy));
      return input;
    }),

  /** Sets what the company's deliveries and failures prove, from now on. On production a valuable parcel always needs a PIN. */
  setProofTerms: operatorProcedure('writes')
    .input(request({ body: { companyId: uuid, ...proofTerms } }))
    .output(answer(z.strictObject({ companyId: z.string(), ...proofTerms })))
    .mutation(async ({ ctx, input }) => {
      const { companyId, ...terms } = input;
      const { company, store } = await companyAt(ctx, companyId);
      orThrow(await setProofTerms({ ...store, ...ctx.services }, company, terms));
      return input;
    }),
});
