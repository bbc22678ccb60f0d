import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/* Conditions on deliveries `d` that several statements share. */

/** Must be the same text as in the partial indexes, otherwise SQLite does not use them. */
export const isOpen = sql.raw(`d.status in ('PENDING', 'RETRYING')`);
/** After this many failed attempts, a delivery no longer blocks the next one of its line. */
const PATIENCE = 3;
/** Only deliveries of one shipment have the same line, and the index by shipment is also used for lists. */
export const isFirstOfLine = sql.raw(
  `not exists (select 1 from webhook_deliveries as f indexed by webhook_deliveries_of_shipment where f.shipment_id = d.shipment_id and f.endpoint_id = d.endpoint_id and f.line = d.line and f.position < d.position and f.status in ('PENDING', 'RETRYING') and f.attempt_count < ${PATIENCE})`,
);
/** Whether a receiver's pause is over at an instant. */
export const isUnpaused = (pausedUntil: SQLWrapper, at: SQLWrapper): SQL => sql`(coalesce(${pausedUntil}, 0) <= ${at})`;
