import { sql } from 'drizzle-orm';
import { events } from '../../../db/shard/schema/events.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';

/** The newest shipments of a company that are looked through. No index has phones: one would cost each creation a row. */
const LOOKED_THROUGH_MAX = 1_000;
/** Shipments of one phone that are read. */
const READ_MAX = 20;

const columns = { name: shipments.recipientName, destination: shipments.destination };
const selectKnown = read(columns, () =>
  queries
    .select({ name: sql`recipient_name`.as('recipient_name'), destination: sql`destination`.as('destination') })
    .from(
      sql`(select id, created_at, state, recipient_phone, recipient_name, destination from shipments
        where company_id = ${placeholder('companyId')} order by created_at desc, id desc limit ${sql.raw(String(LOOKED_THROUGH_MAX))}) as page`,
    )
    .where(
      sql`recipient_phone = ${placeholder('phone')} and state <> 'CANCELLED' and not (state = 'DELIVERY_FAILED' and exists
        (select 1 from ${events} where ${events.shipmentId} = page.id and ${events.reasonCode} = 'WRONG_ADDRESS'))`,
    )
    .orderBy(sql`created_at desc`, sql`id desc`)
    .limit(READ_MAX),
);
/**
 * Recipients with this phone, in E.164, among the newest shipments of the company, the newest first. Those that were cancelled, or failed
 * because of the address, may have a wrong one, and are left out.
 */
export function recipientsWithPhone(scope: CompanyScope, phone: string) {
  return selectKnown({ companyId: scope.companyId, phone });
}
