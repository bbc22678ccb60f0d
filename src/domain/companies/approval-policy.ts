import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { approvalPolicyUpsert } from './operator-store.ts';

export interface PolicyDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sets who approves a company's shipments. It is idempotent: if the outcome is unknown, the caller may repeat it. */
export async function setApprovalPolicy(
  dependencies: PolicyDependencies,
  scope: CompanyScope,
  approvalPolicy: ApprovalPolicy,
): Promise<Result<ApprovalPolicy>> {
  const made = await commitChange(dependencies, {
    unit: { statements: [approvalPolicyUpsert(scope, approvalPolicy)] },
    audit: auditOf(dependencies, scope, {
      action: 'company.approval_policy_set',
      subject: scope.companyId,
      at: dependencies.clock.now(),
      detail: { approvalPolicy },
    }),
  });
  if (!made.ok) return made;
  if (!made.value) throw new Error("The policy's SQL is wrong: it was refused");
  return ok(approvalPolicy);
}
