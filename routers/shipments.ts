import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { cancellationPreview } from '../src/contract/cancellation.ts';
import { dispatchStanding } from '../src/contract/dispatch.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { charges } from '../src/contract/price-estimate.ts';
import { decimalPlacesOf, toRest } from '../src/contract/rest-numbers.ts';
import {
  cancellationRequest,
  labelRequest,
  shipment,
  shipmentRequest,
  timelineEntry,
  waybill,
} from '../src/contract/shipment.ts';
import { shipmentFilter } from '../src/contract/shipment-filter.ts';
import { merchantTracking } from '../src/contract/tracking.ts';
import { uuid } from '../src/contract/values.ts';
import { SCATTERED_MAX, SEARCHED_MAX } from '../src/core/limits.ts';
import { part } from '../src/core/part.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Result } from '../src/core/result.ts';
import { parseUuid } from '../src/core/uuid.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { readShipment } from '../src/domain/shipments/command.ts';
import { createShipment } from '../src/domain/shipments/create.ts';
import { listShipments, listTimeline } from '../src/domain/shipments/read.ts';
import { retryCommand } from '../src/domain/shipments/retry.ts';
import { isForgotten, shipmentAnswer } from '../src/domain/shipments/view.ts';
import { trackShipment } from '../src/domain/tracking/reading.ts';
import { checkAddressLater } from './address-checks.ts';
import type { Context } from './context.ts';
import {
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  nationalAddress,
  optionalKey,
  priceLimit,
  priceLock,
} from './headers.ts';
import { LABEL_TEXT, readLabels } from './labels.ts';
import { answerOnce, type CompanyContext, KEY_PROBLEMS } from './once.ts';
import { companyProcedure, merchantProcedure, router } from './procedure.ts';
import { answer, printable, request } from './request.ts';

const cancellationPart = part(() => import('../src/domain/shipments/cancellation-preview.ts'));
const chargesPart = part(() => import('../src/domain/pricing/charges.ts'));
const warningsPart = part(() => import('../src/domain/shipments/request-warnings.ts'));
const dispatchPart = part(() => import('../src/domain/dispatch/standing.ts'));

const PATH = '/v2/external/shipments';
const tags = ['Shipments'];
const shipmentId = { shipmentId: uuid };

export const shipments = router({
  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: PATH,
        tags,
        summary: 'Create a shipment, or replay an earlier identical creation',
        description:
          'Every body field is required. branchCode and pickupLocationCode come from their lists. The same key with the same body gets 200 and the first response.',
      },
      successStatuses: [201, 200],
      problems: [
        'EXTERNAL_REFERENCE_CONFLICT',
        'PRICE_LIMIT_EXCEEDED',
        'PRICE_LOCK_USED',
        'PRICE_LOCK_INVALID',
        'PRICE_LOCK_EXPIRED',
        'PRICE_LOCK_MISMATCH',
        'REGISTRATION_INCOMPLETE',
        'BRANCH_INACTIVE',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'IDEMPOTENCY_REQUEST_IN_PROGRESS',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_KEY_REQUIRED',
        'INVALID_IDEMPOTENCY_KEY',
      ],
    })
    .input(request({ header: { idempotencyKey, priceLimit, priceLock, nationalAddress }, body: shipmentRequest }))
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, priceLimit: limit, priceLock: lock, nationalAddress: code, ...body } = input;
      const { services, facts, company, store } = ctx;
      const order = {
        idempotencyKey: key,
        correlationId: facts.correlationId,
        request: body,
        priceLimit: limit,
        priceLock: lock,
        nationalAddress: code,
      };
      const [policy, result] = await Promise.all([
        code === undefined ? services.addressPolicies.policyOf(store.database, company) : undefined,
        createShipment({ ...services, ...store, routing: routingFor(services, store, company) }, company, order),
      ]);
      const created = orThrow(result);
      ctx.reply.status = created.isReplay ? 200 : 201;
      ctx.reply.headers['etag'] = created.etag;
      ctx.reply.headers['location'] = created.location;
      if (created.lockId !== null) ctx.reply.headers['price-lock-id'] = created.lockId;
      const warnings = (await warningsPart()).warningHeader(body, policy, code);
      if (warnings !== undefined) ctx.reply.headers['mirsal-warnings'] = warnings;
      const createdId = parseUuid(created.shipment.shipmentId);
      if (code !== undefined && !created.isReplay && createdId !== undefined) checkAddressLater(ctx, createdId);
      if (created.isReplay) {
        ctx.reply.headers['idempotency-replayed'] = 'true';
        services.metrics.count('idempotent_replays', []);
      }
      return created.shipment;
    }),

  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: PATH,
        tags,
        summary: 'List shipments, newest first',
        description: `All filters must be true for a shipment. A list with q, branchCode, cityCode, paymentMethod, address or kind is answered if the company has at most ${SEARCHED_MAX} shipments between createdFrom and createdTo, or at most ${SCATTERED_MAX} of them in the given states. Otherwise it gets 400 INVALID_QUERY_PARAMETER: use a shorter time. A list with metadata is answered at any size, unless other filters leave more than ${SCATTERED_MAX} shipments with the entry to look through. A q that can only be a reference or a shipment number needs no time if at most ${SCATTERED_MAX} of them begin with it.`,
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: { ...shipmentFilter, ...pageRequest } }))
    .output(answer(pageOf(shipment)))
    .query(async ({ ctx, input }) =>
      orThrow(await listShipments({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),

  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}`,
        tags,
        summary: 'Read a shipment',
        description:
          'Some time after the end of the shipment, 180 days by default, the recipient is forgotten: recipientName and destination.addressLine are `-`, maskedRecipientPhone ends in 0000, and the coordinates of the destination have two digits. Version and entity tag stay, so the response is then never 304.',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(shipment))
    .query(async ({ ctx, input }) => {
      const row = orThrow(await readShipment(ctx.store.database, ctx.company, input.shipmentId));
      const { body, headers } = shipmentAnswer(row);
      Object.assign(ctx.reply.headers, headers);
      ctx.reply.isTagStale = isForgotten(row);
      return body;
    }),

  waybill: companyProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/waybill`,
        tags,
        summary: 'Print the label of a shipment',
        description: LABEL_TEXT,
      },
    })
    .input(request({ path: shipmentId, query: labelRequest }))
    .output(printable(waybill))
    .query(async ({ ctx, input: { shipmentId: id, ...choices } }) => {
      const { shipments, ...content } = await readLabels(ctx, [id], choices);
      const [shipment] = shipments;
      if (shipment === undefined) throw new Error('A label was read without its shipment');
      return { ...content, shipment };
    }),

  cancel: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{shipmentId}/cancellations`,
        tags,
        summary: 'Cancel a shipment that has not been picked up',
        description:
          "Costs the tariff's cancellation amount while a driver who has accepted the shipment is on the way and not late. The cancellation preview says what it would cost now. Cancelling a cancelled shipment changes nothing and returns it.",
      },
      problems: [
        'SHIPMENT_NOT_CANCELLABLE',
        'PRICE_LIMIT_EXCEEDED',
        'PRECONDITION_FAILED',
        'PRECONDITION_REQUIRED',
        ...KEY_PROBLEMS,
      ],
    })
    .input(
      request({
        path: shipmentId,
        header: { ifMatch, idempotencyKey: optionalKey, priceLimit },
        body: cancellationRequest,
      }),
    )
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, ifMatch: _precondition, priceLimit: limit, ...same } = input;
      const command = { name: 'CANCEL', reasonCode: input.reasonCode, comment: input.comment ?? null } as const;
      const order = { ...merchantOrder(ctx, input, command), priceLimit: limit };
      return answerOnce(
        ctx,
        { operation: 'shipments.cancel', idempotencyKey: key, same },
        {
          run: async (_bind, claim) =>
            withPreview(ctx, input.shipmentId, await ctx.services.lane.execute(ctx.company, { ...order, claim })),
          present: shipmentAnswer,
        },
      );
    }),

  previewCancellation: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/cancellation-preview`,
        tags,
        summary: 'Read what a cancellation would cost, and until when',
        description:
          'A cancellation that names this `version` in If-Match and takes effect before `validUntil` costs exactly `fee`. The reason of a cancellation never changes who pays.',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(cancellationPreview))
    .query(async ({ ctx: { services, store, company }, input }) => {
      const { previewCancellation } = await cancellationPart();
      return orThrow(await previewCancellation({ ...services, ...store }, company, input.shipmentId));
    }),

  retryDispatch: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/{shipmentId}/dispatch-retries`,
        tags,
        summary: 'Search for a driver again',
        description: 'For a shipment in state DISPATCH_UNRESOLVED. The request has no body.',
      },
      problems: ['INVALID_STATE_TRANSITION', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED', ...KEY_PROBLEMS],
    })
    .input(request({ path: shipmentId, header: { ifMatch, idempotencyKey: optionalKey } }))
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      return answerOnce(
        ctx,
        {
          operation: 'shipments.retryDispatch',
          idempotencyKey: input.idempotencyKey,
          same: { shipmentId: input.shipmentId },
        },
        {
          run: async (_bind, claim) => {
            const command = await retryCommand({ ...ctx.services, ...ctx.store }, ctx.company, input.shipmentId);
            if (!command.ok) return command;
            return ctx.services.lane.execute(ctx.company, { ...merchantOrder(ctx, input, command.value), claim });
          },
          present: shipmentAnswer,
        },
      );
    }),

  charges: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/charges`,
        tags,
        summary: 'Read the charges of a shipment',
        description: 'The lines from its creation and later charges. Amounts of lines are net of VAT.',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(charges))
    .query(async ({ ctx, input }) => {
      const { readCharges } = await chargesPart();
      return orThrow(await readCharges(ctx.store.database, ctx.company, input.shipmentId));
    }),

  dispatch: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/dispatch`,
        tags,
        summary: 'Read why there is no driver',
        description:
          'Where the search for a driver stands, and what is in its way now. `code` is for programs; `detail` follows Accept-Language.',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(dispatchStanding))
    .query(async ({ ctx: { services, store, company, facts }, input }) => {
      const { readDispatch } = await dispatchPart();
      return orThrow(await readDispatch({ ...services, ...store }, company, { ...input, locale: facts.locale }));
    }),

  tracking: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/tracking`,
        tags,
        summary: 'Read what the recipient sees, and the phase of dispatch',
        description:
          'The driver is included while a driver has the shipment. The position is included while the shipment is out for delivery, if it is at most 120 seconds old.',
      },
      isConditional: true,
    })
    .input(request({ path: shipmentId, header: { ifNoneMatch: z.optional(ifNoneMatch) } }))
    .output(answer(merchantTracking))
    .query(async ({ ctx, input }) => {
      const { services, store, company, facts } = ctx;
      return orThrow(await trackShipment({ ...services, ...store }, company, { ...input, locale: facts.locale }));
    }),

  timeline: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/{shipmentId}/timeline`,
        tags,
        summary: 'List the events of a shipment, oldest first',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ path: shipmentId, query: pageRequest }))
    .output(answer(pageOf(timelineEntry)))
    .query(async ({ ctx, input }) =>
      orThrow(await listTimeline({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),
});

/** Adds what the caller can do to the refusal of a cancellation: the preview if it is above its limit, or what a recall costs. */
async function withPreview<Value>(
  { services, store, company }: CompanyContext,
  id: z.output<typeof uuid>,
  result: Result<Value>,
): Promise<Result<Value>> {
  if (result.ok || (result.code !== 'PRICE_LIMIT_EXCEEDED' && result.code !== 'SHIPMENT_NOT_CANCELLABLE'))
    return result;
  const { previewCancellation } = await cancellationPart();
  const preview = await previewCancellation({ ...services, ...store }, company, id);
  if (!preview.ok) return result;
  const { instead } = preview.value;
  const added =
    result.code === 'PRICE_LIMIT_EXCEEDED'
      ? { preview: toRest(preview.value, decimalPlacesOf(cancellationPreview)) }
      : instead && { instead: toRest(instead, decimalPlacesOf(cancellationPreview.shape.instead)) };
  return { ...result, members: { ...result.members, ...added } };
}

function merchantOrder<Command>(
  { facts }: Context,
  { shipmentId: id, ifMatch: precondition }: { shipmentId: z.output<typeof uuid>; ifMatch: z.output<typeof ifMatch> },
  command: Command,
) {
  return { shipmentId: id, command, actor: 'MERCHANT', precondition, correlationId: facts.correlationId } as const;
}
