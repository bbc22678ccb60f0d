import { eq } from 'drizzle-orm';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';

const selectPolicy = read({ policy: companySettings.addressPolicy }, (columns) =>
  queries
    .select(columns)
    .from(companySettings)
    .where(eq(companySettings.companyId, placeholder('companyId'))),
);
/** The company's own policy. No row, or null in it, means the default of the deployment. */
export function policyOfCompany(scope: CompanyScope) {
  return selectPolicy({ companyId: scope.companyId });
}
