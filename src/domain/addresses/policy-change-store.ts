import { sql } from 'drizzle-orm';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { placeholder, queries, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';

const upsertPolicy = write(
  queries
    .insert(companySettings)
    .values({
      companyId: placeholder('companyId'),
      approvalPolicy: sql`'AUTOMATIC'`,
      addressPolicy: placeholder('addressPolicy'),
    })
    .onConflictDoUpdate({ target: companySettings.companyId, set: { addressPolicy: sql`excluded.address_policy` } }),
);
/** Sets the policy for the shipments that the company creates from now on. */
export function policyUpsert(scope: CompanyScope, addressPolicy: AddressPolicy) {
  return upsertPolicy({ companyId: scope.companyId, addressPolicy });
}
