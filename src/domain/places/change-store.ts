import { and, eq, sql } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { placeholder, placeListOf, queries, setOf, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { BranchRow, PickupLocationRow } from './store.ts';

/* The SQL that changes places. Creations of shipments only read them, so a Worker starts without it. */

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
