import type { WriteStatement } from '../../../../db/statement.ts';
import { tokenHashOf } from '../../../access/authenticate.ts';
import type { AuditActor } from '../../../access/principal.ts';
import { newSessionToken } from '../../../access/session-token.ts';
import type { SignInRequest } from '../../../contract/session.ts';
import { addSeconds, formatInstant, type Instant } from '../../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { challengeAuditInsert } from '../../audit/store.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  makeChallenge,
  sendQuietly,
  tryChallenge,
} from '../../challenges/challenge.ts';
import { identityHmacOf } from '../../challenges/code.ts';
import { codesOfAddress, codesOfIdentity } from '../../challenges/limit.ts';
import { challengeById, personCodeTrial } from '../../challenges/store.ts';
import { identifierOf } from '../identifier.ts';
import { identifierProof } from '../identifier-store.ts';
import { SESSION_SECONDS } from './session.ts';
import { liveSession, sessionInsert } from './store.ts';

/** Where a request comes from. */
export type Where = Pick<AuditActor, 'address' | 'requestId'>;

export interface SignInChallenge {
  readonly challengeId: Uuid;
  readonly expiresAt: string;
}

/**
 * Sends a code to the person of an e-mail address or a mobile. An unknown identifier is counted, stored and answered in
 * the same way.
 */
export async function startSignIn(
  dependencies: ChallengeDependencies,
  { identifier: spelling, deviceReference }: SignInRequest,
  { address }: Where,
): Promise<Result<SignInChallenge>> {
  const { directory, messages, config } = dependencies;
  // Checked before any lookup, so that the answer without a provider is the same for every caller.
  const { identifier, channel } = identifierOf(spelling);
  const silent = channelRefusal(messages, channel);
  if (silent !== undefined) return silent;
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

export interface SignedIn {
  readonly sessionToken: string;
  readonly expiresAt: string;
  readonly assuranceLevel: 'AAL1';
}

export interface CodeAnswer {
  readonly challengeId: Uuid;
  readonly otp: string;
}

/**
 * Creates a session if the code is correct. The token is returned only once. A page that shows a person names them, and then
 * nobody else is signed in.
 */
export function verifySignIn(
  dependencies: ChallengeDependencies,
  { personId, ...answer }: CodeAnswer & { readonly personId?: Uuid | undefined },
  where: Where,
): Promise<Result<SignedIn>> {
  return beginSession(dependencies, answer, { where, purpose: 'SIGN_IN', action: 'session.signed_in', personId });
}

interface Beginning {
  readonly where: Where;
  readonly purpose: 'SIGN_IN' | 'INVITATION_ACCEPTANCE';
  readonly action: string;
  /** The only person who may be signed in. */
  readonly personId?: Uuid | undefined;
}

/** Creates a session for a correct code of either purpose. The code of an invitation first proves its identifier. */
export async function beginSession(
  dependencies: ChallengeDependencies,
  { challengeId, otp }: CodeAnswer,
  { where, purpose, action, personId }: Beginning,
): Promise<Result<SignedIn>> {
  const { directory, clock } = dependencies;
  const sessionToken = newSessionToken(dependencies.random);
  const tokenHash = await tokenHashOf(sessionToken);
  const now = clock.now();
  const answered = { challengeId, answerHash: tokenHash };
  const start = sessionStart(dependencies, answered, { where, action });
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose,
    subject: null,
    personId,
    otp,
    answerHash: tokenHash,
    statementsOf: (trial) => [
      personCodeTrial(trial),
      ...(purpose === 'SIGN_IN' ? [] : identifierProof({ challengeId, tokenHash, now })),
      ...start.statements,
    ],
  });
  if (!tried.ok) return tried;
  const begun = await directory.database.read(liveSession(tokenHash, now, addSeconds(now, -1)));
  if (!begun.ok) return unavailable();
  // Since the code was requested, the person was removed or the identifier became another person's.
  if (begun.rows.length === 0) return refuse('OTP_EXPIRED');
  return ok({ sessionToken, expiresAt: formatInstant(start.expiresAt), assuranceLevel: 'AAL1' });
}

/**
 * What begins the session of the person who answered a challenge: statements for the unit that checks the answer. They have
 * no effect unless the identifier that the code was sent to signs this person in.
 */
export function sessionStart(
  { clock, random }: Pick<ChallengeDependencies, 'clock' | 'random'>,
  answered: { readonly challengeId: Uuid; readonly answerHash: string },
  { where, action }: Pick<Beginning, 'where' | 'action'>,
): { readonly expiresAt: Instant; readonly statements: readonly WriteStatement[] } {
  const now = clock.now();
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  const id = random.uuid();
  const session = { id, challengeId: answered.challengeId, tokenHash: answered.answerHash, now, expiresAt };
  const entry = { id: random.uuid(), action, subject: id, at: now, detail: {} };
  return { expiresAt, statements: [sessionInsert(session), challengeAuditInsert(answered, where, entry)] };
}
