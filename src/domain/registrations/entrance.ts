import { tokenHashOf } from '../../access/authenticate.ts';
import { newSessionToken } from '../../access/session-token.ts';
import type { RegistrationCompleted } from '../../contract/registration.ts';
import { addSeconds } from '../../core/instant.ts';
import { ok, type Result } from '../../core/result.ts';
import { IDLE_SECONDS } from '../people/session/session.ts';
import { sessionStart } from '../people/session/sign-in.ts';
import { liveSession } from '../people/session/store.ts';
import { type CompletionDependencies, type CompletionOrder, complete } from './completion.ts';
import { challengeOwner } from './store.ts';

export interface Entered {
  readonly completed: RegistrationCompleted;
  /**
   * Null if the mobile signs in another person, because the code that was sent to it must not open a session here, or if it
   * is not known whether the session began.
   */
  readonly sessionToken: string | null;
}

/** Completes a registration, and signs its owner in by the code that has just proved the mobile. */
export async function enterRegistration(
  dependencies: CompletionDependencies,
  order: CompletionOrder,
): Promise<Result<Entered>> {
  const { directory, clock, random } = dependencies;
  const { registrationId: id, address, requestId } = order;
  const sessionToken = newSessionToken(random);
  const answerHash = await tokenHashOf(sessionToken);
  const done = await complete(dependencies, order, {
    answerHash,
    entering: (challengeId) => {
      const answered = { challengeId, answerHash };
      const begun = { where: { address, requestId }, action: 'session.signed_in' };
      return [challengeOwner({ id, ...answered }), ...sessionStart(dependencies, answered, begun).statements];
    },
  });
  if (!done.ok) return done;
  const now = clock.now();
  const begun = await directory.database.read(liveSession(answerHash, now, addSeconds(now, -IDLE_SECONDS)));
  // If the directory does not answer, the owner signs in as usual.
  return ok({ completed: done.value, sessionToken: begun.ok && begun.rows.length > 0 ? sessionToken : null });
}
