import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { AMENDMENT_DECISIONS } from '../src/contract/amendment-state.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { shipment } from '../src/contract/shipment.ts';
import { amendmentPreview, amendmentRequest, shipmentAmendment } from '../src/contract/shipment-amendment.ts';
import { uuid } from '../src/contract/values.ts';
import { AMENDMENT_KILOMETERS_MAX, AMENDMENTS_MAX } from '../src/core/limits.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import { sendNotice } from '../src/domain/challenges/challenge.ts';
import { tellAmendedPin } from '../src/domain/proof/tell-pin.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { type Amended, amendShipment, listAmendments, previewAmendment } from '../src/domain/shipments/amend.ts';
import { decideAmendment } from '../src/domain/shipments/amendment-decision.ts';
import { shipmentAnswer } from '../src/domain/shipments/view.ts';
import { checkAddressLater } from './address-checks.ts';
import { ifMatch, optionalKey, priceLimit } from './headers.ts';
import { answerOnce, type CompanyContext, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/shipments/{shipmentId}';
const tags = ['Shipments'];
const shipmentId = { shipmentId: uuid };

export const shipmentAmendments = router({
  preview: merchantProcedure('shipments:read', 'estimates', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/amendment-previews`,
        tags,
        summary: 'Read what an amendment would cost, and whether it is allowed',
        description:
          'The body is that of the amendment. Stores nothing. An amendment that names this `version` in If-Match costs exactly `priceEffect`.',
      },
      problems: ['ROUTING_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ path: shipmentId, body: amendmentRequest }))
    .output(answer(amendmentPreview))
    .mutation(async ({ ctx, input: { shipmentId: id, ...wishes } }) =>
      orThrow(await previewAmendment(amendDependencies(ctx), ctx.company, { shipmentId: id, request: wishes })),
    ),

  create: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/amendments`,
        tags,
        summary: 'Amend a shipment that is on its way',
        description: `Changes the members that are there, all or none; the state stays. Place and instructions may change until the end, destination, address line, National Address and delivery window until the driver sets out, the recipient until the pickup, the pickup window before an offer stands, and the amount to collect until the end if it falls and until the pickup if it rises. A new pin is priced by the tariff of the creation, and the difference is charged or credited. A delivery window is the start of one that is offered; a later pickup that leaves no room for it removes it. Another city, or a pin more than ${AMENDMENT_KILOMETERS_MAX} km from that of the creation, is refused: cancel the shipment and create another one. At most ${AMENDMENTS_MAX} amendments a shipment. Values that are there already change nothing and get 200, whatever If-Match says.`,
      },
      problems: [
        'AMENDMENT_NOT_ALLOWED',
        'PRICE_LIMIT_EXCEEDED',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'PRECONDITION_FAILED',
        'PRECONDITION_REQUIRED',
        ...KEY_PROBLEMS,
      ],
    })
    .input(
      request({
        path: shipmentId,
        header: { ifMatch, idempotencyKey: optionalKey, priceLimit },
        body: amendmentRequest,
      }),
    )
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, ifMatch: precondition, priceLimit: limit, ...same } = input;
      const { shipmentId: id, ...wishes } = same;
      const asker = { actor: 'MERCHANT' } as const;
      const order = { shipmentId: id, request: wishes, asker, precondition, priceLimit: limit };
      return answerOnce(
        ctx,
        { operation: 'shipmentAmendments.create', idempotencyKey: key, same },
        {
          run: async (_bind, claim) => {
            const { correlationId } = ctx.facts;
            const done = await amendShipment(amendDependencies(ctx), ctx.company, { ...order, correlationId, claim });
            if (done.ok) ctx.later(tellFormer(ctx, done.value));
            const { location, shortAddress } = order.request;
            if (done.ok && location !== undefined)
              ctx.later(tellAmendedPin({ ...ctx.services, ...ctx.store }, ctx.company, order.shipmentId));
            if (done.ok && (location ?? shortAddress) !== undefined) checkAddressLater(ctx, order.shipmentId);
            return done;
          },
          present: ({ shipment: row }: Amended) => shipmentAnswer(row),
        },
      );
    }),

  decide: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/amendments/{amendmentId}/decisions`,
        tags,
        summary: 'Decide a change that the recipient asked for',
        description:
          'A change of the recipient that costs more than the company’s limit waits two hours for this decision. ACCEPT amends the shipment for at most the `priceEffect` of the request. If-Match takes the version of the amendment. The same decision again is 200, and another one 409.',
      },
      problems: [
        'RESOURCE_NOT_FOUND',
        'AMENDMENT_NOT_ALLOWED',
        'PRICE_LIMIT_EXCEEDED',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'PRECONDITION_FAILED',
        'PRECONDITION_REQUIRED',
      ],
    })
    .input(
      request({
        path: { shipmentId: uuid, amendmentId: uuid },
        header: { ifMatch },
        body: { decision: z.enum(AMENDMENT_DECISIONS) },
      }),
    )
    .output(answer(shipmentAmendment))
    .mutation(async ({ ctx, input: { ifMatch: precondition, ...order } }) => {
      const { correlationId } = ctx.facts;
      const decided = orThrow(
        await decideAmendment(amendDependencies(ctx), ctx.company, { ...order, precondition, correlationId }),
      );
      if (decided.state === 'APPLIED') checkAddressLater(ctx, order.shipmentId);
      ctx.reply.headers['etag'] = etagOf(decided.version);
      return decided;
    }),

  list: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/amendments`,
        tags,
        summary: 'List the amendments of a shipment, oldest first',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ path: shipmentId, query: pageRequest }))
    .output(answer(pageOf(shipmentAmendment)))
    .query(async ({ ctx, input }) =>
      orThrow(await listAmendments({ ...ctx.services, ...ctx.store }, ctx.company, input)),
    ),
});

/** A new phone is how a parcel is diverted, so the old one is told. Phones of sandboxes are invented. */
async function tellFormer(
  { services, company }: CompanyContext,
  { shipment: { shipmentNumber }, formerPhone: recipient }: Amended,
): Promise<void> {
  if (recipient === null || services.config.deployment === 'sandbox') return;
  const companyName = await services.companyNames.nameOf(services.directory.database, company);
  if (companyName === undefined) return;
  const purpose = 'RECIPIENT_PHONE_CHANGED';
  const shipmentEnd = shipmentNumber.slice(-4);
  await sendNotice(services, { channel: 'SMS', recipient, purpose, companyName, shipmentEnd });
}

function amendDependencies({ services, store, company }: CompanyContext) {
  return { ...services, ...store, routing: routingFor(services, store, company) };
}
