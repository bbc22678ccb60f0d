import { sql } from 'drizzle-orm';
import { laterCharges } from '../../../db/shard/schema/terms.ts';
import { placeholder, placesOf, queries, write, writeRow } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of what amendments cost. */

const insertAmendmentCharge = write(queries.insert(laterCharges).values(placesOf(laterCharges)));
/** The line of an amendment. Its number is that of the amendment. */
export function amendmentChargeInsert(charge: Omit<typeof laterCharges.$inferSelect, 'code'>) {
  return insertAmendmentCharge({ ...charge, code: 'AMENDMENT' });
}

/** After the reversals of the frozen lines. */
const REVERSAL_NUMBER = 2 * AMENDMENTS_MAX;
const insertReversal = writeRow(
  queries.insert(laterCharges).select(
    sql`select ${laterCharges.shipmentId}, ${laterCharges.number} + ${sql.raw(String(REVERSAL_NUMBER))}, ${laterCharges.companyId}, ${laterCharges.code},
        case substr(${laterCharges.amount}, 1, 1) when '-' then substr(${laterCharges.amount}, 2) else '-' || ${laterCharges.amount} end, reversed.column2
      from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as reversed
      cross join ${laterCharges} on ${laterCharges.shipmentId} = reversed.column1 and ${laterCharges.code} = 'AMENDMENT'`,
  ),
);
/** Reverses every line of an amendment. */
export function amendmentsReversal(shipmentId: Uuid, now: Instant) {
  return insertReversal({ shipmentId, now });
}
