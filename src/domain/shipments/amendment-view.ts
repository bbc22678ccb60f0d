import { AMENDERS } from '../../contract/amendment-event.ts';
import type { AmendmentChange } from '../../contract/amendment-state.ts';
import type { ShipmentAmendment } from '../../contract/shipment-amendment.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { effectOf } from '../pricing/amendment.ts';
import type { AmendmentRow } from './amendment-store.ts';
import { type KeptValues, shownValues } from './amendment-values.ts';

/** An amendment as its company reads it. */
export function presentAmendment(row: AmendmentRow): ShipmentAmendment {
  const by = AMENDERS.find((amender) => amender === row.actor);
  if (by === undefined) throw new Error(`An amendment is of ${row.actor}`);
  return {
    amendmentId: row.id,
    by,
    state: row.state,
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

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
