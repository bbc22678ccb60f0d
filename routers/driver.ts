import * as z from 'zod';
import { unauthenticated } from '../src/access/authenticate.ts';
import {
  attemptRequest,
  driverActionRequest,
  driverChallenge,
  driverDutyRequest,
  driverOffer,
  driverPositionRequest,
  driverSession,
  driverSessionRequest,
  driverShipment,
  driverStanding,
  driverVerificationRequest,
} from '../src/contract/driver.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { uuid } from '../src/contract/values.ts';
import { ATTEMPT_AGAIN_MINUTES, CODE_ATTEMPTS_MAX, CODE_MINUTES, POSITION_SECONDS } from '../src/core/limits.ts';
import { orThrow } from '../src/core/problem.ts';
import { actOnShipment } from '../src/domain/drivers/act.ts';
import { attemptAgain } from '../src/domain/drivers/attempt.ts';
import { listDriverShipments, listOffers } from '../src/domain/drivers/lists.ts';
import { endDriverSession, startDriverSession, verifyDriverSession } from '../src/domain/drivers/session.ts';
import { changeOwnDuty, readStanding, reportPosition } from '../src/domain/drivers/standing.ts';
import { withCallNumbers } from '../src/domain/drivers/view.ts';
import { noteReplay } from './once.ts';
import { driverProcedure, publicProcedure, router } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/driver';
const tags = ['Drivers'];

/** Actions of drivers, on every deployment. */
export const driver = router({
  startSession: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sessions`,
        tags,
        summary: 'Send a one-time code to a driver’s phone',
        description:
          'The response is the same for an unknown phone. Request the next code of a phone after 60 seconds.',
      },
      successStatuses: [202],
      problems: ['OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: driverSessionRequest }))
    .output(answer(driverChallenge))
    .mutation(async ({ ctx, input }) => {
      const challenge = orThrow(
        await startDriverSession(
          { ...ctx.services, later: ctx.later },
          { phone: input.phone, address: ctx.facts.address ?? null },
        ),
      );
      ctx.reply.status = 202;
      return challenge;
    }),

  verifySession: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sessions/{challengeId}/verifications`,
        tags,
        summary: 'Sign a driver in with the code',
        description: `Ends the driver’s earlier sessions. After ${CODE_ATTEMPTS_MAX} wrong codes, or ${CODE_MINUTES} minutes, request a new code.`,
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED'],
    })
    .input(request({ path: { challengeId: uuid }, body: driverVerificationRequest }))
    .output(answer(driverSession))
    .mutation(async ({ ctx, input }) =>
      orThrow(await verifyDriverSession(ctx.services, { ...input, companyId: null })),
    ),

  signOut: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${PATH}/sessions/current`,
        tags,
        summary: 'Sign the driver out, and put the driver off duty',
      },
      successStatuses: [204],
    })
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      orThrow(await endDriverSession({ ...ctx.services, ...ctx.store }, ctx.driver));
      ctx.reply.status = 204;
      return null;
    }),

  getStanding: driverProcedure('reads')
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/me`,
        tags,
        summary: 'Get the driver’s own name, city, duty and number of active shipments',
      },
    })
    .input(request({}))
    .output(answer(driverStanding))
    .query(async ({ ctx }) => orThrow(await readStanding(ctx.store, ctx.driver))),

  setDuty: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'PUT',
        path: `${PATH}/duty`,
        tags,
        summary: 'Go on or off duty',
        description:
          'A driver off duty gets no offers and keeps the current shipments. Open offers end as declined, which does not count as a refusal.',
      },
    })
    .input(request({ body: driverDutyRequest }))
    .output(answer(driverStanding))
    .mutation(async ({ ctx, input }) => {
      const standing = orThrow(await changeOwnDuty({ ...ctx.services, ...ctx.store }, ctx.driver, input.onDuty));
      // Blocking a driver ends the session.
      if (standing === undefined) throw unauthenticated(ctx.facts.authorization);
      return standing;
    }),

  reportPosition: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/positions`,
        tags,
        summary: 'Report a position',
        description: `The latest position is stored every ${POSITION_SECONDS} seconds. It makes no event. A position that cannot be used is dropped: from the future, with \`accuracyMeters\` over 200, at 0,0, or farther than a vehicle gets.`,
      },
      successStatuses: [204],
    })
    .input(request({ body: driverPositionRequest }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await reportPosition({ ...ctx.services, ...ctx.store, later: ctx.later }, ctx.driver, input));
      ctx.reply.status = 204;
      return null;
    }),

  listOffers: driverProcedure('reads')
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/offers`,
        tags,
        summary: 'List the driver’s open offers, newest first',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(driverOffer)))
    .query(async ({ ctx, input }) => orThrow(await listOffers({ ...ctx.services, ...ctx.store }, ctx.driver, input))),

  listShipments: driverProcedure('reads')
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/shipments`,
        tags,
        summary: 'List the driver’s shipments, and then those that ended within the last hour',
        description: 'Each access to a recipient is recorded.',
      },
      problems: ['INVALID_CURSOR', 'LIMIT_OUT_OF_RANGE'],
    })
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(driverShipment)))
    .query(async ({ ctx, input }) => {
      const { data, page } = orThrow(await listDriverShipments({ ...ctx.services, ...ctx.store }, ctx.driver, input));
      return { data: data.map((shipment) => withCallNumbers(shipment, ctx.services.callNumbers)), page };
    }),

  act: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/shipments/{shipmentId}/actions`,
        tags,
        summary:
          'Accept, decline, release, arrive, pick up, depart, deliver, fail, confirm changes, or report a position',
        description:
          'Only FAIL has a reasonCode, and requires it. Every action may have a position; only the latest is kept, and a position that cannot be used never refuses the action. ARRIVE reports that the driver is at the pickup location (in ACCEPTED) or at the door (in OUT_FOR_DELIVERY); it changes neither state nor version, makes no event, and the first one counts. ACKNOWLEDGE confirms that the driver has read `changes`; it changes neither state nor version, and the first one counts. DELIVER of a shipment with an amount to collect also says what was `collected`; without it, the exact amount in cash. Another amount gets 422, for example after an amendment that the driver has not seen. A `proof` belongs to DELIVER and FAIL: `proofRequired` names what DELIVER needs, and with `attemptPolicy` EVIDENCE a failure at the door needs ARRIVE near the destination and a wait there; without it 422. A wrong PIN is counted, five for each PIN; a DELIVER repeated with the right PIN gets its answer again. Send a new `actionId` with each action. If the answer is lost, repeat the request with the same `actionId`: for 24 hours it does nothing more and returns the first state and version, with `Idempotency-Replayed: true`.',
      },
      problems: [
        'ACCESS_DENIED',
        'INVALID_STATE_TRANSITION',
        'IDEMPOTENCY_KEY_REUSED',
        'PROOF_REQUIRED',
        'PROOF_PIN_INVALID',
      ],
    })
    .input(request({ path: { shipmentId: uuid }, body: driverActionRequest }))
    .output(answer(driverShipment))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, correlationId: ctx.facts.correlationId };
      const { shipment, isReplayed } = orThrow(
        await actOnShipment({ ...ctx.services, ...ctx.store, later: ctx.later }, ctx.driver, order),
      );
      if (isReplayed) noteReplay(ctx);
      return withCallNumbers(shipment, ctx.services.callNumbers);
    }),

  attemptAgain: driverProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/shipments/{shipmentId}/attempts`,
        tags,
        summary: 'Try to deliver a shipment again that was reported as failed too early',
        description: `For ${ATTEMPT_AGAIN_MINUTES} minutes after the failure, while the driver has the parcel and nobody has decided what becomes of it. The new attempt is a shipment of its own and costs the merchant nothing. Repeat a lost answer with the same \`actionId\`.`,
      },
      successStatuses: [201, 200],
      problems: ['RESOLUTION_NOT_OPEN', 'RESOLUTION_ALREADY_CHOSEN', 'IDEMPOTENCY_KEY_REUSED'],
    })
    .input(request({ path: { shipmentId: uuid }, body: attemptRequest }))
    .output(answer(driverShipment))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, correlationId: ctx.facts.correlationId };
      const { shipment, isReplayed } = orThrow(
        await attemptAgain({ ...ctx.services, ...ctx.store }, ctx.driver, order),
      );
      ctx.reply.status = isReplayed ? 200 : 201;
      if (isReplayed) noteReplay(ctx);
      return withCallNumbers(shipment, ctx.services.callNumbers);
    }),
});
