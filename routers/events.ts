import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { event, eventAnchor, eventType } from '../src/contract/event.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { instant, uuid } from '../src/contract/values.ts';
import { EVENTS_KEPT_DAYS } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { listEvents } from '../src/domain/events/feed.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

export const events = router({
  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/events',
        tags: ['Events'],
        summary: 'List events, oldest first',
        description: `The same envelopes that webhooks deliver, of the last ${EVENTS_KEPT_DAYS} days. To poll, keep the id of the last event and send it as \`after\`. To begin at an instant, send \`from\`; to begin now, send \`after=latest\`. An event that is committed later always comes later in the list. A page has at most 1 MiB of envelopes, so it may have fewer than \`limit\`.`,
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(
      request({
        query: {
          after: z.optional(eventAnchor),
          from: z.optional(instant),
          type: z.optional(eventType),
          shipmentId: z.optional(uuid),
          ...pageRequest,
        },
      }),
    )
    .output(answer(pageOf(event)))
    .query(async ({ ctx, input }) => orThrow(await listEvents({ ...ctx.services, ...ctx.store }, ctx.company, input))),
});
