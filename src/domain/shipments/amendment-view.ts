import { AMENDERS } from '../../contract/amendment-event.ts';
import { isTooLate } from '../../contract/amendment-rules.ts';
import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { ShipmentAmendment } from '../../contract/shipment-amendment.ts';
import { formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { effectOf } from '../pricing/amendment.ts';
import type { ReadAmendment } from './amendment-store.ts';
import { type KeptValues, shownValues } from './amendment-values.ts';

/**
 * Whether an amendment still waits for its company: there is time to decide, and what it changes can be changed in the shipment's
 * state. Nothing marks the end of the wait in the row.
 */
export function isAwaiting({ state, decideBy, changes, shipmentState }: ReadAmendment, now: Instant): boolean {
  if (state !== 'AWAITING_MERCHANT' || decideBy === null || decideBy <= now) return false;
  return !parseStored<AmendmentChange[]>(changes).some((change) => isTooLate(change, shipmentState));
}

/** An amendment as its company reads it. */
export function presentAmendment(row: ReadAmendment, now: Instant): ShipmentAmendment {
  const by = AMENDERS.find((amender) => amender === row.actor);
  if (by === undefined) throw new Error(`An amendment is of ${row.actor}`);
  return {
    amendmentId: row.id,
    by,
    state: row.state === 'AWAITING_MERCHANT' && !isAwaiting(row, now) ? 'EXPIRED' : row.state,
    changes: parseStored<AmendmentChange[]>(row.changes),
    change: shownValues(parseStored<KeptValues>(row.after)),
    reasonCode: row.reasonCode,
    priceEffect: effectOf(row.amount, row.vatAmount),
    shipmentVersion: row.shipmentVersion,
    requestedAt: formatInstant(row.requestedAt),
    acknowledgedAt: instantOrNull(row.acknowledgedAt),
    decideBy: instantOrNull(row.decideBy),
    decidedAt: instantOrNull(row.decidedAt),
    version: row.version,
  };
}
