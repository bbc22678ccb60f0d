import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import {
  batchItemState,
  batchRequest,
  openBatchRequest,
  type StartedBatch,
  shipmentBatch,
  shipmentBatchItem,
  startedBatch,
} from '../src/contract/shipment-batch.ts';
import { uuid } from '../src/contract/values.ts';
import {
  BATCH_ITEMS_MAX,
  BATCH_MEBIBYTES_MAX,
  BATCH_RUNNING_HOURS_MAX,
  BATCHES_KEPT_DAYS,
  BATCHES_RUNNING_MAX,
} from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { parseUuid } from '../src/core/uuid.ts';
import { listItems, readBatch, startBatch } from '../src/domain/batches/batch.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import { optionalKey, prefer } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { openRequest } from './other-requests.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/shipment-batches';
const tags = ['Shipments'];
const batchId = { batchId: uuid };
const header = { idempotencyKey: optionalKey, prefer: z.optional(prefer) };

/** The longest wait for the end of a batch, and the time between two looks at it. */
const WAIT_SECONDS_MAX = 10;
const LOOK_MS = 250;

export const shipmentBatches = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags,
        summary: 'Create or check up to 500 shipments in the background',
        description: `Each item is a creation with its own \`key\`, an Idempotency-Key of creations: an item whose key was used already is REPLAYED, so a batch can be sent again. \`onInvalid\` STOP checks all items first and creates nothing if one is refused; it is not a transaction. A company has at most ${BATCHES_RUNNING_MAX} running batches. Items count against the rate limit of writes, and at most 50 a second are created. \`Prefer: wait=${WAIT_SECONDS_MAX}\` waits for the end; the response is 200 if the batch has ended by then. The body has at most ${BATCH_MEBIBYTES_MAX} MiB.`,
      },
      successStatuses: [202, 200],
      bodyBytesMax: BATCH_MEBIBYTES_MAX * 1024 * 1024,
      problems: ['BATCH_TOO_MANY_RUNNING', ...KEY_PROBLEMS],
    })
    .input(
      openRequest(request({ header, body: batchRequest }), request({ header, body: openBatchRequest }), {
        member: 'items',
        max: BATCH_ITEMS_MAX,
      }),
    )
    .output(answer(startedBatch))
    .mutation(async ({ ctx, input: { idempotencyKey, prefer: preference, ...same } }) => {
      const { services, store, company, facts, reply } = ctx;
      // As in a creation, a repetition may bring other locks and limits.
      const items = same.items.map(({ key, shipment }) => ({ key, shipment }));
      const order = { ...same, correlationId: facts.correlationId, requestId: facts.requestId };
      const started = await answerOnce(
        ctx,
        { operation: 'shipmentBatches.create', idempotencyKey, same: { ...same, items } },
        {
          run: (bind: Bind<StartedBatch>) => startBatch({ ...services, ...store }, company, order, bind),
          present: (body) => ({ status: 202, body, headers: { location: `${PATH}/${body.batchId}` } }),
        },
      );
      const waitSeconds = Math.min(preference?.waitSeconds ?? 0, WAIT_SECONDS_MAX);
      const id = parseUuid(started.batchId);
      if (waitSeconds === 0 || reply.status !== 202 || id === undefined) return started;
      // The request keeps its input to its end.
      same.items.length = 0;
      items.length = 0;
      const until = services.monotonicMs() + waitSeconds * 1000;
      return ctx.outside(async () => {
        while (services.monotonicMs() < until) {
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
          const read = await readBatch(store.database, company, id);
          if (!read.ok || read.value.state === 'RUNNING') continue;
          reply.status = 200;
          return { batchId: started.batchId, state: read.value.state, counts: read.value.counts };
        }
        return started;
      });
    }),

  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{batchId}`,
        tags,
        summary: 'Read the progress of a batch',
        description: `STOPPED: an item was refused and \`onInvalid\` is STOP, the credential of the batch was deleted, the person who sent it left the company, the company was suspended, or the batch was still running after ${BATCH_RUNNING_HOURS_MAX} hours. The other items are then SKIPPED. A batch is kept for ${BATCHES_KEPT_DAYS} days.`,
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: batchId }))
    .output(answer(shipmentBatch))
    .query(async ({ ctx, input }) => orThrow(await readBatch(ctx.store.database, ctx.company, input.batchId))),

  listItems: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{batchId}/items`,
        tags,
        summary: 'List the items of a batch in their order',
        description: 'The texts of a problem follow Accept-Language.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ path: batchId, query: { state: z.optional(batchItemState), ...pageRequest } }))
    .output(answer(pageOf(shipmentBatchItem)))
    .query(async ({ ctx: { services, store, company, facts }, input }) =>
      orThrow(await listItems({ ...services, ...store }, company, { ...input, locale: facts.locale })),
    ),
});
