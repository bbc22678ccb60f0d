import * as z from 'zod';
import { operatorAuditEntry, operatorAuditFilter } from '../src/contract/audit.ts';
import { deploymentStatus } from '../src/contract/deployment-status.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { signInRequest } from '../src/contract/session.ts';
import {
  tariff,
  tariffPreview,
  tariffPreviewRequest,
  tariffRequest,
  tariffWithdrawal,
} from '../src/contract/tariff.ts';
import { formatInstant } from '../src/core/instant.ts';
import { orThrow } from '../src/core/problem.ts';
import { listOperatorAudit } from '../src/domain/audit/audit.ts';
import { freeIdentifier } from '../src/domain/people/identifier.ts';
import { previewTariff } from '../src/domain/pricing/preview.ts';
import { listTariffs, publishTariff, withdrawTariff } from '../src/domain/pricing/publish.ts';
import type { Tariff } from '../src/domain/pricing/tariff.ts';
import { readDeploymentStatus } from '../src/service/deployment-status.ts';
import { drivers, serviceLevels } from './fleet.ts';
import { operatorCases } from './operator-cases.ts';
import { operatorCompanies } from './operator-companies.ts';
import { operatorCredentials } from './operator-credentials.ts';
import { operatorPeople } from './operator-people.ts';
import { operatorRegistrations } from './operator-registrations.ts';
import { operatorShipments } from './operator-shipments.ts';
import { operatorProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** Actions of operators. Only over tRPC, for the console and for operators' programs. */
export const operations = router({
  /** How the deployment is: its databases, their waiting work and sweeps, its providers, and what shipments still need. */
  status: operatorProcedure('reads')
    .input(request({}))
    .output(answer(deploymentStatus))
    .query(({ ctx }) => readDeploymentStatus(ctx.services)),
  registrations: operatorRegistrations,
  credentials: operatorCredentials,
  shipments: operatorShipments,
  cases: operatorCases,
  tariffs: router({
    /** Publishes the next version of the tariff with a start date. Versions that have started never change. */
    publish: operatorProcedure('writes', 'recently')
      .input(request({ body: tariffRequest }))
      .output(answer(tariff))
      .mutation(async ({ ctx, input }) =>
        presentTariff(orThrow(await publishTariff({ ...ctx.services, actor: ctx.actor }, input))),
      ),
    /** Withdraws a version that begins in more than two minutes. Answers the versions that are left. */
    withdraw: operatorProcedure('writes', 'recently')
      .input(request({ body: tariffWithdrawal }))
      .output(answer(z.array(tariff)))
      .mutation(async ({ ctx, input }) =>
        orThrow(await withdrawTariff({ ...ctx.services, actor: ctx.actor }, input.version)).map(presentTariff),
      ),
    /**
     * What the shipments of the last seven days would have cost with this tariff. Changes nothing. It is a mutation because
     * a tariff of many cities is too long for an address.
     */
    preview: operatorProcedure('reads')
      .input(request({ body: tariffPreviewRequest }))
      .output(answer(tariffPreview))
      .mutation(async ({ ctx, input }) => orThrow(await previewTariff(ctx.services, input))),
    list: operatorProcedure('reads')
      .input(request({}))
      .output(answer(z.array(tariff)))
      .query(async ({ ctx }) => orThrow(await listTariffs(ctx.services)).map(presentTariff)),
  }),
  serviceLevels,
  drivers,
  people: operatorPeople,
  identifiers: router({
    /** Takes an e-mail address or a mobile from the person who holds it, and ends that person's sessions. */
    free: operatorProcedure('writes', 'recently')
      .input(request({ body: { identifier: signInRequest.identifier } }))
      .output(answer(z.null()))
      .mutation(async ({ ctx, input }) => {
        orThrow(await freeIdentifier(ctx.services, input.identifier, ctx));
        return null;
      }),
  }),
  /** The changes that operators and their programs made in this deployment: all, or those of a company, a thing or a person. */
  audit: router({
    list: operatorProcedure('reads')
      .input(request({ query: { ...operatorAuditFilter, ...pageRequest } }))
      .output(answer(pageOf(operatorAuditEntry)))
      .query(async ({ ctx, input }) => orThrow(await listOperatorAudit(ctx.services, input))),
  }),
  companies: operatorCompanies,
});

function presentTariff({ effectiveFrom, citySurcharges, ...rest }: Tariff): z.output<typeof tariff> {
  const cities = [...citySurcharges].map(([cityCode, surcharge]) => ({ cityCode, surcharge }));
  const { version, currency, baseAmount, kilometreAmount, vatRate, cancellationAmount } = rest;
  const { cancellationGraceSeconds, lateCancellationSeconds, lockSecondsMax, amendmentFreeMeters } = rest;
  const { returnRate, redeliveryRate } = rest;
  const amounts = { baseAmount, kilometreAmount, vatRate, cancellationAmount, returnRate, redeliveryRate };
  const rules = { cancellationGraceSeconds, lateCancellationSeconds, lockSecondsMax, amendmentFreeMeters };
  return { version, effectiveFrom: formatInstant(effectiveFrom), currency, ...amounts, ...rules, cities };
}
