import * as z from 'zod';
import { MEMBER } from '../src/access/require.ts';
import { NO_SESSION_COOKIE, sessionCookie } from '../src/access/session-token.ts';
import {
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
import { orThrow } from '../src/core/problem.ts';
import { startElevation, verifyElevation } from '../src/domain/people/session/elevation.ts';
import { listSessions, readCurrentSession, SESSION_SECONDS, signOut } from '../src/domain/people/session/session.ts';
import { startSignIn, verifySignIn } from '../src/domain/people/session/sign-in.ts';
import type { Context } from './context.ts';
import { personProcedure, publicProcedure, router, whereOf } from './procedure.ts';
import { answer, request } from './request.ts';

const PATH = '/v2/company-authentication';
const tags = ['Sessions'];

/** How a merchant's people sign in and out. */
export const sessions = router({
  startSignIn: publicProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/sign-ins`,
        tags,
        summary: 'Send a one-time code to a person',
        description: 'The answer is the same for an e-mail address or a mobile that belongs to nobody.',
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
        summary: 'Sign a person in by the code',
        description: 'The session’s token comes in the answer, for programs, and as a cookie, for browsers.',
      },
      problems: ['OTP_INVALID', 'OTP_EXPIRED'],
    })
    .input(request({ path: { challengeId: uuid }, body: verificationRequest }))
    .output(answer(signedIn))
    .mutation(async ({ ctx, input }) => {
      const begun = orThrow(await verifySignIn({ ...ctx.services, later: ctx.later }, input, whereOf(ctx.facts)));
      return withCookie(ctx, begun);
    }),

  current: personProcedure('reads', MEMBER)
    .meta({
      openapi: { method: 'GET', path: `${PATH}/sessions/current`, tags, summary: 'Tell whose session this is' },
    })
    .input(request({}))
    .output(answer(currentSession))
    .query(async ({ ctx }) => orThrow(await readCurrentSession(ctx.services, ctx.person))),

  signOut: personProcedure('writes', MEMBER)
    .meta({
      openapi: { method: 'DELETE', path: `${PATH}/sessions/current`, tags, summary: 'Sign out' },
      successStatuses: [204],
    })
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      const { person, actor } = ctx;
      const ended = await signOut(ctx.services, ctx.company, { person, actor, sessionId: person.sessionId });
      // Gone since the token was looked at: another request has signed out, and this one wanted nothing else.
      if (!ended.ok && ended.code !== 'RESOURCE_NOT_FOUND') orThrow(ended);
      ctx.reply.status = 204;
      ctx.reply.headers['set-cookie'] = NO_SESSION_COOKIE;
      return null;
    }),

  startElevation: personProcedure('writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/assurance-elevations`,
        tags,
        summary: 'Send a code by the person’s other channel',
        description: 'By SMS when the session was signed in by e-mail, by e-mail when by SMS. The body is `{}`.',
      },
      successStatuses: [202],
      problems: ['OTP_RATE_LIMITED', 'MESSAGE_PROVIDER_UNAVAILABLE'],
    })
    .input(request({ body: {} }))
    .output(answer(elevationChallenge))
    .mutation(async ({ ctx }) => {
      const dependencies = { ...ctx.services, later: ctx.later };
      const challenge = orThrow(await startElevation(dependencies, ctx.person, whereOf(ctx.facts)));
      ctx.reply.status = 202;
      return challenge;
    }),

  verifyElevation: personProcedure('writes', MEMBER)
    .meta({
      openapi: {
        method: 'POST',
        path: `${PATH}/assurance-elevations/{elevationId}/verifications`,
        tags,
        summary: 'Prove the second factor by its code',
        description: 'The session gets another token; the one before is of no use any more.',
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

  /** Where the person is signed in. */
  list: personProcedure('reads', MEMBER)
    .input(request({}))
    .output(answer(z.array(session)))
    .query(async ({ ctx }) => orThrow(await listSessions(ctx.services, ctx.person))),

  /** Ends one of the person's sessions, wherever it is. */
  end: personProcedure('writes', MEMBER)
    .input(request({ body: { sessionId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      const { person, actor } = ctx;
      orThrow(await signOut(ctx.services, ctx.company, { person, actor, sessionId: input.sessionId }));
      return null;
    }),
});

function withCookie<Begun extends { readonly sessionToken: string }>(ctx: Pick<Context, 'reply'>, begun: Begun): Begun {
  ctx.reply.headers['set-cookie'] = sessionCookie(begun.sessionToken, SESSION_SECONDS);
  return begun;
}
