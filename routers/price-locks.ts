import { MEMBER } from '../src/access/require.ts';
import { priceLock, priceLockRequest } from '../src/contract/price-lock.ts';
import { orThrow } from '../src/core/problem.ts';
import { lockPrice } from '../src/domain/pricing/lock-price.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const priceLocks = router({
  create: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/price-locks',
        tags: ['Prices'],
        summary: 'Hold the current price for one shipment',
        description:
          'Stores nothing: the lock is in `priceLock`. A creation with the header `Price-Lock` until `expiresAt`, from the same pickup location to the same city and point (up to 100 m away) with the same codAmount, costs these amounts net of VAT. VAT is that of the creation. A lock reserves no driver.',
      },
      problems: ['BRANCH_INACTIVE', 'ROUTING_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: priceLockRequest }))
    .output(answer(priceLock))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const routing = routingFor(services, store, company);
      return orThrow(await lockPrice({ ...services, ...store, routing }, company, input));
    }),
});
