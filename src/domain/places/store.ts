import { and, eq } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { columnsOf, placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';

export type BranchRow = typeof branches.$inferSelect;
export type PickupLocationRow = typeof pickupLocations.$inferSelect;

const selectBranch = read(columnsOf(branches), (columns) =>
  queries
    .select(columns)
    .from(branches)
    .where(and(eq(branches.companyId, placeholder('companyId')), eq(branches.branchCode, placeholder('branchCode')))),
);
export function branchByCode(scope: CompanyScope, branchCode: string) {
  return selectBranch({ companyId: scope.companyId, branchCode });
}

const selectPickupLocation = read(columnsOf(pickupLocations), (columns) =>
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
