import { PRICE_CODES } from '../../contract/price-estimate.ts';
import type { ResolutionOption } from '../../contract/resolution.ts';
import {
  type FailurePayer,
  type FollowUpKind,
  type OptionObjection,
  RECALLED,
  RESOLUTION_KINDS,
  type ResolutionKind,
} from '../../contract/resolution-state.ts';
import { literalDecimal, multiplyDecimals, roundHalfUp } from '../../core/decimal.ts';
import { parseStored } from '../../core/json.ts';
import { DELIVERY_ATTEMPTS_MAX } from '../../core/limits.ts';
import type { TermsRow } from '../pricing/store.ts';
import { type PriceLine, type PriceSums, sumLines, sumNet } from '../pricing/tariff.ts';

/* What can be chosen after a failed delivery, and what it costs. Pure. */

/** What the options depend on. */
export interface Failed {
  readonly reasonCode: string;
  readonly payer: FailurePayer;
  readonly attempts: number;
  /** Whether the failed shipment was a return itself. */
  readonly isReturn: boolean;
  /** Whether the recipient’s data was deleted, so that nobody knows the door any more. */
  readonly isForgotten: boolean;
}

const ZERO = literalDecimal('0');
const MONEY_PLACES = 2;
export const FOLLOW_UP_OF = { REDELIVER: 'REDELIVERY', RETURN: 'RETURN' } as const;

/** The line of a follow-up: a share of what the first shipment of the parcel was priced at, or nothing if the carrier pays. */
export function followUpLine(kind: FollowUpKind, payer: FailurePayer, root: TermsRow): PriceLine {
  if (payer === 'CARRIER') return { code: kind, amount: ZERO };
  const frozen = parseStored<PriceLine[]>(root.lines).filter(({ code }) => PRICE_CODES.some((price) => price === code));
  const rate = kind === 'RETURN' ? root.returnRate : root.redeliveryRate;
  return { code: kind, amount: roundHalfUp(multiplyDecimals(sumNet(frozen), rate), MONEY_PLACES) };
}

/** What the merchant pays for an option. To dispose of a parcel costs nothing. */
export function optionPrice(kind: ResolutionKind, payer: FailurePayer, root: TermsRow): PriceSums {
  const lines = kind === 'DISPOSE' ? [] : [followUpLine(FOLLOW_UP_OF[kind], payer, root)];
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, root.vatRate);
  return { currency: root.currency, netAmount, vatRate: root.vatRate, vatAmount, totalAmount };
}

/** Why an option cannot be chosen although nothing was chosen yet; null if it can. */
export function objectionTo(kind: ResolutionKind, failed: Failed): OptionObjection | null {
  if (kind !== 'REDELIVER') return null;
  if (failed.isReturn) return 'IS_RETURN';
  if (failed.isForgotten) return 'RECIPIENT_FORGOTTEN';
  if (failed.reasonCode === 'DAMAGED') return 'DAMAGED';
  if (failed.reasonCode === RECALLED) return 'RECALLED';
  return failed.attempts >= DELIVERY_ATTEMPTS_MAX ? 'ATTEMPTS_USED' : null;
}

/** `chosen`: what was decided, and who pays for it. */
export function optionsOf(
  failed: Failed,
  root: TermsRow,
  chosen?: { readonly kind: ResolutionKind | null; readonly payer: FailurePayer },
): ResolutionOption[] {
  return RESOLUTION_KINDS.map((kind) => {
    const code = chosen === undefined ? objectionTo(kind, failed) : 'DECIDED';
    const payer = chosen?.kind === kind ? chosen.payer : failed.payer;
    return { kind, available: code === null, code, payer, price: optionPrice(kind, payer, root) };
  });
}
