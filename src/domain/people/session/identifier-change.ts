import { tokenHashOf } from '../../../access/authenticate.ts';
import type { AnyPerson } from '../../../access/principal.ts';
import { requireStayingFactor } from '../../../access/require.ts';
import { newSessionToken } from '../../../access/session-token.ts';
import { addSeconds, formatInstant } from '../../../core/instant.ts';
import { HELD_HOURS } from '../../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { challengeAuditInsert } from '../../audit/store.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  makeChallenge,
  messagesUnavailable,
  quietly,
  sendNotice,
  tryChallenge,
  useGivenBack,
} from '../../challenges/challenge.ts';
import { identityHmacOf } from '../../challenges/code.ts';
import { codesOfAddress, codesOfIdentity } from '../../challenges/limit.ts';
import { personCodeTrial } from '../../challenges/store.ts';
import { identifierOf, notifyDisplaced } from '../identifier.ts';
import { holderOfIdentifier, identifiersOf } from '../identifier-store.ts';
import { identifierChange } from './identifier-change-store.ts';
import { idleSince } from './session.ts';
import type { SignInChallenge, Where } from './sign-in.ts';
import { identityOf, liveSession } from './store.ts';

/*
 * Promise: a person replaces an e-mail address or a mobile only with a recent proof of the other one and a code that was sent to the
 * new one. Until that code is answered, nothing changes. Afterwards the old one gets a message, other sessions and codes of the
 * person end, and for a day the person gives nothing away.
 */

/** Time for the person whose session or mailbox was taken over to read the message and to act. */
const HELD_SECONDS = HELD_HOURS * 3600;

/** Sends a code to the new e-mail address or mobile. The response is the same if it is another person's. */
export async function startIdentifierChange(
  dependencies: ChallengeDependencies,
  person: AnyPerson,
  { identifier: spelling, where: { address } }: { readonly identifier: string; readonly where: Where },
): Promise<Result<SignInChallenge>> {
  const { directory, messages, config, clock } = dependencies;
  const { identifier, channel } = identifierOf(spelling);
  requireStayingFactor(person, channel, clock.now());
  const silent = channelRefusal(messages, channel);
  if (silent !== undefined) return silent;
  const found = await directory.database.read(identityOf(person));
  if (!found.ok) return unavailable();
  // Its proof is an elevation.
  if ([found.rows[0]?.email, found.rows[0]?.mobile].includes(identifier)) return refuse('INVALID_STATE_TRANSITION');
  const ofPerson = await codesOfIdentity(config, person.personId);
  const made = await makeChallenge(dependencies, {
    purpose: 'IDENTIFIER_CHANGE',
    subject: await subjectOf(dependencies, person, identifier),
    personId: person.personId,
    channel,
    limits: [ofPerson, await codesOfIdentity(config, identifier), ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  if (!(await messages.send({ channel, recipient: identifier, purpose: 'IDENTIFIER_CHANGE', code }))) {
    await useGivenBack(dependencies, ofPerson, made.value);
    return messagesUnavailable();
  }
  return ok({ challengeId: id, expiresAt: formatInstant(expiresAt) });
}

/** A code belongs to the session and to the identifier it was sent to. The row holds neither in clear. */
function subjectOf({ config }: Pick<ChallengeDependencies, 'config'>, { sessionId }: AnyPerson, identifier: string) {
  return identityHmacOf(config.credentialKey, `change in ${sessionId} to ${identifier}`);
}

export interface IdentifierChanged {
  readonly sessionToken: string;
  readonly heldUntil: string;
}

export interface IdentifierChangeOrder {
  readonly identifier: string;
  readonly challengeId: Uuid;
  readonly otp: string;
  readonly where: Where;
}

/**
 * Replaces the identifier for the correct code. The session gets a new token. 409 if another person has proved the identifier, which
 * tells only somebody who has just read a message there.
 */
export async function changeIdentifier(
  dependencies: ChallengeDependencies,
  person: AnyPerson,
  { identifier: spelling, challengeId, otp, where }: IdentifierChangeOrder,
): Promise<Result<IdentifierChanged>> {
  const { directory, clock, random } = dependencies;
  const { identifier, channel } = identifierOf(spelling);
  const now = clock.now();
  requireStayingFactor(person, channel, now);
  const { personId, sessionId } = person;
  const before = await directory.database.readAll([
    identityOf(person),
    identifiersOf(personId),
    holderOfIdentifier(identifier, challengeId),
  ] as const);
  if (!before.ok) return unavailable();
  const [[identity], held, [holder]] = before.results;
  const sessionToken = newSessionToken(random);
  const tokenHash = await tokenHashOf(sessionToken);
  const heldUntil = addSeconds(now, HELD_SECONDS);
  const entry = { id: random.uuid(), action: 'identifier.changed', subject: personId, at: now, detail: { channel } };
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose: 'IDENTIFIER_CHANGE',
    subject: await subjectOf(dependencies, person, identifier),
    otp,
    answerHash: tokenHash,
    statementsOf: (trial) => [
      personCodeTrial(trial),
      ...identifierChange({ challengeId, tokenHash, personId, sessionId, channel, identifier, now, heldUntil }),
      challengeAuditInsert({ challengeId, answerHash: tokenHash }, where, entry),
    ],
  });
  if (!tried.ok) return tried;
  const changed = await directory.database.read(liveSession(tokenHash, now, idleSince(now)));
  if (!changed.ok) return unavailable();
  if (changed.rows.length === 0) return refuse('INVALID_STATE_TRANSITION');
  const old = channel === 'EMAIL' ? identity?.email : identity?.mobile;
  const recipient = held.find((one) => one.identifier === old)?.identifier;
  if (recipient !== undefined)
    await quietly(dependencies, sendNotice(dependencies, { channel, recipient, purpose: 'IDENTIFIER_CHANGED' }));
  await notifyDisplaced(dependencies, holder, channel);
  return ok({ sessionToken, heldUntil: formatInstant(heldUntil) });
}
