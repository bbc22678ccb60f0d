import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import { approvalPolicyUpsert } from './store.ts';

/** Sets who approves a company's shipments. Setting it twice is setting it once, so an unheard end may be repeated. */
export async function setApprovalPolicy(
  writer: Writer,
  scope: CompanyScope,
  policy: ApprovalPolicy,
): Promise<Result<ApprovalPolicy>> {
  const outcome = await writer.commit({ statements: [approvalPolicyUpsert(scope, policy)] });
  if (outcome.status === 'committed') return ok(policy);
  if (outcome.status === 'invalid' || outcome.status === 'refused')
    throw new Error(`The policy's SQL is wrong: ${outcome.status}`);
  return unavailable();
}
