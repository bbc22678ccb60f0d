import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { pickupLocation, pickupLocationChanges, pickupLocationRequest, placeStatus } from '../src/contract/place.ts';
import { placeCode } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import {
  createPickupLocation,
  setPickupLocationStatus,
  updatePickupLocation,
} from '../src/domain/places/pickup-location.ts';
import { listPickupLocations } from '../src/domain/places/read.ts';
import { ifMatch } from './headers.ts';
import { companyProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const target = { header: { ifMatch }, body: { pickupLocationCode: placeCode() } };

/**
 * A company's systems and people read pickup locations. Only people create and change them, in the console over tRPC.
 */
export const pickupLocations = router({
  list: companyProcedure('shipments:read', 'reads', MEMBER)
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

  create: personProcedure('writes', MEMBER)
    .input(request({ body: pickupLocationRequest }))
    .output(answer(pickupLocation))
    .mutation(async ({ ctx: { services, store, company }, input }) =>
      orThrow(await createPickupLocation({ ...services, ...store }, company, input)),
    ),

  update: personProcedure('writes', MEMBER)
    .input(request({ header: target.header, body: { ...target.body, ...pickupLocationChanges } }))
    .output(answer(pickupLocation))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const { pickupLocationCode, ifMatch: precondition, ...changes } = input;
      const order = { pickupLocationCode, precondition, changes };
      return orThrow(await updatePickupLocation({ ...services, ...store }, company, order));
    }),

  deactivate: statusProcedure('INACTIVE'),
  activate: statusProcedure('ACTIVE'),
});

function statusProcedure(status: z.output<typeof placeStatus>) {
  return personProcedure('writes', MEMBER)
    .input(request(target))
    .output(answer(pickupLocation))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const order = { pickupLocationCode: input.pickupLocationCode, precondition: input.ifMatch, status };
      return orThrow(await setPickupLocationStatus({ ...services, ...store }, company, order));
    });
}
