import type { Evidence } from '../../contract/proof-state.ts';
import type { FailurePayer, RECALLED } from '../../contract/resolution-state.ts';
import type { FailureReason } from '../../contract/shipment-state.ts';
import type { WindowStatus } from '../../contract/window-state.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import { DELIVERY_ATTEMPTS_MAX, DOOR_METERS } from '../../core/limits.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { type WindowColumns, windowOf } from './delivery-windows.ts';

/* Who pays for a failed delivery and for what follows it. */

export type FailedBecause = FailureReason | typeof RECALLED;

/** In degrees. */
export type Spot = Coordinates;

/** What decides who pays. */
export interface FailureFacts {
  readonly reasonCode: FailedBecause;
  readonly evidence: Evidence;
  readonly now: Instant;
  /** The delivery window of the shipment, and what became of it. */
  readonly window: { readonly start: Instant; readonly end: Instant; readonly status: WindowStatus } | null;
  /** Whether the recipient has confirmed the destination. */
  readonly isConfirmed: boolean;
  readonly destination: Spot;
  /** Where the driver was on arrival at the door; null without an arrival or its position. */
  readonly door: Spot | null;
  /** Whether the failed shipment was a return. */
  readonly isReturn: boolean;
}

/** The window of a shipment for these facts; null if nobody asked for one. */
export function windowFacts(row: WindowColumns, status: WindowStatus | null): FailureFacts['window'] {
  const window = windowOf(row);
  return window === null || status === null ? null : { ...window, status };
}

/**
 * Who pays. If it is the carrier, the merchant gets the price of the attempt back, and what follows costs nothing. Without evidence
 * it is always the carrier, because the merchant cannot check what the driver says. For a return this holds for every
 * reason, because the merchant is the one who was not met. Pure.
 */
export function payerOf(facts: FailureFacts): FailurePayer {
  if (isWindowMissed(facts)) return 'CARRIER';
  if (facts.isReturn && facts.evidence !== 'COMPLETE') return 'CARRIER';
  return PAYERS[facts.reasonCode](facts);
}

/** Who pays for what follows. After so many attempts to bring a parcel back it is the carrier, so that the bill of a merchant ends. */
export function nextPayerOf(
  payer: FailurePayer,
  { isReturn, attempts }: { readonly isReturn: boolean; readonly attempts: number },
): FailurePayer {
  return isReturn && attempts >= DELIVERY_ATTEMPTS_MAX ? 'CARRIER' : payer;
}

const merchant = () => 'MERCHANT' as const;
const carrier = () => 'CARRIER' as const;
const provenAttempt = ({ evidence }: FailureFacts) => (evidence === 'COMPLETE' ? 'MERCHANT' : 'CARRIER');

const PAYERS: Readonly<Record<FailedBecause, (facts: FailureFacts) => FailurePayer>> = {
  RECIPIENT_UNREACHABLE: provenAttempt,
  OTHER: provenAttempt,
  RECIPIENT_REFUSED: merchant,
  // The buyer has looked at the goods, which the shop has packed.
  NOT_AS_ORDERED: merchant,
  COD_NOT_PAID: merchant,
  // A confirmed destination is right. If the driver was there, the recipient has confirmed a wrong one.
  WRONG_ADDRESS: (facts) => (facts.isConfirmed && !wasAtDoor(facts) ? 'CARRIER' : 'MERCHANT'),
  DAMAGED: carrier,
  LOST: carrier,
  RECALLED: merchant,
};

function wasAtDoor({ door, destination }: FailureFacts): boolean {
  return door !== null && metersBetween(door, destination) <= DOOR_METERS;
}

/** Whether the driver did not come in the window that was agreed. A recall before the window is not the driver's doing. */
function isWindowMissed({ window, now, reasonCode }: FailureFacts): boolean {
  if (window === null) return false;
  if (window.status !== 'AGREED') return window.status === 'MISSED';
  return now > window.end || (now < window.start && reasonCode !== 'RECALLED');
}
