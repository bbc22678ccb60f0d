import type { CancellationRule } from '../../contract/cancellation.ts';
import {
  type Actor,
  isCarried,
  isDriverAssigned,
  isTerminal,
  type ShipmentState,
} from '../../contract/shipment-state.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { PICKUP_LATE_SECONDS } from '../../core/limits.ts';
import type { TermsRow } from './store.ts';
import { type PriceSums, sumLines } from './tariff.ts';

/* Who pays for a cancellation. The preview and the cancellation itself ask here, so at one instant they say the same. */

/** What decides who pays, besides the clock and the actor. */
export interface Cancelled {
  readonly state: ShipmentState;
  readonly pickupWindowEnd: Instant;
  /** The last acceptance by a driver; undefined if there was none. A release and a new acceptance start a new grace. */
  readonly acceptedAt: Instant | undefined;
}

/** The frozen terms that decide it. */
export type CancellationTerms = Pick<TermsRow, 'cancellationGraceSeconds' | 'lateCancellationSeconds'>;

/** The rule that a cancellation at an instant falls under. Pure. */
export function cancellationRule(
  shipment: Cancelled,
  terms: CancellationTerms,
  { actor, now }: { readonly actor: Actor; readonly now: Instant },
): CancellationRule {
  const { state } = shipment;
  if (state === 'CANCELLED') return 'CANCELLED';
  if (isTerminal(state)) return 'ENDED';
  if (isCarried(state)) return 'PAST_PICK_UP';
  if (actor !== 'MERCHANT') return 'CARRIER';
  if (!isDriverAssigned(state)) return 'NOT_ACCEPTED';
  const { graceEnds, lateFrom } = cancellationTimes(shipment, terms);
  if (lateFrom !== undefined && now >= lateFrom) return 'DRIVER_LATE';
  return graceEnds !== undefined && now < graceEnds ? 'GRACE' : 'DRIVER_ON_WAY';
}

interface CancellationTimes {
  /** Cancelling is free before this instant; undefined without an acceptance. */
  readonly graceEnds: Instant | undefined;
  /** Cancelling is free from this instant; undefined if it never is. */
  readonly lateFrom: Instant | undefined;
}

/** The instants at which the rule changes while a driver is on the way. */
export function cancellationTimes(
  { pickupWindowEnd, acceptedAt }: Omit<Cancelled, 'state'>,
  { cancellationGraceSeconds: grace, lateCancellationSeconds: late }: CancellationTerms,
): CancellationTimes {
  // Without a grace the terms are from before tariffs had these members: then a late driver made it free as well.
  const lateSeconds = grace === null ? PICKUP_LATE_SECONDS : late;
  return {
    graceEnds: acceptedAt === undefined ? undefined : addSeconds(acceptedAt, grace ?? 0),
    lateFrom: lateSeconds === null ? undefined : addSeconds(pickupWindowEnd, lateSeconds),
  };
}

/** Whether the merchant pays the fee under this rule. */
export function costsFee(rule: CancellationRule): boolean {
  return rule === 'DRIVER_ON_WAY';
}

/** What the merchant pays for the cancellation itself under this rule. */
export function cancellationPrice(
  rule: CancellationRule,
  { currency, cancellationAmount, vatRate }: Pick<TermsRow, 'currency' | 'cancellationAmount' | 'vatRate'>,
): PriceSums {
  const lines = costsFee(rule) ? [{ code: 'CANCELLATION' as const, amount: cancellationAmount }] : [];
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, vatRate);
  return { currency, netAmount, vatRate, vatAmount, totalAmount };
}
