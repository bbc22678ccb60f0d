import { MEMBER } from '../src/access/require.ts';
import { codOfShipment, collectionRange, codCollections as collections } from '../src/contract/cod-collection.ts';
import { COLLECTION_DAYS_MAX } from '../src/contract/cod-state.ts';
import { pageRequest } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { listCollections, readCod } from '../src/domain/shipments/read-collections.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** What drivers collect at the door. */
export const codCollections = router({
  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/shipments/{shipmentId}/cod',
        tags: ['Cash on delivery'],
        summary: 'Read the amount to collect of a shipment, and what was collected',
        description:
          'The driver collects the whole amount or fails the delivery, so the amounts are equal after it. A shipment without an amount to collect has an `expectedAmount` of 0.',
      },
    })
    .input(request({ path: { shipmentId: uuid } }))
    .output(answer(codOfShipment))
    .query(async ({ ctx, input }) => orThrow(await readCod(ctx.store.database, ctx.company, input.shipmentId))),

  list: merchantProcedure('finance:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/cod-collections',
        tags: ['Cash on delivery'],
        summary: 'List what drivers collected in a range of time, newest first',
        description: `\`from\` is inclusive, \`to\` is exclusive, and they are at most ${COLLECTION_DAYS_MAX} days apart. The totals are those of the whole range. The scope \`finance:read\` is not among those of a new credential: an owner grants it.`,
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: { ...collectionRange, ...pageRequest } }))
    .output(answer(collections))
    .query(async ({ ctx, input }) =>
      orThrow(await listCollections({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),
});
