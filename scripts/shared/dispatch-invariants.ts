/*
 * Invariants of a shard. Each is a query for the rows that break it.
 */

const CURRENT = "('OPEN', 'ACCEPTED')";
const WITH_DRIVER = "('OFFERED', 'ACCEPTED', 'PICKED_UP', 'OUT_FOR_DELIVERY')";
const ENDED = "('DELIVERED', 'DELIVERY_FAILED', 'CANCELLED')";

/** A follow-up begins in the hands of a driver, who may have no free place. */
const BIRTH = '(offers.offered_at = (SELECT created_at FROM shipments WHERE shipments.id = offers.shipment_id))';

export const INVARIANTS: Readonly<Record<string, string>> = {
  'the active count of a driver equals their current offers': `
    SELECT id, active_count FROM drivers
    WHERE active_count <> (SELECT count(*) FROM offers WHERE driver_id = drivers.id AND state IN ${CURRENT})`,

  'the active count of a driver is within their limit': `SELECT id, active_count FROM drivers WHERE active_count < 0 OR active_max < (SELECT count(*) FROM offers
      WHERE driver_id = drivers.id AND ended_at IS NULL AND NOT ${BIRTH})`,

  'a driver never had more offers at once than their limit': `
    SELECT one.driver_id FROM offers AS one JOIN drivers ON drivers.id = one.driver_id
    WHERE active_max < (SELECT count(*) FROM offers AS other WHERE other.driver_id = one.driver_id AND NOT ${BIRTH.replaceAll('offers.', 'other.')}
      AND other.offered_at <= one.offered_at AND (other.ended_at IS NULL OR other.ended_at > one.offered_at))`,

  'a shipment has at most one current offer': `
    SELECT shipment_id FROM offers WHERE state IN ${CURRENT} GROUP BY shipment_id HAVING count(*) > 1`,

  'offers of one shipment never overlapped': `
    SELECT one.shipment_id FROM offers AS one JOIN offers AS other ON other.shipment_id = one.shipment_id AND other.id <> one.id
    WHERE one.offered_at <= other.offered_at AND (one.ended_at IS NULL OR one.ended_at > other.offered_at)`,

  'a shipment is never offered to the same driver twice in a row': `
    SELECT shipment_id FROM (
      SELECT shipment_id, driver_id, lag(driver_id) OVER (PARTITION BY shipment_id ORDER BY offered_at) AS before FROM offers)
    WHERE driver_id = before`,

  'a shipment with a driver has a matching current offer': `
    SELECT id, state FROM shipments WHERE state IN ${WITH_DRIVER} AND NOT EXISTS (
      SELECT 1 FROM offers WHERE offers.shipment_id = shipments.id AND offers.driver_id = shipments.driver_id
        AND offers.state = CASE shipments.state WHEN 'OFFERED' THEN 'OPEN' ELSE 'ACCEPTED' END)`,

  'a shipment without a driver has no current offer': `
    SELECT id, state FROM shipments WHERE state NOT IN ${WITH_DRIVER}
      AND EXISTS (SELECT 1 FROM offers WHERE shipment_id = shipments.id AND state IN ${CURRENT})`,

  'a shipment without a driver names no driver, except after a delivery attempt': `
    SELECT id FROM shipments
    WHERE driver_id IS NOT NULL AND state NOT IN ${WITH_DRIVER} AND state NOT IN ('DELIVERED', 'DELIVERY_FAILED')`,

  'an offer has an end time exactly when it has ended': `
    SELECT id FROM offers WHERE (state IN ${CURRENT}) <> (ended_at IS NULL)`,

  'a shipment has an end time exactly when it has ended': `
    SELECT id, state FROM shipments WHERE (state IN ${ENDED}) <> (ended_at IS NOT NULL)`,

  'a shipment has the stage of its state': `
    SELECT id, state, stage FROM shipments
    WHERE stage <> CASE WHEN state IN ${WITH_DRIVER} THEN 'WITH_DRIVER' ELSE state END`,

  'every shipment has frozen terms': `
    SELECT id FROM shipments WHERE NOT EXISTS (SELECT 1 FROM shipment_terms WHERE shipment_id = shipments.id)`,

  'a shipment has a due time exactly when the service must act next': `
    SELECT id, state, due_at FROM shipments
    WHERE (due_at IS NOT NULL) <> (state IN ('PENDING_APPROVAL', 'OFFERED') OR (state = 'READY_FOR_DISPATCH' AND held = 0)
      OR (state = 'DELIVERY_FAILED' AND EXISTS (SELECT 1 FROM resolutions WHERE shipment_id = shipments.id AND resolutions.state = 'OPEN')))`,

  'the due time of an offered shipment is the expiry of its offer': `
    SELECT shipments.id FROM shipments JOIN offers ON offers.shipment_id = shipments.id
    WHERE shipments.state = 'OFFERED' AND offers.state = 'OPEN' AND due_at <> expires_at`,

  'the sequences of events run from 1 to version + 1 without gaps': `
    SELECT id, version FROM shipments WHERE version + 1 <> (SELECT count(*) FROM shipment_events WHERE shipment_id = shipments.id)
      OR version + 1 <> (SELECT max(sequence) FROM shipment_events WHERE shipment_id = shipments.id)`,

  'each event starts from the state before it, and the last one has the state of the shipment': `
    SELECT shipment_id, sequence FROM (
      SELECT shipment_id, sequence, previous_state, shipment_events.state,
        lag(shipment_events.state) OVER w AS before, lead(sequence) OVER w AS next, shipments.state AS final
      FROM shipment_events JOIN shipments ON shipments.id = shipment_id WINDOW w AS (PARTITION BY shipment_id ORDER BY sequence))
    WHERE previous_state IS NOT before OR (next IS NULL AND state <> final)`,
};

/** All broken invariants, each with the first rows that break it. */
export async function brokenInvariants(shard: {
  rows(sql: string): Promise<unknown[][]>;
}): Promise<{ readonly invariant: string; readonly rows: unknown[][] }[]> {
  const asked = await Promise.all(
    Object.entries(INVARIANTS).map(async ([invariant, question]) => ({
      invariant,
      rows: await shard.rows(`${question} LIMIT 5`),
    })),
  );
  return asked.filter(({ rows }) => rows.length > 0);
}
