import { MEMBER } from '../src/access/require.ts';
import { priceEstimate, priceEstimateRequest } from '../src/contract/price-estimate.ts';
import { orThrow } from '../src/core/problem.ts';
import { estimatePrice } from '../src/domain/pricing/estimate.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const priceEstimates = router({
  create: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/shipment-price-estimates',
        tags: ['Prices'],
        summary: 'Estimate the price of a delivery now',
        description: 'Has no side effect. If the routing provider does not answer, the response is 503; retry later.',
      },
      problems: ['ROUTING_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: priceEstimateRequest }))
    .output(answer(priceEstimate))
    .mutation(async ({ ctx, input }) => {
      const routing = routingFor(ctx.services, ctx.store, ctx.company);
      return orThrow(await estimatePrice({ ...ctx.services, ...ctx.store, routing }, input));
    }),
});
