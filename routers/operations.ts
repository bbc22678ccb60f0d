import * as z from 'zod';
import type { OperatorClient } from '../src/access/principal.ts';
import { type CompanyScope, scopeForOperator } from '../src/access/require.ts';
import { shipment } from '../src/contract/shipment.ts';
import { APPROVAL_POLICIES } from '../src/contract/shipment-state.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow, Problem } from '../src/core/problem.ts';
import { refuse } from '../src/core/result.ts';
import type { Uuid } from '../src/core/uuid.ts';
import { setApprovalPolicy } from '../src/domain/companies/approval-policy.ts';
import { companyById } from '../src/domain/companies/store.ts';
import { presentShipment } from '../src/domain/shipments/view.ts';
import { type Services, shardOf } from '../src/runtime/services.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** What operators do. It has no place on REST: an operator's program speaks tRPC. */
export const operations = router({
  shipments: router({
    /** Approves a shipment of a company whose policy is MANUAL (or before the service does it by itself). */
    approve: operatorProcedure('writes')
      .input(request({ body: { companyId: uuid, shipmentId: uuid } }))
      .output(answer(shipment))
      .mutation(async ({ ctx, input }) => {
        const company = await companyScope(ctx.services, ctx.operator, input.companyId);
        const order = {
          shipmentId: input.shipmentId,
          command: { name: 'APPROVE' },
          actor: 'OPERATOR',
          precondition: { kind: 'any' },
          correlationId: ctx.facts.correlationId,
        } as const;
        return presentShipment(orThrow(await ctx.services.lane.execute(company, order)));
      }),
  }),
  companies: router({
    /** Who approves the shipments that the company creates from now on. */
    setApprovalPolicy: operatorProcedure('writes')
      .input(request({ body: { companyId: uuid, approvalPolicy: z.enum(APPROVAL_POLICIES) } }))
      .output(answer(z.strictObject({ companyId: z.string(), approvalPolicy: z.enum(APPROVAL_POLICIES) })))
      .mutation(async ({ ctx, input }) => {
        const company = await companyScope(ctx.services, ctx.operator, input.companyId);
        const { writer } = orThrow(shardOf(ctx.services, company.shard));
        orThrow(await setApprovalPolicy(writer, company, input.approvalPolicy));
        return input;
      }),
  }),
});

async function companyScope(services: Services, operator: OperatorClient, companyId: Uuid): Promise<CompanyScope> {
  const found = await services.directory.database.read(companyById(companyId));
  if (!found.ok) throw new Problem(refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }));
  const [company] = found.rows;
  if (company === undefined) throw new Problem(refuse('ACCESS_DENIED'));
  return scopeForOperator(operator, company);
}
