import type { AmendmentRequest } from '../../contract/shipment-amendment.ts';
import type { Instant } from '../../core/instant.ts';
import type { Standing } from './amendment-draft.ts';
import { leavesRoom, type Slot, type WindowSpan, windowOf, windowsOffered } from './delivery-windows.ts';

/**
 * The delivery window after an amendment. Null without a window: a later pickup removes a window that it leaves no room for.
 * Undefined if the request asks for a window that is not offered. Pure.
 */
export function windowAfter(
  { row, terms }: Pick<Standing, 'row' | 'terms'>,
  { windowStart, pickupWindowEnd = row.pickupWindowEnd }: AmendmentRequest,
  { now, slots }: { readonly now: Instant; readonly slots: readonly Slot[] },
): WindowSpan | null | undefined {
  const { durationSeconds } = terms;
  const present = windowOf(row);
  const isPickupMoved = pickupWindowEnd !== row.pickupWindowEnd;
  const isKept =
    present !== null && (!isPickupMoved || leavesRoom(present.start, { pickupWindowEnd, durationSeconds }));
  const kept = isKept ? present : null;
  if (windowStart === undefined || windowStart === kept?.start) return kept;
  return windowsOffered({ now, pickupWindowEnd, durationSeconds, slots }).find(({ start }) => start === windowStart);
}
