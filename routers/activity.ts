import { MEMBER } from '../src/access/require.ts';
import {
  activityFilter,
  activity as activityOut,
  changingList,
  listedDetails,
  listedShipments,
  shipmentsIfChanged,
} from '../src/contract/activity.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { shipment } from '../src/contract/shipment.ts';
import { orThrow } from '../src/core/problem.ts';
import { listActivity, readActivity } from '../src/domain/shipments/activity.ts';
import { listIfChanged, readListedDetails } from '../src/domain/shipments/listed.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';
import { idsOf } from './waybills.ts';

/** What happened in the last days and what changes, for people of a company. Only over tRPC: programs follow the events. */
export const activity = router({
  read: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(activityOut))
    .query(async ({ ctx }) => orThrow(await readActivity(ctx.store, ctx.company))),

  /** The shipments behind a figure, the newest event first. */
  list: personProcedure('reads', MEMBER)
    .input(request({ query: { ...activityFilter, ...pageRequest } }))
    .output(answer(pageOf(shipment)))
    .query(async ({ ctx, input }) =>
      orThrow(await listActivity({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  /** The list of shipments, for pages that read it again and again. */
  shipments: personProcedure('reads', MEMBER)
    .input(request({ query: { ...changingList, ...pageRequest } }))
    .output(answer(shipmentsIfChanged))
    .query(async ({ ctx, input }) =>
      orThrow(await listIfChanged({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  /** Drivers and last events of the shipments on a page. */
  details: personProcedure('reads', MEMBER)
    .input(request({ query: listedShipments }))
    .output(answer(listedDetails))
    .query(async ({ ctx, input }) =>
      orThrow(await readListedDetails(ctx.store.database, ctx.company, idsOf(input.shipmentIds))),
    ),
});
