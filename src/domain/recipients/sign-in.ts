import { recipientTokenFor } from '../../access/recipient-token.ts';
import type { RecipientChallenge } from '../../contract/recipient.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import { toBase64Url } from '../../core/base64url.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addSeconds, formatInstant } from '../../core/instant.ts';
import { CODE_ATTEMPTS_MAX } from '../../core/limits.ts';
import { maskPhone, NO_PHONE } from '../../core/phone.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import {
  type ChallengeDependencies,
  channelRefusal,
  makeChallenge,
  messagesUnavailable,
  tryChallenge,
  useGivenBack,
} from '../challenges/challenge.ts';
import { CODE_SPACING_SECONDS, identityHmacOf } from '../challenges/code.ts';
import { codesOfAddress, codesOfShipment } from '../challenges/limit.ts';
import { recipientCodeTrial } from '../challenges/store.ts';
import { readRow } from '../rows.ts';
import { caseStandingOf } from '../shipments/case-store.ts';
import { isTooLate } from '../shipments/open-case.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { findLinkedShipment, type LinkDependencies } from '../tracking/linked-shipment.ts';

/* A link alone proves nothing, because people forward links. The code goes to the phone of the shipment. */

/** Long enough to find one's door on a map. */
export const RECIPIENT_SECONDS = 30 * 60;
const ANSWER_BYTES = 32;

export interface RecipientSignInDependencies extends ChallengeDependencies, LinkDependencies {
  readonly config: ChallengeDependencies['config'] & { readonly deployment: Deployment };
}

/**
 * Sends a code to the shipment's phone. 403 for a link without permissions, 409 for a shipment that ended so long ago
 * that nobody can complain any more. In a sandbox, whose phones are
 * invented, the code is in the answer instead.
 */
export async function startRecipientSignIn(
  dependencies: RecipientSignInDependencies,
  token: string,
  address: string | null,
): Promise<Result<RecipientChallenge>> {
  const { messages, config } = dependencies;
  const found = await findLinkedShipment(dependencies, token);
  if (!found.ok) return found;
  const { scope, store, shipment, link, now } = found.value;
  const { id: shipmentId, state, recipientPhone: recipient } = shipment;
  if (link.permissions.length === 0 || recipient === NO_PHONE) return refuse('ACCESS_DENIED');
  // Afterwards the recipient can still complain.
  if (isTerminal(state)) {
    const standing = await readRow(store.database, caseStandingOf(scope, shipmentId), 'ACCESS_DENIED');
    if (!standing.ok) return standing;
    if (isTooLate(standing.value, now)) return refuse('SHIPMENT_TERMINAL', { members: { currentState: state } });
  }
  const isSandbox = config.deployment === 'sandbox';
  const silent = isSandbox ? undefined : channelRefusal(messages, 'SMS');
  if (silent !== undefined) return silent;
  const ofShipment = await codesOfShipment(config, shipmentId, CODE_SPACING_SECONDS);
  const made = await makeChallenge(dependencies, {
    purpose: 'RECIPIENT_SIGN_IN',
    subject: await subjectOf(config.credentialKey, shipment),
    channel: 'SMS',
    limits: [ofShipment, ...(await codesOfAddress(config, address))],
  });
  if (!made.ok) return made;
  const { id, code, createdAt, expiresAt } = made.value;
  const message = {
    channel: 'SMS',
    recipient,
    purpose: 'RECIPIENT_SIGN_IN',
    code,
    companyName: link.merchantName,
    shipmentEnd: shipment.shipmentNumber.slice(-4),
  } as const;
  if (!isSandbox && !(await messages.send(message))) {
    await useGivenBack(dependencies, ofShipment, made.value);
    return messagesUnavailable();
  }
  return ok({
    challengeId: id,
    maskedDestination: maskPhone(recipient),
    expiresAt: formatInstant(expiresAt),
    resendAvailableAt: formatInstant(addSeconds(createdAt, CODE_SPACING_SECONDS)),
    attemptsRemaining: CODE_ATTEMPTS_MAX,
    ...(isSandbox ? { sandboxOtp: code } : {}),
  });
}

/** A code belongs to the phone that it was sent to. If the shipment gets another phone, the code does not open it. */
function subjectOf(key: string, { id, recipientPhone }: Pick<ShipmentRow, 'id' | 'recipientPhone'>): Promise<string> {
  return identityHmacOf(key, `recipient ${id} ${recipientPhone}`);
}

/** A token for the correct code, which is valid until the link is revoked, the phone changes or half an hour is over. */
export async function verifyRecipient(
  dependencies: RecipientSignInDependencies,
  token: string,
  { challengeId, otp }: { readonly challengeId: Uuid; readonly otp: string },
): Promise<Result<{ recipientToken: string; expiresAt: string }>> {
  const { random, clock, config } = dependencies;
  const found = await findLinkedShipment(dependencies, token);
  if (!found.ok) return found;
  const { shipment, link } = found.value;
  if (link.permissions.length === 0) return refuse('ACCESS_DENIED');
  const tried = await tryChallenge(dependencies, {
    challengeId,
    purpose: 'RECIPIENT_SIGN_IN',
    subject: await subjectOf(config.credentialKey, shipment),
    otp,
    answerHash: toBase64Url(random.bytes(ANSWER_BYTES)),
    statementsOf: (trial) => [recipientCodeTrial(trial)],
  });
  if (!tried.ok) return tried;
  const expiresAt = addSeconds(clock.now(), RECIPIENT_SECONDS);
  const binding = { shipmentId: shipment.id, linkId: link.id, phone: shipment.recipientPhone };
  const recipientToken = await recipientTokenFor(config.credentialKey, binding, expiresAt);
  return ok({ recipientToken, expiresAt: formatInstant(expiresAt) });
}
