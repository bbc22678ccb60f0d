import { and, eq, sql } from 'drizzle-orm';
import { sandboxFaults } from '../../../../db/shard/schema/sandbox.ts';
import { placeholder, queries, read, write } from '../../../../db/statement.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { FaultTarget } from '../../../contract/driver-state.ts';

/* The SQL of the faults that a company requested in its sandbox. */

const upsertFault = write(
  queries
    .insert(sandboxFaults)
    .values({ companyId: placeholder('companyId'), target: placeholder('target'), remaining: placeholder('remaining') })
    .onConflictDoUpdate({
      target: [sandboxFaults.companyId, sandboxFaults.target],
      set: { remaining: sql`excluded.remaining` },
    }),
);
export function faultUpsert(scope: CompanyScope, target: FaultTarget, remaining: number) {
  return upsertFault({ companyId: scope.companyId, target, remaining });
}
const deleteFaults = write(queries.delete(sandboxFaults).where(eq(sandboxFaults.companyId, placeholder('companyId'))));
export function faultsDelete(scope: CompanyScope) {
  return deleteFaults({ companyId: scope.companyId });
}
const selectFaults = read({ target: sandboxFaults.target, remaining: sandboxFaults.remaining }, (columns) =>
  queries
    .select(columns)
    .from(sandboxFaults)
    .where(and(eq(sandboxFaults.companyId, placeholder('companyId')), sql`${sandboxFaults.remaining} > 0`)),
);
/** The remaining faults. */
export function faultsOf(scope: CompanyScope) {
  return selectFaults({ companyId: scope.companyId });
}
const takeFault = write(
  queries
    .update(sandboxFaults)
    .set({ remaining: sql`${sandboxFaults.remaining} - 1` })
    .where(
      and(
        eq(sandboxFaults.companyId, placeholder('companyId')),
        eq(sandboxFaults.target, placeholder('target')),
        sql`${sandboxFaults.remaining} > 0`,
      ),
    ),
  { mustChange: true },
);
/** Consumes one fault. The unit is refused if none is left. */
export function faultTaken(scope: CompanyScope, target: FaultTarget) {
  return takeFault({ companyId: scope.companyId, target });
}
