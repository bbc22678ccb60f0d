import { and, desc, eq, sql } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { columnsOf, placeholder, placeListOf, queries, read, setOf, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PlaceStatus } from '../../contract/shipment-state.ts';
import type { Position } from '../page.ts';

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

const pickupLocationColumns = columnsOf(pickupLocations);
const selectPickupLocations = read(pickupLocationColumns, (columns) =>
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

const selectBranch = read(branchColumns, (columns) =>
  queries
    .select(columns)
    .from(branches)
    .where(and(eq(branches.companyId, placeholder('companyId')), eq(branches.branchCode, placeholder('branchCode')))),
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
        eq(pickupLocations.companyId, placeholder('companyId')),
        eq(pickupLocations.pickupLocationCode, placeholder('pickupLocationCode')),
      ),
    ),
);
export function pickupLocationByCode(scope: CompanyScope, pickupLocationCode: string) {
  return selectPickupLocation({ companyId: scope.companyId, pickupLocationCode });
}

const insertBranch = write(
  queries
    .insert(branches)
    .select(
      sql`select ${placeListOf(branches)} where (select count(*) from branches where company_id = ${placeholder('companyId')}) < ${placeholder('max')}`,
    ),
  { mustChange: true },
);
/** A new branch. Refuses the unit if its code exists, or if the company already has `max` branches. */
export function branchInsert(scope: CompanyScope, row: BranchRow, max: number) {
  return insertBranch({ ...row, companyId: scope.companyId, max });
}

const updateBranch = write(
  queries
    .update(branches)
    .set({
      ...setOf(branches, ['companyId', 'branchCode', 'createdAt', 'version']),
      version: sql`${branches.version} + 1`,
    })
    .where(
      and(
        eq(branches.companyId, placeholder('companyId')),
        eq(branches.branchCode, placeholder('branchCode')),
        sql`${branches.version} = ${placeholder('version')} - 1`,
      ),
    ),
  { mustChange: true },
);
/** Writes the branch `row` if it still has the version before that; otherwise refuses the unit. */
export function branchUpdate(scope: CompanyScope, row: BranchRow) {
  return updateBranch({ ...row, companyId: scope.companyId });
}

const insertPickupLocation = write(
  queries.insert(pickupLocations).select(
    sql`select ${placeListOf(pickupLocations)}
      from branches where company_id = ${placeholder('companyId')} and branch_code = ${placeholder('branchCode')}
        and (select count(*) from pickup_locations where company_id = ${placeholder('companyId')}) < ${placeholder('max')}`,
  ),
  { mustChange: true },
);
/**
 * A new pickup location. Refuses the unit if its branch does not exist, if its code exists, or if there are already
 * `max`.
 */
export function pickupLocationInsert(scope: CompanyScope, row: PickupLocationRow, max: number) {
  return insertPickupLocation({ ...row, companyId: scope.companyId, max });
}

const updatePickupLocation = write(
  queries
    .update(pickupLocations)
    .set({
      ...setOf(pickupLocations, ['companyId', 'pickupLocationCode', 'branchCode', 'createdAt', 'version']),
      // Every change raises it, and a creation compares it with its copy.
      version: sql`${pickupLocations.version} + 1`,
    })
    .where(
      and(
        eq(pickupLocations.companyId, placeholder('companyId')),
        eq(pickupLocations.pickupLocationCode, placeholder('pickupLocationCode')),
        sql`${pickupLocations.version} = ${placeholder('version')} - 1`,
      ),
    ),
  { mustChange: true },
);
/** Writes the pickup location `row` if it still has the version before that; otherwise refuses the unit. */
export function pickupLocationUpdate(scope: CompanyScope, row: PickupLocationRow) {
  return updatePickupLocation({ ...row, companyId: scope.companyId });
}
