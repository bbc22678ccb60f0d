import { and, desc, eq, sql } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { columnsOf, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PlaceStatus } from '../../contract/shipment-state.ts';
import type { Position } from '../page.ts';

const place = sql.placeholder;

export type BranchRow = typeof branches.$inferSelect;
export type PickupLocationRow = typeof pickupLocations.$inferSelect;

export interface BranchFilter {
  readonly status?: PlaceStatus | undefined;
}
export interface PickupLocationFilter extends BranchFilter {
  readonly branchCode?: string | undefined;
}

const branchColumns = columnsOf(branches);
const selectBranches = read(branchColumns, (columns) =>
  queries
    .select(columns)
    .from(branches)
    .where(
      and(
        eq(branches.companyId, place('companyId')),
        sql`(${place('status')} is null or ${branches.status} = ${place('status')})`,
        sql`(${place('createdAt')} is null or (${branches.createdAt}, ${branches.branchCode}) < (${place('createdAt')}, ${place('code')}))`,
      ),
    )
    .orderBy(desc(branches.createdAt), desc(branches.branchCode))
    .limit(place('limit')),
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

const pickupLocationColumns = columnsOf(pickupLocations);
const selectPickupLocations = read(pickupLocationColumns, (columns) =>
  queries
    .select(columns)
    .from(pickupLocations)
    .where(
      and(
        eq(pickupLocations.companyId, place('companyId')),
        sql`(${place('status')} is null or ${pickupLocations.status} = ${place('status')})`,
        sql`(${place('branchCode')} is null or ${pickupLocations.branchCode} = ${place('branchCode')})`,
        sql`(${place('createdAt')} is null or (${pickupLocations.createdAt}, ${pickupLocations.pickupLocationCode}) < (${place('createdAt')}, ${place('code')}))`,
      ),
    )
    .orderBy(desc(pickupLocations.createdAt), desc(pickupLocations.pickupLocationCode))
    .limit(place('limit')),
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

const selectBranch = read(branchColumns, (columns) =>
  queries
    .select(columns)
    .from(branches)
    .where(and(eq(branches.companyId, place('companyId')), eq(branches.branchCode, place('branchCode')))),
);
export function branchByCode(scope: CompanyScope, branchCode: string) {
  return selectBranch({ companyId: scope.companyId, branchCode });
}

const selectPickupLocation = read(pickupLocationColumns, (columns) =>
  queries
    .select(columns)
    .from(pickupLocations)
    .where(
      and(
        eq(pickupLocations.companyId, place('companyId')),
        eq(pickupLocations.pickupLocationCode, place('pickupLocationCode')),
      ),
    ),
);
export function pickupLocationByCode(scope: CompanyScope, pickupLocationCode: string) {
  return selectPickupLocation({ companyId: scope.companyId, pickupLocationCode });
}
