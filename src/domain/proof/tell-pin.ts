import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PinResend } from '../../contract/proof.ts';
import { isCarried } from '../../contract/shipment-state.ts';
import { compareDecimals, literalDecimal } from '../../core/decimal.ts';
import { addSeconds } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { NO_PHONE } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Messages } from '../../ports/message.ts';
import type { CompanyNames } from '../companies/company.ts';
import { proofTermsOf } from '../companies/proof-terms.ts';
import { type Bind, KEPT_SECONDS, type KeyClaim } from '../idempotency/once.ts';
import { expiredKeyDelete } from '../idempotency/store.ts';
import { settle } from '../settle.ts';
import { type ShipmentRow, shipmentById } from '../shipments/store.ts';
import { requiredKinds } from './evidence.ts';
import { pinOf, pinTagOf } from './pin.ts';
import type { ProofDependencies, ProvenShipment } from './prepare.ts';
import {
  PIN_RESENDS_MAX,
  pinProgress,
  pinTold,
  progressOf,
  proofTermsOfCompany,
  resendReturned,
  resendTaken,
} from './store.ts';

export interface PinMessageDependencies extends ProofDependencies {
  readonly messages: Messages;
  readonly companyNames: CompanyNames;
  readonly directory: { readonly database: Database };
}

export function needsPin(
  { requirements, ...shipment }: ProvenShipment,
  { config }: Pick<ProofDependencies, 'config'>,
): boolean {
  const valued = { ...shipment, requirements: parseStored<string[]>(requirements) };
  return requiredKinds(valued, proofTermsOf(shipment.proofTerms, config.deployment)).includes('PIN');
}

const ZERO = literalDecimal('0');
/** What the recipient pays before they tell the PIN. */
export function toPay({ codAmount, currency }: Pick<ShipmentRow, 'codAmount' | 'currency'>): string | undefined {
  return compareDecimals(codAmount, ZERO) > 0 ? `${codAmount} ${currency}` : undefined;
}

/** The parcel comes: sends its PIN, if it needs one that the recipient has not seen on the page. */
export async function tellPin(
  dependencies: PinMessageDependencies,
  scope: CompanyScope,
  shipment: ProvenShipment,
): Promise<void> {
  if (!needsPin(shipment, dependencies)) return;
  const read = await dependencies.database.read(progressOf(scope, shipment.id));
  if (!read.ok) return;
  const pin = pinProgress(read.rows[0], await pinTagOf(dependencies.config, shipment));
  if ((pin?.seenAt ?? null) === null) await sendPin(dependencies, scope, shipment);
}

/** Sends the PIN and notes whether that was possible. Phones of sandboxes are invented, so nothing is sent there. Some contacts have none. */
async function sendPin(
  { writer, clock, config, messages, companyNames, directory }: PinMessageDependencies,
  scope: CompanyScope,
  shipment: ProvenShipment,
): Promise<boolean> {
  const { id: shipmentId, companyId } = shipment;
  const amount = toPay(shipment);
  const isSent =
    shipment.recipientPhone !== NO_PHONE &&
    (config.deployment === 'sandbox' ||
      (await messages.send({
        channel: 'SMS',
        recipient: shipment.recipientPhone,
        purpose: 'DELIVERY_PIN',
        code: await pinOf(config, shipment),
        companyName: (await companyNames.nameOf(directory.database, scope)) ?? '',
        shipmentEnd: shipment.shipmentNumber.slice(-4),
        ...(amount === undefined ? {} : { amount }),
      })));
  const row = { shipmentId, companyId, pinTag: await pinTagOf(config, shipment) };
  await writer.commit({ statements: [pinTold(row, isSent ? 'sentAt' : 'unsentAt', clock.now())] });
  return isSent;
}

/** The shipment with what its company asks of deliveries, for those who are not its driver. */
async function readProven(
  { database }: Pick<ProofDependencies, 'database'>,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<ProvenShipment & { readonly resends: number }>> {
  const read = await database.readAll([
    shipmentById(scope, shipmentId),
    proofTermsOfCompany(scope),
    progressOf(scope, shipmentId),
  ] as const);
  if (!read.ok) return unavailable();
  const [[row], [settings], [progress]] = read.results;
  return row === undefined
    ? refuse('ACCESS_DENIED')
    : ok({ ...row, proofTerms: settings?.proofTerms ?? null, resends: progress?.resends ?? 0 });
}

/** After an amendment: a parcel that comes to another place has another PIN, which has to reach the recipient. */
export async function tellAmendedPin(
  dependencies: PinMessageDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<void> {
  const found = await readProven(dependencies, scope, shipmentId);
  if (found.ok && found.value.state === 'OUT_FOR_DELIVERY') await tellPin(dependencies, scope, found.value);
}

export interface PinResendOrder {
  readonly shipmentId: Uuid;
  readonly bind: Bind<PinResend>;
  /** What `bind` binds the answer to. */
  readonly claim: KeyClaim | undefined;
}

/**
 * Sends the PIN again for the merchant, three times for a shipment. 409 for one that needs no PIN or that no driver holds, and after the last
 * message. Message and key are counted before the message is sent, so that requests at the same time send no more than they may.
 */
export async function resendPin(
  dependencies: PinMessageDependencies,
  scope: CompanyScope,
  order: PinResendOrder,
  attempt = 1,
): Promise<Result<PinResend>> {
  const { writer, clock } = dependencies;
  const { shipmentId, bind, claim } = order;
  const found = await readProven(dependencies, scope, shipmentId);
  if (!found.ok) return found;
  const { state: currentState, resends } = found.value;
  if (!isCarried(currentState) || !needsPin(found.value, dependencies))
    return refuse('INVALID_STATE_TRANSITION', { members: { currentState } });
  if (resends >= PIN_RESENDS_MAX)
    return refuse('INVALID_STATE_TRANSITION', { members: { currentState, reason: 'LIMIT_REACHED' } });
  const answer = { resendsRemaining: PIN_RESENDS_MAX - resends - 1 };
  const unit = await bind({ statements: [resendTaken(scope, shipmentId, resends)] }, answer);
  const taken = settle(await writer.commit(unit));
  if (!taken.ok) return taken;
  if (!taken.value)
    return attempt < PIN_RESENDS_MAX ? resendPin(dependencies, scope, order, attempt + 1) : unavailable();
  if (await sendPin(dependencies, scope, found.value)) return ok(answer);
  // A repeat with the key tries once more. The clock of a company is never behind the one that keys expire by.
  const freed = claim && expiredKeyDelete(scope, claim.operation, claim.key, addSeconds(clock.now(), KEPT_SECONDS));
  await writer.commit({ statements: [resendReturned(shipmentId), ...(freed === undefined ? [] : [freed])] });
  return refuse('MESSAGE_PROVIDER_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS });
}
const RETRY_SECONDS = 60;
