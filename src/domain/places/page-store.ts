import { and, desc, eq, sql } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { columnsOf, placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PlaceStatus } from '../../contract/shipment-state.ts';
import type { Position } from '../page.ts';

/* The SQL that lists places. */

export interface BranchFilter {
  readonly status?: PlaceStatus | undefined;
}
export interface PickupLocationFilter extends BranchFilter {
  readonly branchCode?: string | undefined;
}

const selectBranches = read(columnsOf(branches), (columns) =>
  queries
    .select(columns)
    .from(branches)
    .where(
      and(
        eq(branches.companyId, placeholder('companyId')),
        sql`(${placeholder('status')} is null or ${branches.status} = ${placeholder('status')})`,
        sql`(${placeholder('createdAt')} is null or (${branches.createdAt}, ${branches.branchCode}) < (${placeholder('createdAt')}, ${placeholder('code')}))`,
      ),
    )
    .orderBy(desc(branches.createdAt), desc(branches.branchCode))
    .limit(placeholder('limit')),
);
/** Branches of the company, newest first. A company has tens of them, so filters are tested row by row. */
export function branchPage(scope: CompanyScope, filter: BranchFilter, after: Position | undefined, limit: number) {
  return selectBranches({
    companyId: scope.companyId,
    status: filter.status ?? null,
    createdAt: after?.createdAt ?? null,
    code: after?.key ?? null,
    limit,
  });
}

const selectPickupLocations = read(columnsOf(pickupLocations), (columns) =>
  queries
    .select(columns)
    .from(pickupLocations)
    .where(
      and(
        eq(pickupLocations.companyId, placeholder('companyId')),
        sql`(${placeholder('status')} is null or ${pickupLocations.status} = ${placeholder('status')})`,
        sql`(${placeholder('branchCode')} is null or ${pickupLocations.branchCode} = ${placeholder('branchCode')})`,
        sql`(${placeholder('createdAt')} is null or (${pickupLocations.createdAt}, ${pickupLocations.pickupLocationCode}) < (${placeholder('createdAt')}, ${placeholder('code')}))`,
      ),
    )
    .orderBy(desc(pickupLocations.createdAt), desc(pickupLocations.pickupLocationCode))
    .limit(placeholder('limit')),
);
/** Pickup locations of the company, newest first. */
export function pickupLocationPage(
  scope: CompanyScope,
  filter: PickupLocationFilter,
  after: Position | undefined,
  limit: number,
) {
  return selectPickupLocations({
    companyId: scope.companyId,
    status: filter.status ?? null,
    branchCode: filter.branchCode ?? null,
    createdAt: after?.createdAt ?? null,
    code: after?.key ?? null,
    limit,
  });
}
