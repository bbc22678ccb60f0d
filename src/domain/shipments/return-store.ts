import { type SQL, sql } from 'drizzle-orm';
import { followUps } from '../../../db/shard/schema/resolutions.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { FollowUpRow } from './resolution-store.ts';

/* The SQL of returns after the delivery. */

/** Of what was delivered, how much is not returned by shipments that still live or were delivered. */
const leftOf = (index: SQL, precedingId: SQL) => sql`
  (select json_extract(items, '$[' || ${index} || '].quantity') from shipments where id = ${precedingId})
  - coalesce((select sum(one.value ->> 'quantity') from follow_ups as other
      join shipments as back on back.id = other.shipment_id and back.state <> 'CANCELLED'
      cross join json_each(other.returned) as one
    where other.preceding_id = ${precedingId} and other.returned is not null and one.value ->> 'index' = ${index}), 0)`;

const insertReturn = write(
  queries.insert(followUps).select(
    sql`select ${placeholder('shipmentId')}, ${placeholder('companyId')}, 'RETURN', ${placeholder('precedingId')}, ${placeholder('shipmentId')}, 1, ${placeholder('returnReason')}, ${placeholder('returned')}
      where exists (select 1 from shipments where id = ${placeholder('precedingId')} and forgotten_at is null)
        and not exists (select 1 from json_each(${placeholder('returned')}) as wanted
          where wanted.value ->> 'quantity' > ${leftOf(sql`(wanted.value ->> 'index')`, sql`${placeholder('precedingId')}`)})`,
  ),
  { mustChange: true },
);
const selectLeft = read({ left: followUps.attempt }, () =>
  queries
    .select({ left: leftOf(sql`item.key`, sql`${placeholder('precedingId')}`).as('left') })
    .from(
      sql`json_each((select items from shipments where id = ${placeholder('precedingId')} and company_id = ${placeholder('companyId')})) as item`,
    )
    .orderBy(sql`item.key`),
);
/** How many of each item of the shipment can still go back, in the order of the items. */
export function quantitiesLeft(scope: CompanyScope, precedingId: Uuid) {
  return selectLeft({ companyId: scope.companyId, precedingId });
}

const selectMade = read({ shipmentId: followUps.shipmentId }, (columns) =>
  queries
    .select(columns)
    .from(followUps)
    .where(
      sql`${followUps.precedingId} = ${placeholder('precedingId')} and ${followUps.companyId} = ${placeholder('companyId')} and ${followUps.returned} is not null
        and exists (select 1 from shipments as back join recipient_replies as reply on reply.shipment_id = ${placeholder('precedingId')}
          where back.id = ${followUps.shipmentId} and back.state <> 'CANCELLED' and back.created_at >= reply.return_asked_at)`,
    )
    .limit(1),
);
/** A row if a return was made since the recipient asked for one, and was not cancelled. */
export function returnMadeSince(scope: CompanyScope, precedingId: Uuid) {
  return selectMade({ companyId: scope.companyId, precedingId });
}

/** Refuses the unit if more would go back than was delivered, or if the recipient was forgotten. */
export function returnInsert(row: Omit<FollowUpRow, 'kind' | 'attempt' | 'rootId'>) {
  return insertReturn({ ...row });
}
