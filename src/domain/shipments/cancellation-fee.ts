import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { cancellationPrice, cancellationRule, costsFee } from '../pricing/cancellation.ts';
import { acceptanceOf } from '../pricing/cancellation-store.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { termsOf } from '../pricing/store.ts';
import type { ShipmentRow } from './store.ts';

interface Cancellation {
  readonly row: ShipmentRow;
  readonly actor: Actor;
  readonly now: Instant;
  /** The most that it may cost, with VAT. */
  readonly priceLimit: Decimal | undefined;
}

/** Whether a cancellation at `now` costs the fee; a refusal if that is above the limit. */
export async function feeOf(
  database: Database,
  scope: CompanyScope,
  { row, actor, now, priceLimit }: Cancellation,
): Promise<Result<{ readonly hasFee: boolean }>> {
  const { id, state, pickupWindowEnd } = row;
  const found = await database.readAll([termsOf(scope, id), acceptanceOf(scope, id)] as const);
  if (!found.ok) return unavailable();
  const [[terms], [acceptance]] = found.results;
  if (terms === undefined) return refuse('ACCESS_DENIED');
  const rule = cancellationRule({ state, pickupWindowEnd, acceptedAt: acceptance?.occurredAt }, terms, { actor, now });
  return refuseAbove(priceLimit, cancellationPrice(rule, terms)) ?? ok({ hasFee: costsFee(rule) });
}
