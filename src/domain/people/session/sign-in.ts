import { tokenHashOf } from '../../../access/authenticate.ts';
import { newSessionToken } from '../../../access/session-token.ts';
import type { MessageChannel } from '../../../contract/message.ts';
import type { SignInRequest } from '../../../contract/session.ts';
import { addSeconds, formatInstant } from '../../../core/instant.ts';
import { toE164 } from '../../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { type Actor, challengeAuditInsert } from '../../audit/store.ts';
import {
  type ChallengeDependencies,
  makeChallenge,
  messagesUnavailable,
  sendQuietly,
  tryChallenge,
} from '../../challenges/challenge.ts';
import { identityHmacOf } from '../../challenges/code.ts';
import { codesOfAddress, codesOfIdentity } from '../../challenges/limit.ts';
import { challengeById, personCodeTrial } from '../../challenges/store.ts';
import { SESSION_SECONDS } from './session.ts';
import { identifierProof, liveSession, sessionInsert } from './store.ts';

/** Where a request comes from. */
export type Where = Pick<Actor, 'address' | 'requestId'>;

export interface SignInChallenge {
  readonly challengeId: Uuid;
  readonly expiresAt: string;
}

/**
 * Sends a code to the person that an e-mail address or a mobile belongs to. An unknown identifier is counted, stored and
 * answered alike.
 */
export async function startSignIn(
  dependencies: ChallengeDependencies,
  { identifier: spelling, deviceReference }: SignInRequest,
  { address }: Where,
): Promise<Result<SignInChallenge>> {
  const { directory, messages, config } = dependencies;
  // Before anything is looked up: without a provider it is the same for everybody.
  if (messages.provider === 'none') return messagesUnavailable();
  const { identifier, channel } = identifierOf(spelling);
  const made = await makeChallenge(dependencies, {
    purpose: 'SIGN_IN',
    subject: await identityHmacOf(config.credentialKey, identifier),
    identifier,
    channel,
    deviceReference,
    limits: [await codesOfIdentity(config, identifier), ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  const kept = await directory.database.read(challengeById(id));
  if (!kept.ok) return unavailable();
  if (kept.rows[0]?.personId != null)
    await sendQuietly(dependencies, { channel, recipient: identifier, purpose: 'SIGN_IN', code });
  return ok({ challengeId: id, expiresAt: formatInstant(expiresAt) });
}

function identifierOf(spelling: string): { readonly identifier: string; readonly channel: MessageChannel } {
  return spelling.includes('@')
    ? { identifier: spelling.toLowerCase(), channel: 'EMAIL' }
    : { identifier: toE164(spelling), channel: 'SMS' };
}

export interface SignedIn {
  readonly sessionToken: string;
  readonly expiresAt: string;
  readonly assuranceLevel: 'AAL1';
}

/** A session for the right code: a token that only its holder will ever have seen. */
export async function verifySignIn(
  dependencies: ChallengeDependencies,
  { challengeId, otp }: { readonly challengeId: Uuid; readonly otp: string },
  where: Where,
): Promise<Result<SignedIn>> {
  const { directory, clock, random } = dependencies;
  const sessionToken = newSessionToken(random);
  const tokenHash = await tokenHashOf(sessionToken);
  const now = clock.now();
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  const sessionId = random.uuid();
  const entry = { id: random.uuid(), action: 'session.signed_in', subject: sessionId, at: now, detail: {} };
  const answered = { challengeId, answerHash: tokenHash };
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose: 'SIGN_IN',
    subject: null,
    otp,
    answerHash: tokenHash,
    statementsOf: (trial) => [
      personCodeTrial(trial),
      sessionInsert({ id: sessionId, challengeId, tokenHash, now, expiresAt }),
      identifierProof({ challengeId, tokenHash, now }),
      challengeAuditInsert(answered, where, entry),
    ],
  });
  if (!tried.ok) return tried;
  const begun = await directory.database.read(liveSession(tokenHash, now, addSeconds(now, -1)));
  if (!begun.ok) return unavailable();
  // The person was removed since the code was asked for.
  if (begun.rows.length === 0) return refuse('OTP_EXPIRED');
  return ok({ sessionToken, expiresAt: formatInstant(expiresAt), assuranceLevel: 'AAL1' });
}
