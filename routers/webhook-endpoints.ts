import * as z from 'zod';
import { MEMBER, PROVED_OWNER } from '../src/access/require.ts';
import { rotationRequest } from '../src/contract/merchant-api-credential.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { instant, uuid } from '../src/contract/values.ts';
import {
  changedWebhookEndpoint,
  endpointChanges,
  endpointRequest,
  newWebhookEndpoint,
  recovery,
  replayRequest,
  secretRotation,
  startedReplay,
  testEventRequest,
  testEventResult,
  webhookEndpoint,
  webhookReplay,
} from '../src/contract/webhook.ts';
import { EVENTS_KEPT_DAYS } from '../src/core/limits.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Bind } from '../src/domain/idempotency/once.ts';
import {
  createEndpoint,
  deleteEndpoint,
  ENDPOINTS_MAX,
  listEndpoints,
  type NewEndpoint,
  readEndpoint,
  updateEndpoint,
} from '../src/domain/webhooks/endpoint.ts';
import { readRecovery, readReplay, type StartedReplay, startReplay } from '../src/domain/webhooks/replay.ts';
import { rotateSecret, type SecretRotation } from '../src/domain/webhooks/rotation.ts';
import type { EndpointRow } from '../src/domain/webhooks/store.ts';
import { sendTestEvent } from '../src/domain/webhooks/test-event.ts';
import { derivedPartsOf, endpointLocationOf, presentEndpoint } from '../src/domain/webhooks/view.ts';
import { withdrawRequests } from '../src/domain/webhooks/withdrawal.ts';
import type { WebhookTransport } from '../src/ports/webhook.ts';
import { ifMatch, optionalKey } from './headers.ts';
import { answerOnce, type CompanyContext, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/webhook-endpoints';
const tags = ['Webhooks'];
const endpointId = { endpointId: uuid };
const precondition = ['PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'] as const;

export const webhookEndpoints = router({
  create: merchantProcedure('webhooks:manage', 'writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags,
        summary: 'Create a webhook endpoint',
        description: `Only this response contains the signing secret. A company has at most ${ENDPOINTS_MAX} endpoints. Two with the same address each get every event; \`sameUrlAs\` names the earlier ones.`,
      },
      successStatuses: [201, 200],
      problems: ['WEBHOOK_ENDPOINT_LIMIT_REACHED', 'WEBHOOK_URL_NOT_ALLOWED', ...KEY_PROBLEMS],
    })
    .input(request({ header: { idempotencyKey: optionalKey }, body: endpointRequest }))
    .output(answer(newWebhookEndpoint))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'webhookEndpoints.create', idempotencyKey, same },
        {
          run: (bind: Bind<NewEndpoint>) => createEndpoint({ ...ctx.services, ...ctx.store }, ctx.company, same, bind),
          present: ({ row, signingSecret, sameUrlAs }) => ({
            status: 201,
            body: {
              ...presentEndpoint(row, row.createdAt),
              signingSecret,
              ...(sameUrlAs.length === 0 ? {} : { sameUrlAs: [...sameUrlAs] }),
            },
            headers: { etag: etagOf(row.version), location: endpointLocationOf(row.id) },
          }),
        },
      ),
    ),

  list: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: { method: 'GET', path: PATH, tags, summary: 'List webhook endpoints, newest first' },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(webhookEndpoint)))
    .query(async ({ ctx, input }) =>
      orThrow(await listEndpoints({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  get: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: { method: 'GET', path: `${PATH}/{endpointId}`, tags, summary: 'Read a webhook endpoint' },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: endpointId }))
    .output(answer(webhookEndpoint))
    .query(async ({ ctx, input }) =>
      withEtag(ctx, orThrow(await readEndpoint(ctx.store.database, ctx.company, input.endpointId))),
    ),

  update: merchantProcedure('webhooks:manage', 'writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'PATCH',
        path: `${PATH}/{endpointId}`,
        tags,
        summary: 'Change a webhook endpoint, or enable and disable it',
        description:
          'Absent members keep their values. Enabling it resets its failures. After a new address or `enabled: false`, no request begins as it was before; `inFlight` counts those that had begun and have not ended within a second.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'WEBHOOK_URL_NOT_ALLOWED', ...precondition],
    })
    .input(request({ path: endpointId, header: { ifMatch }, body: endpointChanges }))
    .output(answer(changedWebhookEndpoint))
    .mutation(async ({ ctx, input: { ifMatch: condition, ...changes } }) => {
      const order = { precondition: condition, ...changes };
      const row = orThrow(await updateEndpoint({ ...ctx.services, ...ctx.store }, ctx.company, order));
      const changed = withEtag(ctx, row);
      // A repetition counts again, because the first answer may have been lost.
      const takesAway = changes.enabled === false || changes.url !== undefined;
      return takesAway ? { ...changed, inFlight: await withdraw(ctx, { endpointId: row.id }) } : changed;
    }),

  delete: merchantProcedure('webhooks:manage', 'writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${PATH}/{endpointId}`,
        tags,
        summary: 'Delete a webhook endpoint',
        description: `Waiting deliveries are skipped. Once this is answered no request begins; \`Mirsal-In-Flight\` counts those that had begun and have not ended within a second. All its deliveries stay readable for ${EVENTS_KEPT_DAYS} days.`,
      },
      successStatuses: [204],
      problems: ['RESOURCE_NOT_FOUND', ...precondition],
    })
    .input(request({ path: endpointId, header: { ifMatch } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input: { ifMatch: condition, ...named } }) => {
      const order = { precondition: condition, ...named };
      orThrow(await deleteEndpoint({ ...ctx.services, ...ctx.store }, ctx.company, order));
      ctx.reply.headers['mirsal-in-flight'] = String(await withdraw(ctx, named));
      ctx.reply.status = 204;
      return null;
    }),

  rotateSecret: merchantProcedure('webhooks:manage', 'writes', PROVED_OWNER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{endpointId}/secret-rotations`,
        tags,
        summary: 'Create a new signing secret',
        description:
          'For `overlapSeconds` both secrets sign every delivery. With 0, no request with the old secret begins once this is answered; `inFlight` counts those that had begun and have not ended within a second.',
      },
      successStatuses: [201, 200],
      problems: ['RESOURCE_NOT_FOUND', 'SECRET_ROTATION_IN_PROGRESS', ...KEY_PROBLEMS],
    })
    .input(request({ path: endpointId, header: { idempotencyKey: optionalKey }, body: rotationRequest }))
    .output(answer(secretRotation))
    .mutation(async ({ ctx, input: { idempotencyKey, ...same } }) => {
      const rotated = await answerOnce(
        ctx,
        { operation: 'webhookEndpoints.rotateSecret', idempotencyKey, same },
        {
          run: (bind: Bind<SecretRotation>) => rotateSecret({ ...ctx.services, ...ctx.store }, ctx.company, same, bind),
          present: (body) => ({ status: 201, body, headers: {} }),
        },
      );
      const isUrgent = same.overlapSeconds === 0;
      // A repeated answer counts again: its request may have come before those of the first one had ended.
      const inFlight = await withdraw(ctx, { endpointId: same.endpointId, isUrgent });
      return isUrgent ? { ...rotated, inFlight } : rotated;
    }),

  sendTestEvent: merchantProcedure('webhooks:manage', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{endpointId}/test-events`,
        tags,
        summary: 'Send a test event now and return the result',
        description:
          'The event has `"test": true` and no shipmentId. It is sent once, also to a disabled or paused endpoint, and does not appear in lists. With `checks: true` four more requests show whether the receiver verifies: three forged ones, which it must refuse, and the test event once more, which it must accept. They are not sent, and `checks` is absent, if the endpoint was changed after the test event.',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: endpointId, body: testEventRequest }))
    .output(answer(testEventResult))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, correlationId: ctx.facts.correlationId };
      const { webhookTransport: transport } = ctx.services;
      // The receiver may be slow.
      const webhookTransport: WebhookTransport = { post: (sent) => ctx.outside(() => transport.post(sent)) };
      return orThrow(await sendTestEvent({ ...ctx.services, ...ctx.store, webhookTransport }, ctx.company, order));
    }),

  replay: merchantProcedure('webhooks:manage', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{endpointId}/replays`,
        tags,
        summary: 'Send the deliveries of a time range again',
        description:
          'At most 7 days and 10,000 deliveries, one replay at a time. Without `statuses` it sends all finished deliveries. The endpoint must be enabled.',
      },
      successStatuses: [202, 200],
      problems: ['RESOURCE_NOT_FOUND', 'REPLAY_IN_PROGRESS', 'INVALID_STATE_TRANSITION', ...KEY_PROBLEMS],
    })
    .input(request({ path: endpointId, header: { idempotencyKey: optionalKey }, body: replayRequest }))
    .output(answer(startedReplay))
    .mutation(({ ctx, input: { idempotencyKey, ...same } }) =>
      answerOnce(
        ctx,
        { operation: 'webhookEndpoints.replay', idempotencyKey, same },
        {
          run: (bind: Bind<StartedReplay>) => startReplay({ ...ctx.services, ...ctx.store }, ctx.company, same, bind),
          present: (body) => ({ status: 202, body, headers: {} }),
        },
      ),
    ),

  /** What “Recover all failed” would send. Only over tRPC: programs choose their own range. */
  recovery: personProcedure('reads', MEMBER)
    .meta({ problems: ['RESOURCE_NOT_FOUND'] })
    .input(request({ path: endpointId, query: { from: z.optional(instant) } }))
    .output(answer(recovery))
    .query(async ({ ctx, input }) =>
      orThrow(await readRecovery({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  getReplay: merchantProcedure('webhooks:manage', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{endpointId}/replays/{replayId}`,
        tags,
        summary: 'Read the progress of a replay',
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: { ...endpointId, replayId: uuid } }))
    .output(answer(webhookReplay))
    .query(async ({ ctx, input }) => orThrow(await readReplay(ctx.store.database, ctx.company, input))),
});

/** Also waits outside, because requests that have begun may be slow. */
function withdraw(ctx: CompanyContext, order: Parameters<typeof withdrawRequests>[2]): Promise<number> {
  return ctx.outside(() => withdrawRequests({ ...ctx.services, ...ctx.store }, ctx.company, order));
}

function withEtag({ reply, store }: CompanyContext, row: EndpointRow) {
  const now = store.clock.now();
  reply.headers['etag'] = etagOf(row.version, derivedPartsOf(row, now));
  return presentEndpoint(row, now);
}
