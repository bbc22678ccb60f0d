import * as z from 'zod';
import { NO_SESSION_COOKIE, sessionCookie } from '../src/access/session-token.ts';
import { stopRequest } from '../src/contract/recovery.ts';
import { registrationEntered } from '../src/contract/registration.ts';
import {
  acceptanceRequest,
  currentSession,
  elevated,
  elevationChallenge,
  session,
  signedIn,
  signInChallenge,
  signInRequest,
  verificationRequest,
} from '../src/contract/session.ts';
import { uuid } from '../src/contract/values.ts';
import { namedActor } from '../src/core/acting-as.ts';
import { orThrow } from '../src/core/problem.ts';
import { stopRecovery } from '../src/domain/people/recovery/recovery.ts';
import { startAcceptance, verifyAcceptance } from '../src/domain/people/session/acceptance.ts';
import { startElevation, verifyElevation } from '../src/domain/people/session/elevation.ts';
import { listSessions, presentSession, SESSION_SECONDS, signOut } from '../src/domain/people/session/session.ts';
import { startSignIn, verifySignIn } from '../src/domain/people/session/sign-in.ts';
import { enterRegistration } from '../src/domain/registrations/entrance.ts';
import type { Context } from './context.ts';
import { publicProcedure, router, signedInProcedure, whereOf } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/company-authentication';
const tags = ['Sessions'];

/** Sign-in and sign-out of merchants' people and of operators. */
export const sessions = router({
  startSignIn: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sign-ins`,
        tags,
        summary: 'Send a one-time code to a person',
        description: 'The response is the same for an unknown e-mail address or mobile number.',
      },
      successStatuses: [202],
      problems: ['OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: signInRequest }))
    .output(answer(signInChallenge))
    .mutation(async ({ ctx, input }) => {
      const challenge = orThrow(await startSignIn({ ...ctx.services, later: ctx.later }, input, whereOf(ctx.facts)));
      ctx.reply.status = 202;
      return challenge;
    }),

  verifySignIn: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sign-ins/{challengeId}/verifications`,
        tags,
        summary: 'Sign a person in with the code',
        description: 'The response contains the session’s token, and sets it as a cookie for browsers.',
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED', 'SESSION_CHANGED'],
    })
    .input(request({ path: { challengeId: uuid }, body: verificationRequest }))
    .output(answer(signedIn))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, personId: namedActor(ctx.facts.actingAs)?.id };
      const begun = orThrow(await verifySignIn({ ...ctx.services, later: ctx.later }, order, whereOf(ctx.facts)));
      return withCookie(ctx, begun);
    }),

  /** Sends a code to the e-mail address of an invited person. The invitation is identified by the person's id. */
  startAcceptance: publicProcedure
    .input(request({ body: acceptanceRequest }))
    .output(answer(signInChallenge))
    .mutation(async ({ ctx, input }) =>
      orThrow(await startAcceptance({ ...ctx.services, later: ctx.later }, input, whereOf(ctx.facts))),
    ),

  /** Accepts an invitation by its code, and signs the person in. */
  verifyAcceptance: publicProcedure
    .input(request({ body: { challengeId: uuid, ...verificationRequest } }))
    .output(answer(signedIn))
    .mutation(async ({ ctx, input }) => {
      const begun = orThrow(await verifyAcceptance({ ...ctx.services, later: ctx.later }, input, whereOf(ctx.facts)));
      return withCookie(ctx, begun);
    }),

  /**
   * Completes a registration as `registrations.verify` does, and signs its owner in by the same code. Programs that register
   * merchants complete without a session.
   */
  enterRegistration: publicProcedure
    .input(request({ body: { registrationId: uuid, ...verificationRequest } }))
    .output(answer(registrationEntered))
    .mutation(async ({ ctx, input }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      const entered = orThrow(await enterRegistration(dependencies, { ...input, ...whereOf(ctx.facts) }));
      const { completed, sessionToken } = entered;
      if (sessionToken !== null) withCookie(ctx, { sessionToken });
      return { ...completed, isSignedIn: sessionToken !== null };
    }),

  /** Stops the recovery of an account by the token in its message. */
  stopRecovery: publicProcedure
    .input(request({ body: stopRequest }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      const stop = { by: 'token', ...input, where: whereOf(ctx.facts) } as const;
      orThrow(await stopRecovery(ctx.services, stop));
      return null;
    }),

  current: signedInProcedure('reads')
    .meta({
      openapi: { method: 'GET', path: `${PATH}/sessions/current`, tags, summary: 'Read the current session' },
    })
    .input(request({}))
    .output(answer(currentSession))
    .query(({ ctx }) => presentSession(ctx.person)),

  signOut: signedInProcedure('writes', 'admitted')
    .meta({
      openapi: { method: 'DELETE', path: `${PATH}/sessions/current`, tags, summary: 'Sign out' },
      successStatuses: [204],
    })
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      const { person, actor, company: scope } = ctx;
      const ended = await signOut(ctx.services, { scope, person, actor, sessionId: person.sessionId });
      // Another request has ended the session meanwhile, which counts as success.
      if (!ended.ok && ended.code !== 'RESOURCE_NOT_FOUND') orThrow(ended);
      ctx.reply.status = 204;
      ctx.reply.headers['set-cookie'] = NO_SESSION_COOKIE;
      return null;
    }),

  startElevation: signedInProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/assurance-elevations`,
        tags,
        summary: 'Send a code through the person’s other channel',
        description:
          'By SMS if the person signed in by e-mail, by e-mail if by SMS. The body is `{}`. 409 if that address or mobile is another person’s now.',
      },
      successStatuses: [202],
      problems: ['OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE', 'INVALID_STATE_TRANSITION'],
    })
    .input(request({ body: {} }))
    .output(answer(elevationChallenge))
    .mutation(async ({ ctx }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      const challenge = orThrow(await startElevation(dependencies, ctx.person, whereOf(ctx.facts)));
      ctx.reply.status = 202;
      return challenge;
    }),

  verifyElevation: signedInProcedure('writes')
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/assurance-elevations/{elevationId}/verifications`,
        tags,
        summary: 'Prove the second factor with its code',
        description: 'The session gets a new token. The previous token is no longer valid.',
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED'],
    })
    .input(request({ path: { elevationId: uuid }, body: verificationRequest }))
    .output(answer(elevated))
    .mutation(async ({ ctx, input }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      const order = { ...input, where: whereOf(ctx.facts) };
      return withCookie(ctx, orThrow(await verifyElevation(dependencies, ctx.person, order)));
    }),

  /** The sessions of the person. */
  list: signedInProcedure('reads')
    .input(request({}))
    .output(answer(z.array(session)))
    .query(async ({ ctx }) => orThrow(await listSessions(ctx.services, ctx.person))),

  /** Ends one of the person's sessions. */
  end: signedInProcedure('writes', 'admitted')
    .input(request({ body: { sessionId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      const { person, actor, company: scope } = ctx;
      orThrow(await signOut(ctx.services, { scope, person, actor, sessionId: input.sessionId }));
      return null;
    }),
});

/** Sends the token of a session that begins or goes on also as a cookie. */
export function withCookie<Begun extends { readonly sessionToken: string }>(
  ctx: Pick<Context, 'reply'>,
  begun: Begun,
): Begun {
  ctx.reply.headers['set-cookie'] = sessionCookie(begun.sessionToken, SESSION_SECONDS);
  return begun;
}
