import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import {
  type Resolution,
  recallRequest,
  relations,
  resolution,
  resolutionRequest,
  returnRequest,
  undecided,
} from '../src/contract/resolution.ts';
import { type Shipment, shipment } from '../src/contract/shipment.ts';
import { uuid } from '../src/contract/values.ts';
import {
  ATTEMPT_AGAIN_MINUTES,
  DECISION_HOURS,
  DECISION_HOURS_PERISHABLE,
  DELIVERY_ATTEMPTS_MAX,
  RETURN_DAYS,
} from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import type { StoredAnswer } from '../src/domain/idempotency/once.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { recallCommand } from '../src/domain/shipments/recall.ts';
import { readRelations, readResolution, readUndecided } from '../src/domain/shipments/resolution.ts';
import { type Chosen, choose } from '../src/domain/shipments/resolution-choice.ts';
import { returnItems } from '../src/domain/shipments/returns.ts';
import type { ShipmentRow } from '../src/domain/shipments/store.ts';
import { locationOf, shipmentAnswer } from '../src/domain/shipments/view.ts';
import { checkAddressLater } from './address-checks.ts';
import { ifMatch, optionalKey, priceLimit } from './headers.ts';
import { answerOnce, KEY_PROBLEMS } from './once.ts';
import { merchantProcedure, personProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/shipments/{shipmentId}';
const tags = ['After a failure'];
const shipmentId = { shipmentId: uuid };

/** What becomes of a parcel that could not be delivered, or that goes back. */
export const resolutions = router({
  get: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/resolution`,
        tags,
        summary: 'Read what can become of a parcel whose delivery failed',
        description: `A failed delivery leaves the parcel with the driver. Decide within ${DECISION_HOURS} hours, or ${DECISION_HOURS_PERISHABLE} for a shipment that requires \`PERISHABLE\`; then the service takes the default. The driver can try again by themselves for ${ATTEMPT_AGAIN_MINUTES} minutes. A parcel has at most ${DELIVERY_ATTEMPTS_MAX} attempts. 404 for a shipment that has not failed.`,
      },
      problems: ['RESOURCE_NOT_FOUND'],
    })
    .input(request({ path: shipmentId }))
    .output(answer(resolution))
    .query(async ({ ctx, input }) => orThrow(await readResolution(ctx.store.database, ctx.company, input.shipmentId))),

  choose: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/resolutions`,
        tags,
        summary: 'Decide what becomes of a parcel whose delivery failed',
        description:
          'REDELIVER and RETURN answer 201 with the shipment that carries the parcel on. It begins PICKED_UP with the same driver and has charges of its own. DISPOSE answers 200 with the resolution, and the parcel is destroyed. Only the first of two decisions takes effect.',
      },
      successStatuses: [201, 200],
      problems: [
        'RESOLUTION_NOT_OPEN',
        'RESOLUTION_ALREADY_CHOSEN',
        'EXTERNAL_REFERENCE_CONFLICT',
        'PRICE_LIMIT_EXCEEDED',
        ...KEY_PROBLEMS,
      ],
    })
    .input(request({ path: shipmentId, header: { idempotencyKey: optionalKey, priceLimit }, body: resolutionRequest }))
    .output(answer(z.union([shipment, resolution])))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, priceLimit: limit, ...same } = input;
      const { services, store, company, facts } = ctx;
      const order = { ...same, actor: 'MERCHANT', correlationId: facts.correlationId, priceLimit: limit } as const;
      return answerOnce(
        ctx,
        { operation: 'resolutions.choose', idempotencyKey: key, same },
        {
          run: async (bind) => {
            const chosen = await choose({ ...services, ...store }, company, {
              ...order,
              citySlots: services.config.deliveryWindows,
              bind,
            });
            const followUp = chosen.ok ? chosen.value.followUp : null;
            if (followUp !== null && same.shortAddress !== undefined) checkAddressLater(ctx, followUp.id);
            return chosen;
          },
          present: chosenAnswer,
        },
      );
    }),

  recall: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/recalls`,
        tags,
        summary: 'Take back a parcel that a driver has',
        description:
          'For a shipment in PICKED_UP or OUT_FOR_DELIVERY. It becomes DELIVERY_FAILED with the reason RECALLED, and the return begins at once: the header `Link` with `rel="related"` names it. Before the pickup, cancel the shipment.',
      },
      problems: [
        'INVALID_STATE_TRANSITION',
        'PRICE_LIMIT_EXCEEDED',
        'PRECONDITION_FAILED',
        'PRECONDITION_REQUIRED',
        ...KEY_PROBLEMS,
      ],
    })
    .input(
      request({ path: shipmentId, header: { ifMatch, idempotencyKey: optionalKey, priceLimit }, body: recallRequest }),
    )
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, ifMatch: precondition, priceLimit: limit, ...same } = input;
      const { services, store, company, facts } = ctx;
      return answerOnce(
        ctx,
        { operation: 'resolutions.recall', idempotencyKey: key, same },
        {
          run: async (_bind, claim) => {
            const command = await recallCommand({ ...services, ...store }, company, same);
            if (!command.ok) return command;
            const headers = { link: `<${locationOf(command.value.followUp.id)}>; rel="related"` };
            const recalled = await services.lane.execute(company, {
              shipmentId: same.shipmentId,
              command: command.value,
              actor: 'MERCHANT',
              precondition,
              correlationId: facts.correlationId,
              priceLimit: limit,
              claim: claim === undefined ? undefined : { ...claim, headers },
            });
            if (recalled.ok) Object.assign(ctx.reply.headers, headers);
            return recalled;
          },
          present: shipmentAnswer,
        },
      );
    }),

  returnItems: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/returns`,
        tags,
        summary: 'Take back items that were delivered',
        description: `For a DELIVERED shipment, within ${RETURN_DAYS} days. The return is a shipment of its own from the recipient to a pickup location, at the price of the tariff in force for its way. All returns of an item together are at most what was delivered; a cancelled return does not count.`,
      },
      successStatuses: [201, 200],
      problems: [
        'RETURN_QUANTITY_EXCEEDED',
        'INVALID_STATE_TRANSITION',
        'EXTERNAL_REFERENCE_CONFLICT',
        'PRICE_LIMIT_EXCEEDED',
        'BRANCH_INACTIVE',
        'REGISTRATION_INCOMPLETE',
        'ROUTING_PROVIDER_UNAVAILABLE',
        ...KEY_PROBLEMS,
      ],
    })
    .input(request({ path: shipmentId, header: { idempotencyKey: optionalKey, priceLimit }, body: returnRequest }))
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const { idempotencyKey: key, priceLimit: limit, ...same } = input;
      const { services, store, company, facts } = ctx;
      const order = { ...same, correlationId: facts.correlationId, priceLimit: limit };
      const dependencies = { ...services, ...store, routing: routingFor(services, store, company) };
      return answerOnce(
        ctx,
        { operation: 'resolutions.returnItems', idempotencyKey: key, same },
        { run: (bind) => returnItems(dependencies, company, { ...order, bind }), present: createdAnswer },
      );
    }),

  /** How many parcels wait for a decision, for the home page. */
  undecided: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(undecided))
    .query(async ({ ctx }) => orThrow(await readUndecided(ctx.store.database, ctx.company))),

  relations: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/relations`,
        tags,
        summary: 'Read which shipments carry the same parcel',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(relations))
    .query(async ({ ctx, input }) => orThrow(await readRelations(ctx.store, ctx.company, input.shipmentId))),
});

function chosenAnswer(chosen: Chosen): StoredAnswer<Shipment | Resolution> {
  if (chosen.followUp === null) return { status: 200, body: chosen.resolution, headers: {} };
  return createdAnswer(chosen.followUp);
}

function createdAnswer(row: ShipmentRow): StoredAnswer<Shipment> {
  const { body, headers } = shipmentAnswer(row);
  return { status: 201, body, headers: { ...headers, location: locationOf(row.id) } };
}
