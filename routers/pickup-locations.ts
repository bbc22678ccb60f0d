import * as z from 'zod';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { pickupLocation, placeStatus } from '../src/contract/place.ts';
import { placeCode } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { listPickupLocations } from '../src/domain/places/read.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const pickupLocations = router({
  list: merchantProcedure('shipments:read', 'reads')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/pickup-locations',
        tags: ['Places'],
        summary: 'List pickup locations, newest first',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(
      request({
        query: { status: z.optional(placeStatus), branchCode: z.optional(placeCode()), ...pageRequest },
      }),
    )
    .output(answer(pageOf(pickupLocation)))
    .query(async ({ ctx, input }) =>
      orThrow(await listPickupLocations({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),
});
