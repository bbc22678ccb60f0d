import { eq, sql } from 'drizzle-orm';
import { companies } from '../../../db/directory/schema/companies.ts';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of companies: in the directory where each lives, in its shard how it operates. */

const place = sql.placeholder;

const selectCompany = read({ id: companies.id, shard: companies.shard }, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .where(eq(companies.id, place('id'))),
);
/** Which shard a company lives in, for operators. */
export function companyById(id: Uuid) {
  return selectCompany({ id });
}

/** The company in the directory: it is there once its registration was completed, and not before. */
export function companyOf(scope: CompanyScope) {
  return selectCompany({ id: scope.companyId });
}

const selectName = read({ name: companies.name }, (columns) =>
  queries
    .select(columns)
    .from(companies)
    .where(eq(companies.id, place('companyId'))),
);
/** What the company is called. */
export function companyName(scope: CompanyScope) {
  return selectName({ companyId: scope.companyId });
}

const upsertApprovalPolicy = write(
  queries
    .insert(companySettings)
    .values({ companyId: place('companyId'), approvalPolicy: place('approvalPolicy') })
    .onConflictDoUpdate({
      target: companySettings.companyId,
      set: { approvalPolicy: sql`excluded.approval_policy` },
    }),
);
/** Who approves the company's shipments from now on. */
export function approvalPolicyUpsert(scope: CompanyScope, approvalPolicy: ApprovalPolicy) {
  return upsertApprovalPolicy({ companyId: scope.companyId, approvalPolicy });
}
