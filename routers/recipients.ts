import * as z from 'zod';
import { recipientCookie, requireRecipient } from '../src/access/recipient-token.ts';
import { MEMBER, PROVED_OWNER } from '../src/access/require.ts';
import {
  changedDelivery,
  knownRecipient,
  knownRecipientRequest,
  recipientChallenge,
  recipientChange,
  recipientDelivery,
  recipientReply,
  recipientReturn,
  recipientReturnRequest,
  recipientSession,
  recipientSettings,
  refusalRequest,
} from '../src/contract/recipient.ts';
import { verificationRequest } from '../src/contract/session.ts';
import { instantOut, uuid } from '../src/contract/values.ts';
import { RETURN_DAYS, RETURN_DECISION_DAYS } from '../src/core/limits.ts';
import { part } from '../src/core/part.ts';
import { etagOf } from '../src/core/precondition.ts';
import { orThrow } from '../src/core/problem.ts';
import { routingFor } from '../src/domain/sandbox/fault/fault.ts';
import { findLinkedShipment, type LinkedShipment } from '../src/domain/tracking/linked-shipment.ts';
import { checkAddressLater } from './address-checks.ts';
import type { Context } from './context.ts';
import { ifMatch } from './headers.ts';
import { merchantProcedure, personProcedure, publicProcedureWithin, router } from './procedure.ts';
import { answer, request } from './request.ts';

const signIn = part(() => import('../src/domain/recipients/sign-in.ts'));
const deliveries = part(() => import('../src/domain/recipients/delivery.ts'));
const pins = part(() => import('../src/domain/proof/show-pin.ts'));
const changes = part(() => import('../src/domain/recipients/change.ts'));
const refusals = part(() => import('../src/domain/recipients/refusal.ts'));
const returns = part(() => import('../src/domain/recipients/return-request.ts'));
const known = part(() => import('../src/domain/recipients/known.ts'));
const settings = part(() => import('../src/domain/recipients/settings.ts'));

const PATH = '/v2/public/tracking/{token}';
const tags = ['Tracking'];
const token = { token: z.string() };
const LINK_PROBLEMS = ['TRACKING_LINK_UNAVAILABLE', 'RATE_LIMITED', 'ACCESS_DENIED'] as const;
const SESSION_PROBLEMS = [...LINK_PROBLEMS, 'AUTHENTICATION_REQUIRED'] as const;

/** What the recipient of a shipment does with a tracking link, after a code to the shipment's phone. */
export const recipients = router({
  startSignIn: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sign-ins`,
        tags,
        summary: 'Send a one-time code to the recipient',
        description:
          'To the phone of the shipment, because links are forwarded. For a link with permissions only. A new code replaces the one before. The body is `{}`.',
      },
      successStatuses: [202],
      problems: [...LINK_PROBLEMS, 'SHIPMENT_TERMINAL', 'OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ path: token, body: {} }))
    .output(answer(recipientChallenge))
    .mutation(async ({ ctx, input }) => {
      const { startRecipientSignIn } = await signIn();
      const challenge = orThrow(
        await startRecipientSignIn(signInDependencies(ctx), input.token, ctx.facts.address ?? null),
      );
      ctx.reply.status = 202;
      return challenge;
    }),

  verifySignIn: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sign-ins/{challengeId}/verifications`,
        tags,
        summary: 'Prove the shipment’s phone with the code',
        description:
          'The response contains a token for half an hour, and sets it as a cookie for browsers. It ends with the link, and when the shipment gets another phone.',
      },
      problems: [...LINK_PROBLEMS, 'OTP_INVALID', 'OTP_EXPIRED'],
    })
    .input(request({ path: { ...token, challengeId: uuid }, body: verificationRequest }))
    .output(answer(recipientSession))
    .mutation(async ({ ctx, input: { token: link, ...given } }) => {
      const { RECIPIENT_SECONDS, verifyRecipient } = await signIn();
      const session = orThrow(await verifyRecipient(signInDependencies(ctx), link, given));
      ctx.reply.headers['set-cookie'] = recipientCookie(session.recipientToken, RECIPIENT_SECONDS);
      return session;
    }),

  getDelivery: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'GET',
        path: `${PATH}/delivery`,
        tags,
        summary: 'Read the delivery as its recipient',
        description:
          'Needs the token of a recipient. It has the address, the instructions and what the recipient may change.',
      },
      security: 'recipient',
      problems: ['TRACKING_LINK_UNAVAILABLE'],
    })
    .input(request({ path: token }))
    .output(answer(recipientDelivery))
    .query(async ({ ctx, input }) => {
      const linked = await signedInRecipient(ctx, input.token);
      return showDelivery(ctx, linked);
    }),

  changeDelivery: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'PATCH',
        path: `${PATH}/delivery`,
        tags,
        summary: 'Change the delivery as its recipient',
        description:
          'Changes the members that are there. What costs the merchant more than the limit it has set waits for the merchant’s decision, and is in `awaitingMerchant`. The response never has a price. Values that are there already change nothing and get 200, whatever If-Match says.',
      },
      security: 'recipient',
      problems: [
        ...SESSION_PROBLEMS,
        'AMENDMENT_NOT_ALLOWED',
        'ROUTING_PROVIDER_UNAVAILABLE',
        'PRECONDITION_FAILED',
        'PRECONDITION_REQUIRED',
      ],
    })
    .input(request({ path: token, header: { ifMatch }, body: recipientChange }))
    .output(answer(changedDelivery))
    .mutation(async ({ ctx, input: { token: link, ifMatch: precondition, ...change } }) => {
      const linked = await signedInRecipient(ctx, link);
      const { scope, store, shipment } = linked;
      const { changeDelivery } = await changes();
      const { correlationId } = ctx.facts;
      const { permissions } = linked.link;
      const order = { shipmentId: shipment.id, permissions, change, precondition, correlationId };
      const routing = routingFor(ctx.services, store, scope);
      const changed = orThrow(await changeDelivery({ ...ctx.services, ...store, routing }, scope, order));
      if (changed.applied.some((name) => name.startsWith('LOCATION') || name === 'SHORT_ADDRESS'))
        checkAddressLater({ services: ctx.services, store, company: scope, later: ctx.later }, shipment.id);
      return {
        delivery: await showDelivery(ctx, linked),
        applied: [...changed.applied],
        awaitingMerchant: [...changed.awaitingMerchant],
      };
    }),

  refuse: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/refusals`,
        tags,
        summary: 'Say that the recipient does not want the shipment',
        description:
          'Once. The state of the shipment stays: the merchant gets an event and decides, and the driver sees it.',
      },
      security: 'recipient',
      successStatuses: [201],
      problems: [...SESSION_PROBLEMS, 'AMENDMENT_NOT_ALLOWED'],
    })
    .input(request({ path: token, body: refusalRequest }))
    .output(answer(z.strictObject({ refusedAt: instantOut })))
    .mutation(async ({ ctx, input: { token: link, ...refusal } }) => {
      const linked = await signedInRecipient(ctx, link);
      const { refuseDelivery } = await refusals();
      const { correlationId } = ctx.facts;
      const refused = orThrow(await refuseDelivery(ctx.services, linked, { ...refusal, correlationId }));
      ctx.reply.status = 201;
      return refused;
    }),

  askReturn: publicProcedureWithin('tracking')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/return-requests`,
        tags,
        summary: 'Ask the merchant to take items back',
        description: `After the delivery, for ${RETURN_DAYS} days, with the permission RETURN. The merchant has ${RETURN_DECISION_DAYS} days to decide, and gets an event. One request waits at a time, and after a rejection there is no other. The same wish again, as long as it waits, gets 200 with the request.`,
      },
      security: 'recipient',
      successStatuses: [201, 200],
      problems: [...SESSION_PROBLEMS, 'AMENDMENT_NOT_ALLOWED', 'RETURN_QUANTITY_EXCEEDED'],
    })
    .input(request({ path: token, body: recipientReturnRequest }))
    .output(answer(recipientReturn))
    .mutation(async ({ ctx, input: { token: link, ...wish } }) => {
      const linked = await signedInRecipient(ctx, link);
      const { askReturn } = await returns();
      const { correlationId } = ctx.facts;
      const asked = orThrow(await askReturn(ctx.services, linked, { ...wish, correlationId }));
      ctx.reply.status = asked.isRepeated ? 200 : 201;
      return asked.request;
    }),

  rejectReturn: merchantProcedure('shipments:write', 'writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: '/v2/external/shipments/{shipmentId}/return-request/rejections',
        tags,
        summary: 'Decline the return that a recipient asks for',
        description:
          'To agree, make the return with `POST …/returns`. The body is `{}`. Declining again gets 200 as well. 404 if the recipient did not ask.',
      },
      problems: ['RESOURCE_NOT_FOUND', 'AMENDMENT_NOT_ALLOWED'],
    })
    .input(request({ path: { shipmentId: uuid }, body: {} }))
    .output(answer(recipientReturn))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const { rejectReturn } = await returns();
      return orThrow(await rejectReturn({ ...services, ...store }, company, input.shipmentId));
    }),

  getReply: merchantProcedure('shipments:read', 'reads', MEMBER)
    .meta({
      openapi: {
        method: 'GET',
        path: '/v2/external/shipments/{shipmentId}/recipient-reply',
        tags,
        summary: 'Read what the recipient of a shipment has said',
        description:
          'Whether the recipient has confirmed the destination, whether they refuse the shipment, and what they ask to return.',
      },
    })
    .input(request({ path: { shipmentId: uuid } }))
    .output(answer(recipientReply))
    .query(async ({ ctx: { store, company }, input }) => {
      const { readReply } = await deliveries();
      return orThrow(await readReply(store, company, input.shipmentId));
    }),

  /** Recipients of the company's newest shipments with this mobile. A mutation, because the mobile would be in the address of a query. */
  findKnown: personProcedure('estimates', MEMBER)
    .input(request({ body: knownRecipientRequest }))
    .output(answer(z.array(knownRecipient)))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const { findKnownRecipients } = await known();
      const { config, directory, clock } = services;
      const dependencies = { config, directory, clock, database: store.database };
      return orThrow(await findKnownRecipients(dependencies, company, input.phone));
    }),

  /** What recipients may cost the company. */
  getSettings: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(z.strictObject(recipientSettings)))
    .query(async ({ ctx: { store, company } }) => {
      const { readRecipientSettings } = await settings();
      return orThrow(await readRecipientSettings(store.database, company));
    }),

  /** Sets it for changes from now on. */
  setSettings: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: recipientSettings }))
    .output(answer(z.strictObject(recipientSettings)))
    .mutation(async ({ ctx: { services, store, company }, input }) => {
      const { setRecipientSettings } = await settings();
      return orThrow(await setRecipientSettings({ ...services, ...store }, company, input));
    }),
});

function signInDependencies({ services, later, enterShard }: Context) {
  return { ...services, later, enterShard };
}

/** The shipment of a link, for a request with the token of its recipient. */
export async function signedInRecipient(ctx: Context, link: string): Promise<LinkedShipment> {
  const { services, facts, reply } = ctx;
  const linked = orThrow(await findLinkedShipment({ ...services, enterShard: ctx.enterShard }, link));
  const { credentialKey: key, baseUrl, deployment } = services.config;
  const { id: shipmentId, recipientPhone: phone } = linked.shipment;
  const check = { key, ownOrigin: new URL(baseUrl).origin, now: services.clock.now() };
  await requireRecipient(check, { shipmentId, linkId: linked.link.id, phone }, facts);
  if (deployment !== 'production') reply.sandboxClock = linked.store.clock;
  return linked;
}

async function showDelivery(
  { reply, services, facts: { locale } }: Context,
  { scope, store, shipment, link }: LinkedShipment,
) {
  const { presentDelivery, readDeliveryFacts } = await deliveries();
  const facts = orThrow(await readDeliveryFacts(store.database, scope, shipment.id));
  const { showPin } = await pins();
  const pin = orThrow(await showPin({ ...services, ...store }, scope, facts.standing.row, locale));
  const delivery = presentDelivery(facts, link.permissions, {
    now: store.clock.now(),
    slots: services.config.deliveryWindows,
    pin,
  });
  // Most of it changes without the version of the shipment.
  reply.headers['etag'] = etagOf(delivery.version, [JSON.stringify(delivery)]);
  return delivery;
}
