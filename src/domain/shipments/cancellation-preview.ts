import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { CancellationPreview, CancellationRule } from '../../contract/cancellation.ts';
import { type ShipmentEventType } from '../../contract/event-type.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { chargedLines } from '../pricing/amendment.ts';
import {
  type Cancelled,
  cancellationPrice,
  cancellationRule,
  cancellationTimes,
  costsFee,
} from '../pricing/cancellation.ts';
import { acceptanceOf } from '../pricing/cancellation-store.ts';
import { laterChargesOf, type TermsRow, termsOf } from '../pricing/store.ts';
import { type PriceLine, sumLines } from '../pricing/tariff.ts';
import { recallPrice } from './recall.ts';
import { shipmentById } from './store.ts';

/** What a cancellation by the merchant would cost now, and until when. Reads only. */
export async function previewCancellation(
  { database, clock }: { readonly database: Database; readonly clock: CompanyClock },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<CancellationPreview>> {
  const reads = [
    shipmentById(scope, shipmentId),
    termsOf(scope, shipmentId),
    laterChargesOf(scope, shipmentId),
    acceptanceOf(scope, shipmentId),
  ] as const;
  const found = await database.readAll(reads);
  if (!found.ok) return unavailable();
  const [[shipment], [terms], later, [acceptance]] = found.results;
  if (shipment === undefined || terms === undefined) return refuse('ACCESS_DENIED');
  const now = clock.now();
  const { state, pickupWindowEnd } = shipment;
  const cancelled = { state, pickupWindowEnd, acceptedAt: acceptance?.occurredAt };
  const rule = cancellationRule(cancelled, terms, { actor: 'MERCHANT', now });
  const recall = rule === 'PAST_PICK_UP' ? await recallPrice(database, scope, { row: shipment, now }) : ok(null);
  if (!recall.ok) return recall;
  return ok({
    shipmentId,
    version: shipment.version,
    state,
    rule,
    ...partiesOf(rule, terms),
    ...sumsOf(rule, terms, later),
    ...outlookOf(rule, { cancelled, terms, now }),
    endsWith: [...ENDINGS[rule]],
    instead: recall.value === null ? null : { operation: 'recalls', price: recall.value },
    decidedAt: formatInstant(now),
  });
}

const UNCANCELLABLE: readonly CancellationRule[] = ['PAST_PICK_UP', 'CANCELLED', 'ENDED'];
const ON_THE_WAY = ['shipment.driver_released', 'shipment.picked_up'] as const;
/** The events that end a rule. After a late driver releases the shipment, cancelling is still free. */
const ENDINGS: Readonly<Record<CancellationRule, readonly ShipmentEventType[]>> = {
  NOT_ACCEPTED: ['shipment.accepted'],
  GRACE: ON_THE_WAY,
  DRIVER_ON_WAY: ON_THE_WAY,
  DRIVER_LATE: ['shipment.picked_up'],
  CARRIER: [],
  PAST_PICK_UP: [],
  CANCELLED: [],
  ENDED: [],
};

function partiesOf(rule: CancellationRule, terms: TermsRow) {
  if (UNCANCELLABLE.includes(rule)) return { cancellable: false, payer: null, fee: null };
  const payer: 'MERCHANT' | 'NOBODY' = costsFee(rule) ? 'MERCHANT' : 'NOBODY';
  return { cancellable: true, payer, fee: cancellationPrice(rule, terms) };
}

/** A cancellation takes the frozen lines back, and leaves the fee. */
function sumsOf(rule: CancellationRule, terms: TermsRow, later: readonly PriceLine[]) {
  const charged = chargedLines({ terms, later });
  const isPossible = !UNCANCELLABLE.includes(rule);
  const after = isPossible ? cancellationPrice(rule, terms) : sumLines(charged, terms.vatRate);
  const { netAmount, vatAmount, totalAmount } = after;
  // Before its end a shipment has later lines only of amendments, and they are taken back too.
  const refund = sumLines(isPossible ? charged : [], terms.vatRate);
  return { refund: { totalAmount: refund.totalAmount }, chargesAfter: { netAmount, vatAmount, totalAmount } };
}

interface Outlook {
  readonly cancelled: Cancelled;
  readonly terms: TermsRow;
  readonly now: Instant;
}

/** Until when the fee stays, and what applies then. */
function outlookOf(rule: CancellationRule, { cancelled, terms, now }: Outlook) {
  const upcoming = upcomingOf(rule, { cancelled, terms, now });
  if (upcoming === undefined) return { validUntil: null, next: null };
  const { shipment, at } = upcoming;
  const nextRule = cancellationRule(shipment, terms, { actor: 'MERCHANT', now: at ?? now });
  const { payer, fee } = partiesOf(nextRule, terms);
  const from = at === undefined ? null : formatInstant(at);
  const isOtherFee = costsFee(rule) !== costsFee(nextRule);
  return { validUntil: isOtherFee ? from : null, next: { rule: nextRule, payer, fee, from } };
}

/** The shipment under the next rule, and the instant at which it begins; no instant if a driver's acceptance begins it. */
function upcomingOf(
  rule: CancellationRule,
  { cancelled, terms, now }: Outlook,
): { readonly shipment: Cancelled; readonly at: Instant | undefined } | undefined {
  if (rule === 'NOT_ACCEPTED') {
    return { shipment: { ...cancelled, state: 'ACCEPTED', acceptedAt: now }, at: undefined };
  }
  const { graceEnds, lateFrom } = cancellationTimes(cancelled, terms);
  const isGrace = rule === 'GRACE' && graceEnds !== undefined;
  if (isGrace && (lateFrom === undefined || graceEnds < lateFrom)) return { shipment: cancelled, at: graceEnds };
  if (!isGrace && rule !== 'DRIVER_ON_WAY') return undefined;
  return lateFrom === undefined ? undefined : { shipment: cancelled, at: lateFrom };
}
