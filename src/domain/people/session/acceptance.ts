import { formatInstant } from '../../../core/instant.ts';
import { ok, type Result, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { type ChallengeDependencies, channelRefusal, makeChallenge, sendQuietly } from '../../challenges/challenge.ts';
import { codesOfAddress, codesOfIdentity } from '../../challenges/limit.ts';
import { notifyDisplaced } from '../identifier.ts';
import { holderOfChallenge, inviteeOf } from '../identifier-store.ts';
import { beginSession, type CodeAnswer, type SignedIn, type SignInChallenge, type Where } from './sign-in.ts';

export interface AcceptanceRequest {
  readonly invitationId: Uuid;
  readonly deviceReference: Uuid;
}

/**
 * Sends a code to the e-mail address of an invited person. If the invitation is unknown or not of this kind, or the
 * address already belongs to another person, the response is the same and nothing is sent.
 */
export async function startAcceptance(
  dependencies: ChallengeDependencies,
  { invitationId, deviceReference }: AcceptanceRequest,
  { address }: Where,
): Promise<Result<SignInChallenge>> {
  const { directory, messages, config } = dependencies;
  const silent = channelRefusal(messages, 'EMAIL');
  if (silent !== undefined) return silent;
  const found = await directory.database.read(inviteeOf(invitationId));
  if (!found.ok) return unavailable();
  const [invitee] = found.rows;
  const identity = invitee?.email ?? invitationId;
  const made = await makeChallenge(dependencies, {
    purpose: 'INVITATION_ACCEPTANCE',
    subject: invitationId,
    ...(invitee === undefined ? {} : { personId: invitationId }),
    channel: 'EMAIL',
    deviceReference,
    limits: [await codesOfIdentity(config, identity), ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, expiresAt } = made.value;
  if (invitee !== undefined) {
    const { email: recipient, companyName } = invitee;
    const message = { channel: 'EMAIL', recipient, purpose: 'INVITATION_ACCEPTANCE', code } as const;
    await sendQuietly(dependencies, companyName === null ? message : { ...message, companyName });
  }
  return ok({ challengeId: id, expiresAt: formatInstant(expiresAt) });
}

/** The correct code of an invitation proves the invited person's e-mail address and signs the person in. */
export async function verifyAcceptance(
  dependencies: ChallengeDependencies,
  answer: CodeAnswer,
  where: Where,
): Promise<Result<SignedIn>> {
  const holder = await dependencies.directory.database.read(holderOfChallenge(answer.challengeId));
  if (!holder.ok) return unavailable();
  const purpose = 'INVITATION_ACCEPTANCE';
  const begun = await beginSession(dependencies, answer, { where, purpose, action: 'person.accepted' });
  if (begun.ok) await notifyDisplaced(dependencies, holder.rows[0], 'EMAIL');
  return begun;
}
