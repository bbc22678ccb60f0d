import { sql } from 'drizzle-orm';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of where a parcel is. */

/** Follow-ups in a row that are looked through. Three attempts and their returns are fewer. */
const CHAIN_MAX = 100;
const columns = {
  state: shipments.state,
  /** 1 for a return. Both have the types of columns. */
  isReturn: shipments.version,
  /** What was chosen; null before, and for a parcel that is lost. */
  kind: shipments.serviceLevelCode,
  hasResolution: shipments.version,
};
const selectLast = read(columns, () =>
  queries
    .select({
      state: sql`s.state`,
      isReturn: sql`exists (select 1 from follow_ups f where f.shipment_id = s.id and f.kind = 'RETURN')`,
      kind: sql`r.kind`,
      hasResolution: sql`r.shipment_id is not null`,
    })
    .from(
      sql`(with recursive chain(id, place) as (
          select ${placeholder('shipmentId')}, 0
          union all select r.follow_up_id, chain.place + 1 from chain join resolutions r on r.shipment_id = chain.id
            where r.follow_up_id is not null and chain.place < ${sql.raw(String(CHAIN_MAX))})
        select id from chain order by place desc limit 1) as last
        join shipments s on s.id = last.id and s.company_id = ${placeholder('companyId')}
        left join resolutions r on r.shipment_id = s.id`,
    ),
);
export type LastCarrier = ReturnType<ReturnType<typeof selectLast>['decode']>;
/** The last shipment that carries the parcel of this one, and what was chosen if it failed. */
export function lastCarrier(scope: CompanyScope, shipmentId: Uuid) {
  return selectLast({ companyId: scope.companyId, shipmentId });
}
