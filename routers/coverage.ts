import { MEMBER } from '../src/access/require.ts';
import { capabilities as capabilityList, cities as cityList } from '../src/contract/coverage.ts';
import { orThrow } from '../src/core/problem.ts';
import { listCapabilities, listCities } from '../src/domain/shipments/coverage.ts';
import { companyProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/* What a merchant can order: where, and with which requirements. */

/**
 * For answers that may be a minute old. Another credential does not get the copy. Proxies must not compress the body, because that
 * would make the entity tag weak.
 */
const CACHED = { 'cache-control': 'private, max-age=60, no-transform', vary: 'Authorization' };

export const cities = router({
  list: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/cities',
        tags: ['Places'],
        summary: 'List the cities of deliveries',
        description:
          'Every city of the tariff in force, by code, without pages. A change of tariff or service level takes at most a minute to appear.',
      },
      isConditional: true,
    })
    .input(request({}))
    .output(answer(cityList))
    .query(async ({ ctx: { services, store, reply } }) => {
      const list = orThrow(await listCities({ ...services, ...store }));
      Object.assign(reply.headers, CACHED);
      return list;
    }),
});

export const capabilities = router({
  list: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/capabilities',
        tags: ['Places'],
        summary: 'List what a shipment can require',
        description:
          'Every code that `requirements` may contain with effect, without pages. One service level must offer all requirements of a shipment.',
      },
      isConditional: true,
    })
    .input(request({}))
    .output(answer(capabilityList))
    .query(async ({ ctx: { services, store, reply } }) => {
      const list = orThrow(await listCapabilities({ ...services, ...store }));
      Object.assign(reply.headers, CACHED);
      return list;
    }),
});
