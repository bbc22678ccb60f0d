import { sql } from 'drizzle-orm';
import { laterCharges, shipmentTerms } from '../../../db/shard/schema/terms.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import { placeholder, queries, writeRow } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { halalasOf } from './halalas.ts';
import { amendmentsReversal, firstReversal } from './store.ts';

/* The SQL of what a merchant gets back for a failure that the carrier has to pay for. */

const halalas = halalasOf(sql`line.value ->> 'amount'`);
const insertCredit = writeRow(
  queries.insert(laterCharges).select(
    sql`select frozen.shipment_id, ${firstReversal}, frozen.company_id, 'CREDIT',
        '-' || (frozen.total / 100) || rtrim(rtrim(printf('.%02d', frozen.total % 100), '0'), '.'), frozen.now
      from (select ${shipmentTerms.shipmentId}, ${shipmentTerms.companyId}, credited.column2 as now, sum(${halalas}) as total
        from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as credited
        cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = credited.column1
        cross join json_each(${shipmentTerms.lines}) as line
        group by ${shipmentTerms.shipmentId}, ${shipmentTerms.companyId}, credited.column2) as frozen
      where frozen.total > 0`,
  ),
);

/** Takes back all charges of a shipment: one line credits what was frozen, and each amendment is reversed. For the unit of the failure. */
export function creditFailure(
  shipmentId: Uuid,
  { isAmended }: { readonly isAmended: boolean },
  now: Instant,
): WriteStatement[] {
  return [insertCredit({ shipmentId, now }), ...(isAmended ? [amendmentsReversal(shipmentId, now)] : [])];
}
