import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import {
  driverSession,
  driverSessionRequest,
  driverVerificationRequest,
  sandboxDriverChallenge,
} from '../src/contract/driver.ts';
import {
  clockAdvanceRequest,
  dispatchHoldRequest,
  dispatchSettingsRequest,
  faultRequest,
  sandboxAdvance,
  sandboxClock,
  sandboxFault,
  sandboxReadiness,
  sandboxScenario,
  scenarioRequest,
} from '../src/contract/sandbox.ts';
import { shipment } from '../src/contract/shipment.ts';
import { uuid } from '../src/contract/values.ts';
import { CODE_ATTEMPTS_MAX, CODE_MINUTES } from '../src/core/limits.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import type { Uuid } from '../src/core/uuid.ts';
import { verifyDriverSession } from '../src/domain/drivers/session.ts';
import { bootstrapSandbox, resetSandbox, setDispatchHold, setDispatchLead } from '../src/domain/sandbox/bootstrap.ts';
import { advanceClock, readClock } from '../src/domain/sandbox/clock/advance.ts';
import { startSandboxDriverSession } from '../src/domain/sandbox/driver-session.ts';
import { clearFaults, routingFor, setFault } from '../src/domain/sandbox/fault/fault.ts';
import { readReadiness } from '../src/domain/sandbox/readiness.ts';
import { releaseShipment } from '../src/domain/sandbox/release.ts';
import { startScenario } from '../src/domain/sandbox/scenario/start.ts';
import { presentShipment } from '../src/domain/shipments/view.ts';
import { checkOne } from '../src/service/address-checks.ts';
import { router, sandboxProcedure } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/external/sandbox';
/** What the clock of a sandbox governs. */
const VIRTUAL =
  'Shipments, offers, waits, prices, tracking links, scenarios and the schedule of webhooks follow it. Tokens, sessions, codes, rate limits, idempotency keys, signatures and the audit keep the real time.';
const tags = ['Sandbox'];
const shipmentId = { shipmentId: uuid };

/** A company's sandbox. It does not exist on production. */
export const sandbox = router({
  bootstrap: sandboxProcedure('writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/bootstrap`,
        tags,
        summary: 'Create the fixtures that a shipment needs',
        description: 'Accepts a token of any scope. The request has no body. Later calls return the existing fixtures.',
      },
      successStatuses: [201, 200],
    })
    .input(request({}))
    .output(answer(sandboxReadiness))
    .mutation(async ({ ctx }) => {
      const { isNew, readiness } = orThrow(await bootstrapSandbox({ ...ctx.services, ...ctx.store }, ctx.company));
      ctx.reply.status = isNew ? 201 : 200;
      return readiness;
    }),

  readiness: sandboxProcedure('reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/readiness`,
        tags,
        summary: 'Read which fixtures are ready',
        description: 'Accepts a token of any scope.',
      },
    })
    .input(request({}))
    .output(answer(sandboxReadiness))
    .query(async ({ ctx }) => orThrow(await readReadiness({ ...ctx.services, ...ctx.store }, ctx.company))),

  setDispatchHold: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'PUT',
        path: `${PATH}/dispatch-hold`,
        tags,
        summary: 'Hold the next shipment before any driver offer',
        description:
          'The next creation consumes the hold. That shipment stays READY_FOR_DISPATCH until it is released.',
      },
      problems: ['SANDBOX_NOT_READY'],
    })
    .input(request({ body: dispatchHoldRequest }))
    .output(answer(sandboxReadiness))
    .mutation(async ({ ctx, input }) =>
      orThrow(await setDispatchHold({ ...ctx.services, ...ctx.store }, ctx.company, input.held)),
    ),

  setDispatchSettings: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'PUT',
        path: `${PATH}/dispatch-settings`,
        tags,
        summary: 'Set when the search for a driver begins',
        description:
          'For shipments created from now on: the search begins leadSeconds before the pickup window, or with null at once. A reset sets null.',
      },
      problems: ['SANDBOX_NOT_READY'],
    })
    .input(request({ body: dispatchSettingsRequest }))
    .output(answer(sandboxReadiness))
    .mutation(async ({ ctx, input }) =>
      orThrow(await setDispatchLead({ ...ctx.services, ...ctx.store }, ctx.company, input.leadSeconds)),
    ),

  reset: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/resets`,
        tags,
        summary: 'Start the next generation of the fixtures',
        description:
          'The request has no body. Ends hold, faults, scenarios and driver sessions. Shipments do not change.',
      },
      problems: ['SANDBOX_NOT_READY'],
    })
    .input(request({}))
    .output(answer(sandboxReadiness))
    .mutation(async ({ ctx }) => orThrow(await resetSandbox({ ...ctx.services, ...ctx.store }, ctx.company))),

  releaseDispatch: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/shipments/{shipmentId}/dispatch-releases`,
        tags,
        summary: 'Release a held shipment to dispatch',
        description: 'The request has no body. A shipment that is not held does not change.',
      },
    })
    .input(request({ path: shipmentId }))
    .output(answer(shipment))
    .mutation(async ({ ctx, input }) => {
      const row = orThrow(await releaseShipment({ ...ctx.services, ...ctx.store }, ctx.company, input.shipmentId));
      ctx.reply.headers['etag'] = etagOf(row.version);
      return presentShipment(row);
    }),

  readClock: sandboxProcedure('reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/clock`,
        tags,
        summary: 'Read the clock of the sandbox',
        description: `The time of this company, and what the service does next. ${VIRTUAL}`,
      },
    })
    .input(request({}))
    .output(answer(sandboxClock))
    .query(async ({ ctx }) => orThrow(await readClock({ ...ctx.services, ...ctx.store }, ctx.company))),

  advanceClock: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/clock/advances`,
        tags,
        summary: 'Advance the clock of the sandbox',
        description:
          'Send exactly one member: `seconds`, `to`, or `untilNext` (true, or a kind of due work). The service runs all work that is due until then, in order and each at its own instant. Then the clock continues from the target. Read the clock until its state is READY. The clock never goes back, also not by a reset.',
      },
      successStatuses: [202],
      problems: ['SANDBOX_NOT_READY', 'CLOCK_ADVANCING'],
    })
    .input(request({ body: clockAdvanceRequest }))
    .output(answer(sandboxAdvance))
    .mutation(async ({ ctx, input }) => {
      const advance = orThrow(await advanceClock({ ...ctx.services, ...ctx.store }, ctx.company, input));
      ctx.reply.status = 202;
      ctx.reply.headers['location'] = `${PATH}/clock`;
      return advance;
    }),

  startDriverSession: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/driver-sessions`,
        tags,
        summary: 'Get a one-time code for the sandbox’s driver',
        description:
          'The phone is sandboxDriverPhone of the readiness; any other is refused. The response contains the code.',
      },
      successStatuses: [202],
      problems: ['SANDBOX_NOT_READY', 'OTP_RATE_LIMITED'],
    })
    .input(request({ body: driverSessionRequest }))
    .output(answer(sandboxDriverChallenge))
    .mutation(async ({ ctx, input }) => {
      // Codes have the real time.
      const dependencies = { ...ctx.store, ...ctx.services };
      const order = { phone: input.phone, address: ctx.facts.address ?? null };
      const challenge = orThrow(await startSandboxDriverSession(dependencies, ctx.company, order));
      ctx.reply.status = 202;
      return challenge;
    }),

  verifyDriverSession: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/driver-sessions/{challengeId}/verifications`,
        tags,
        summary: 'Sign the sandbox’s driver in with the code',
        description: `After ${CODE_ATTEMPTS_MAX} wrong codes, or ${CODE_MINUTES} minutes, request a new code.`,
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED'],
    })
    .input(request({ path: { challengeId: uuid }, body: driverVerificationRequest }))
    .output(answer(driverSession))
    .mutation(async ({ ctx, input }) =>
      orThrow(await verifyDriverSession(ctx.services, { ...input, companyId: ctx.company.companyId })),
    ),

  startScenario: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/shipments/{shipmentId}/scenarios`,
        tags,
        summary: 'Run a scenario for a shipment',
        description:
          'Every step is a real transition with its event, `stepSeconds` after the previous one. A later scenario replaces an earlier one. ADDRESS_MISMATCH first sets a National Address in another city, which becomes MISMATCH. Under the policy REQUIRED the shipment then waits, until another address is set; after that, and under other policies, it is delivered. WINDOW_MISSED asks for the first delivery window that is offered, unless there is one; the driver agrees to it by accepting, and delivers a second after its end. Advance the clock until then. It can start until a driver has accepted the shipment. In WRONG_PIN the driver is told a wrong PIN until no try is left, and fails with OTHER; in ATTEMPT_WITHOUT_PROOF the driver fails without having been at the door, so the record has no evidence. Other failures arrive and wait first. In RECALLED the merchant takes the parcel back on its way, and the same driver carries the return back; it is refused for a return.',
      },
      successStatuses: [202],
      problems: ['SANDBOX_NOT_READY', 'SHIPMENT_TERMINAL', 'INVALID_STATE_TRANSITION', 'AMENDMENT_NOT_ALLOWED'],
    })
    .input(request({ path: shipmentId, body: scenarioRequest }))
    .output(answer(sandboxScenario))
    .mutation(async ({ ctx, input }) => {
      const { services, store, company: scope, facts } = ctx;
      const compareAddress = (shipmentId: Uuid) => checkOne(services, store, { scope, shipmentId });
      const dependencies = { ...services, ...store, routing: routingFor(services, store, scope), compareAddress };
      const order = { ...input, correlationId: facts.correlationId };
      const scenario = orThrow(await startScenario(dependencies, scope, order));
      ctx.reply.status = 202;
      return scenario;
    }),

  setFault: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/faults`,
        tags,
        summary: 'Make the next uses of a provider fail',
        description: 'For this company only. A later request for the same provider replaces an earlier one.',
      },
      successStatuses: [201],
    })
    .input(request({ body: faultRequest }))
    .output(answer(sandboxFault))
    .mutation(async ({ ctx, input }) => {
      const fault = orThrow(await setFault({ ...ctx.services, ...ctx.store }, ctx.company, input));
      ctx.reply.status = 201;
      return fault;
    }),

  clearFaults: sandboxProcedure('writes', MEMBER, 'shipments:write')
    .meta({
      openapi: {
        method: 'DELETE',
        path: `${PATH}/faults`,
        tags,
        summary: 'Remove all faults',
        description: 'The request has no body.',
      },
      successStatuses: [204],
    })
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      orThrow(await clearFaults({ ...ctx.services, ...ctx.store }, ctx.company));
      ctx.reply.status = 204;
      return null;
    }),
});
