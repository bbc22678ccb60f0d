import * as z from 'zod';
import { OWNER, PROVED_OWNER } from '../src/access/require.ts';
import { auditEntry, setUp } from '../src/contract/audit.ts';
import { pageOf, pageRequest } from '../src/contract/page.ts';
import { person, personRequest } from '../src/contract/person.ts';
import { ROLES } from '../src/contract/person-role.ts';
import { recovery } from '../src/contract/recovery.ts';
import {
  identifierChanged,
  identifierChangeRequest,
  memberSignIns,
  signInChallenge,
  verificationRequest,
} from '../src/contract/session.ts';
import { uuid } from '../src/contract/values.ts';
import { orThrow } from '../src/core/problem.ts';
import { listAudit, listSetUp } from '../src/domain/audit/audit.ts';
import { addPerson, changeRole, inviteAgain, listPeople, removePerson } from '../src/domain/people/people.ts';
import { readRecovery, stopRecovery } from '../src/domain/people/recovery/recovery.ts';
import { changeIdentifier, startIdentifierChange } from '../src/domain/people/session/identifier-change.ts';
import { endMemberSession, listSignIns } from '../src/domain/people/session/session.ts';
import { personProcedure, router, signedInProcedure, whereOf } from './procedure.ts';
import { answer, request } from './request.ts';
import { withCookie } from './sessions.ts';

/**
 * The people of a company, for its owners. Only over tRPC, which the console uses. A change needs a second factor,
 * because a new owner has all rights of the first one.
 */
export const people = router({
  list: personProcedure('reads', OWNER)
    .input(request({}))
    .output(answer(z.array(person)))
    .query(async ({ ctx }) => orThrow(await listPeople(ctx.services, ctx.company))),

  /** Where they are signed in, and when they last signed in. */
  signIns: personProcedure('reads', OWNER)
    .input(request({}))
    .output(answer(memberSignIns))
    .query(async ({ ctx }) => orThrow(await listSignIns(ctx.services, ctx.company, ctx.person))),

  add: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: personRequest }))
    .output(answer(person))
    .mutation(async ({ ctx, input }) =>
      orThrow(await addPerson({ ...ctx.services, later: ctx.later }, ctx.company, input)),
    ),

  /** Sends the invitation of a person again, unless the person can sign in. */
  invite: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: { personId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await inviteAgain({ ...ctx.services, later: ctx.later }, ctx.company, input.personId));
      return null;
    }),

  changeRole: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: { personId: uuid, role: z.enum(ROLES) } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await changeRole(ctx.services, ctx.company, input));
      return null;
    }),

  /** Sends a code to the new e-mail address or mobile of the person who asks. The other one was proved at most ten minutes ago. */
  startIdentifierChange: signedInProcedure('writes')
    .input(request({ body: identifierChangeRequest }))
    .output(answer(signInChallenge))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, where: whereOf(ctx.facts) };
      return orThrow(await startIdentifierChange({ ...ctx.services, later: ctx.later }, ctx.person, order));
    }),

  /** Replaces the person's own e-mail address or mobile by the one that the code was sent to. The session gets a new token. */
  changeIdentifier: signedInProcedure('writes')
    .input(request({ body: { ...identifierChangeRequest, challengeId: uuid, ...verificationRequest } }))
    .output(answer(identifierChanged))
    .mutation(async ({ ctx, input }) => {
      const order = { ...input, where: whereOf(ctx.facts) };
      const dependencies = { ...ctx.services, later: ctx.later };
      return withCookie(ctx, orThrow(await changeIdentifier(dependencies, ctx.person, order)));
    }),

  /** The recovery that an operator has begun for the person who asks; null if there is none. */
  recovery: signedInProcedure('reads')
    .input(request({}))
    .output(answer(z.nullable(recovery)))
    .query(async ({ ctx }) => orThrow(await readRecovery(ctx.services, ctx.person.personId))),

  /** Stops it. */
  stopRecovery: signedInProcedure('writes', 'admitted')
    .input(request({}))
    .output(answer(z.null()))
    .mutation(async ({ ctx }) => {
      const { person, actor } = ctx;
      const stop = { by: 'person', personId: person.personId, actor } as const;
      orThrow(await stopRecovery(ctx.services, stop));
      return null;
    }),

  /** Ends a session of a person of the company, which is refused from its next request on. */
  endSession: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: { sessionId: uuid } }))
    .output(answer(z.null()))
    .mutation(async ({ ctx, input }) => {
      orThrow(await endMemberSession(ctx.services, ctx.company, input.sessionId));
      return null;
    }),

  /** Removes a person and returns what they had created, because its secrets may need a rotation. */
  remove: personProcedure('writes', PROVED_OWNER)
    .input(request({ body: { personId: uuid } }))
    .output(answer(z.strictObject({ setUp: z.array(setUp) })))
    .mutation(async ({ ctx, input }) => {
      const { services, company, store } = ctx;
      const known = orThrow(await listSetUp({ ...services, ...store }, company, input.personId));
      orThrow(await removePerson(services, company, input));
      return { setUp: known };
    }),
});

/** The audit of a company, for its owners. */
export const audit = router({
  list: personProcedure('reads', OWNER)
    .input(request({ query: pageRequest }))
    .output(answer(pageOf(auditEntry)))
    .query(async ({ ctx, input }) => orThrow(await listAudit({ ...ctx.services, ...ctx.store }, ctx.company, input))),
});
