import type { AttemptPolicy, Evidence, MissingProof, ProofKind } from '../../contract/proof-state.ts';
import { PROOF_KINDS } from '../../contract/proof-state.ts';
import type { FailureReason } from '../../contract/shipment-state.ts';
import { compareDecimals, type Decimal, literalDecimal } from '../../core/decimal.ts';
import { DOOR_METERS } from '../../core/limits.ts';
import type { ProofTerms } from '../companies/proof-terms.ts';

/* What has to be proven, and how much is. Pure. */

interface Valued {
  readonly requirements: readonly string[];
  readonly codAmount: Decimal;
  readonly declaredValue: Decimal;
}

/** Above this a parcel is worth a PIN, in the currency of the shipment. */
const VALUABLE_ABOVE = literalDecimal('500');
const ZERO = literalDecimal('0');

/** The kinds that a delivery needs: those of the shipment, or without any those of its company. */
export function requiredKinds(shipment: Valued, { proofPolicy }: Pick<ProofTerms, 'proofPolicy'>): ProofKind[] {
  const asked = askedKinds(shipment.requirements);
  if (asked.length > 0 || proofPolicy === 'NONE') return asked;
  const isValuable =
    compareDecimals(shipment.codAmount, ZERO) > 0 || compareDecimals(shipment.declaredValue, VALUABLE_ABOVE) > 0;
  return proofPolicy === 'ALWAYS' || isValuable ? ['PIN'] : [];
}

function askedKinds(requirements: readonly string[]): ProofKind[] {
  return PROOF_KINDS.filter((kind) => requirements.includes(`PROOF_${kind}`));
}

/** A shipment that requires a proof of its delivery requires one of its failure, too. */
export function attemptPolicyOf(
  requirements: readonly string[],
  { attemptPolicy }: Pick<ProofTerms, 'attemptPolicy'>,
): AttemptPolicy {
  return askedKinds(requirements).length > 0 ? 'EVIDENCE' : attemptPolicy;
}

export interface DeliveryFacts {
  readonly required: readonly ProofKind[];
  readonly given: ReadonlySet<ProofKind>;
  /** Whether the PIN has reached the recipient. Nobody can ask for one that has not. */
  readonly hasPin: boolean;
  readonly isReleased: boolean;
}

/**
 * What a delivery still needs. If the recipient has no PIN, or an operator has released it, a photo and a signature take its place; without a
 * PIN among the required kinds, a release stands for all of them.
 */
export function missingOfDelivery({ required, given, hasPin, isReleased }: DeliveryFacts): ProofKind[] {
  const isPinOpen = required.includes('PIN') && !given.has('PIN');
  const isReplaced = isPinOpen && (isReleased || !hasPin);
  const needed = isReplaced ? PROOF_KINDS.filter((kind) => kind !== 'PIN') : isReleased && !isPinOpen ? [] : required;
  return needed.filter((kind) => !given.has(kind));
}

/** COMPLETE if every required kind was given, and at least one. */
export function deliveryEvidence({ required, given }: Pick<DeliveryFacts, 'required' | 'given'>): Evidence {
  if (given.size === 0) return 'NONE';
  return required.every((kind) => given.has(kind)) ? 'COMPLETE' : 'PARTIAL';
}

export interface AttemptFacts {
  /** From the first arrival at the door to the failure; null without an arrival. */
  readonly waitedSeconds: number | null;
  /** From the destination to where the driver was on arrival; null if that is not known. */
  readonly metersFromDestination: number | null;
  readonly waitSeconds: number;
  readonly photos: number;
}

/** How much an attempt proves: COMPLETE if the driver was at the door, and long enough. */
export function attemptEvidence(facts: AttemptFacts): Evidence {
  if (missingOfAttempt(facts).length === 0) return 'COMPLETE';
  return facts.waitedSeconds !== null || facts.photos > 0 ? 'PARTIAL' : 'NONE';
}

/** What an attempt lacks: an arrival at the door, or time since then. */
export function missingOfAttempt({ waitedSeconds, metersFromDestination, waitSeconds }: AttemptFacts): MissingProof[] {
  const isAtDoor = metersFromDestination !== null && metersFromDestination <= DOOR_METERS;
  if (waitedSeconds === null || !isAtDoor) return ['ARRIVAL'];
  return waitedSeconds < waitSeconds ? ['WAIT'] : [];
}

/** Failures for which the driver must have been at the recipient's door. */
const DOOR_REASONS: readonly FailureReason[] = [
  'RECIPIENT_UNREACHABLE',
  'RECIPIENT_REFUSED',
  'NOT_AS_ORDERED',
  'WRONG_ADDRESS',
];
export function needsDoor(reasonCode: FailureReason): boolean {
  return DOOR_REASONS.includes(reasonCode);
}
