import { MEMBER } from '../src/access/require.ts';
import { activityFilter, activity as activityOut } from '../src/contract/activity.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { shipment } from '../src/contract/shipment.ts';
import { orThrow } from '../src/core/problem.ts';
import { listActivity, readActivity } from '../src/domain/shipments/activity.ts';
import { personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

/** What happened in the last days, for people of a company. Only over tRPC: programs follow the events. */
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
});
