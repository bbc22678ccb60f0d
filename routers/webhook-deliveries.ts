import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { eventType } from '../src/contract/event.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import {
  attemptNumber,
  deliveryStatus,
  unsentDeliveries,
  type WebhookDelivery,
  webhookDelivery,
  webhookDeliveryWithAttempts,
  webhookExchange,
} from '../src/contract/webhook.ts';
import { EVENTS_KEPT_DAYS, EXCHANGES_KEPT_DAYS } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import { listDeliveries, listUnsent, readAttempt, readDelivery } from '../src/domain/webhooks/log.ts';
import { replayDelivery } from '../src/domain/webhooks/replay.ts';
import { optionalKey } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/webhook-deliveries';
const tags = ['Webhooks'];
const deliveryId = { deliveryId: uuid };

export const webhookDeliveries = router({
  list: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags,
        summary: `List webhook deliveries of the last ${EVENTS_KEPT_DAYS} days, newest first`,
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(
      request({
        query: {
          endpointId: z.optional(uuid),
          status: z.optional(deliveryStatus),
          eventType: z.optional(eventType),
          shipmentId: z.optional(uuid),
          ...pageRequest,
        },
      }),
    )
    .output(answer(pageOf(webhookDelivery)))
    .query(async ({ ctx, input }) =>
      orThrow(await listDeliveries({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  /** Failed deliveries without those that were sent again. Only over tRPC: programs find missed events in the feed. */
  listUnsent: personProcedure('reads', MEMBER)
    .input(request({ query: { limit: pageRequest.limit } }))
    .output(answer(unsentDeliveries))
    .query(async ({ ctx, input }) =>
      orThrow(await listUnsent({ ...ctx.services, ...ctx.store }, ctx.company, input.limit)),
    ),

  get: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{deliveryId}`,
        tags,
        summary: 'Read a webhook delivery with its attempts',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: deliveryId }))
    .output(answer(webhookDeliveryWithAttempts))
    .query(async ({ ctx, input }) => orThrow(await readDelivery(ctx.store.database, ctx.company, input.deliveryId))),

  getAttempt: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{deliveryId}/attempts/{number}`,
        tags,
        summary: 'Read what an attempt sent and what came back',
        description: `The signature, its time and the response are kept for ${EXCHANGES_KEPT_DAYS} days. After that the request has only the headers that every attempt of the delivery has, and the response is null.`,
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: { ...deliveryId, number: attemptNumber } }))
    .output(answer(webhookExchange))
    .query(async ({ ctx, input }) => orThrow(await readAttempt({ ...ctx.services, ...ctx.store }, ctx.company, input))),

  replay: merchantProcedure('webhooks:manage', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{deliveryId}/replays`,
        tags,
        summary: 'Send a delivery again',
        description:
          'Creates a new delivery with the same webhook-id to the same endpoint, which must be enabled. The request has no body.',
      },
      successStatuses: [202, 200],
      problems: ['RESOURCE_NOT_FOUND', 'INVALID_STATE_TRANSITION', ...KEY_PROBLEMS],
    })
    .input(request({ path: deliveryId, header: { idempotencyKey: optionalKey } }))
    .output(answer(webhookDelivery))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'webhookDeliveries.replay', idempotencyKey, same },
        {
          run: (bind: Bind<WebhookDelivery>) =>
            replayDelivery({ ...ctx.services, ...ctx.store }, ctx.company, same.deliveryId, bind),
          present: (body) => ({ status: 202, body, headers: {} }),
        },
      ),
    ),
});
