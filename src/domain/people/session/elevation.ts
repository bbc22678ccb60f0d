import { tokenHashOf } from '../../../access/authenticate.ts';
import type { AnyPerson } from '../../../access/principal.ts';
import { newSessionToken } from '../../../access/session-token.ts';
import type { MessageChannel } from '../../../contract/message.ts';
import { addSeconds, formatInstant } from '../../../core/instant.ts';
import { FRESH_MINUTES } from '../../../core/limits.ts';
import { maskPhone } from '../../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { challengeAuditInsert } from '../../audit/store.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  makeChallenge,
  messagesUnavailable,
  tryChallenge,
  useGivenBack,
} from '../../challenges/challenge.ts';
import { codesOfAddress, codesOfIdentity } from '../../challenges/limit.ts';
import { personCodeTrial } from '../../challenges/store.ts';
import { notifyDisplaced } from '../identifier.ts';
import { holderOfChallenge, identifierProof } from '../identifier-store.ts';
import type { Where } from './sign-in.ts';
import { identityOf, sessionElevation } from './store.ts';

export interface ElevationChallenge {
  readonly elevationId: Uuid;
  readonly channel: MessageChannel;
  readonly maskedDestination: string;
  readonly expiresAt: string;
}

/** Sends a code by the channel that the sign-in did not use, so that both channels are proved. */
export async function startElevation(
  dependencies: ChallengeDependencies,
  person: AnyPerson,
  { address }: Where,
): Promise<Result<ElevationChallenge>> {
  const { directory, messages, config } = dependencies;
  const found = await directory.database.read(identityOf(person));
  if (!found.ok) return unavailable();
  const [identity] = found.rows;
  if (identity === undefined) throw new Error('A live session has a person');
  const channel = person.channel === 'EMAIL' ? 'SMS' : 'EMAIL';
  const recipient = channel === 'SMS' ? identity.mobile : identity.email;
  // It is another person's now. The person replaces it first.
  if (recipient === '') return refuse('INVALID_STATE_TRANSITION');
  const silent = channelRefusal(messages, channel);
  if (silent !== undefined) return silent;
  const ofPerson = await codesOfIdentity(config, person.personId);
  const made = await makeChallenge(dependencies, {
    purpose: 'ELEVATION',
    subject: person.sessionId,
    personId: person.personId,
    channel,
    limits: [ofPerson, ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  const isSent = await messages.send({ channel, recipient, purpose: 'ELEVATION', code });
  if (!isSent) {
    await useGivenBack(dependencies, ofPerson, made.value);
    return messagesUnavailable();
  }
  const maskedDestination = channel === 'SMS' ? maskPhone(recipient) : maskEmail(recipient);
  return ok({ elevationId: id, channel, maskedDestination, expiresAt: formatInstant(expiresAt) });
}

/** The first character of an e-mail address, eight asterisks and the domain. */
function maskEmail(email: string): string {
  return `${email.slice(0, 1)}********${email.slice(email.lastIndexOf('@'))}`;
}

export interface Elevated {
  readonly assuranceLevel: 'AAL2';
  readonly freshUntil: string;
  readonly sessionToken: string;
}

/**
 * Raises the session to AAL2 for the correct code, which also proves its identifier. The session gets a new token, and
 * the previous token becomes invalid (OWASP: session fixation).
 */
export async function verifyElevation(
  dependencies: ChallengeDependencies,
  { sessionId, channel }: AnyPerson,
  { elevationId, otp, where }: { readonly elevationId: Uuid; readonly otp: string; readonly where: Where },
): Promise<Result<Elevated>> {
  const { directory, clock, random } = dependencies;
  const sessionToken = newSessionToken(random);
  const tokenHash = await tokenHashOf(sessionToken);
  const now = clock.now();
  const freshUntil = addSeconds(now, FRESH_MINUTES * 60);
  const entry = { id: random.uuid(), action: 'session.elevated', subject: sessionId, at: now, detail: {} };
  const holder = await directory.database.read(holderOfChallenge(elevationId));
  if (!holder.ok) return unavailable();
  const tried = await tryChallenge(dependencies, {
    challengeId: elevationId,
    purpose: 'ELEVATION',
    subject: sessionId,
    otp,
    answerHash: tokenHash,
    statementsOf: (trial) => [
      personCodeTrial(trial),
      ...identifierProof({ challengeId: elevationId, tokenHash, now }),
      sessionElevation({ id: sessionId, challengeId: elevationId, tokenHash, freshUntil }),
      challengeAuditInsert({ challengeId: elevationId, answerHash: tokenHash }, where, entry),
    ],
  });
  if (!tried.ok) return tried;
  if (tried.value.answerHash !== tokenHash) return refuse('OTP_EXPIRED');
  await notifyDisplaced(dependencies, holder.rows[0], channel === 'EMAIL' ? 'SMS' : 'EMAIL');
  // The person has signed out meanwhile: the new token is invalid, and the next request gets 401.
  return ok({ assuranceLevel: 'AAL2', freshUntil: formatInstant(freshUntil), sessionToken });
}
