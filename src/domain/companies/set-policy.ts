import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';
import type { AttemptPolicy, ProofPolicy } from '../../contract/proof-state.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { AddressPolicies } from '../addresses/policy.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { addressPolicyUpsert, approvalPolicyUpsert, proofTermsUpsert } from './operator-store.ts';

/* The policies hold for shipments that the company creates from now on. If an outcome is unknown, the caller may repeat the call. */

interface PolicyDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sets who approves a company's shipments. */
export function setApprovalPolicy(
  dependencies: PolicyDependencies,
  scope: CompanyScope,
  approvalPolicy: ApprovalPolicy,
): Promise<Result<void>> {
  const upsert = approvalPolicyUpsert(scope, approvalPolicy);
  return setPolicy(dependencies, scope, upsert, 'company.approval_policy_set', { approvalPolicy });
}

/** Sets what a company's shipments need of a National Address. */
export async function setAddressPolicy(
  dependencies: PolicyDependencies & { readonly addressPolicies: AddressPolicies },
  scope: CompanyScope,
  addressPolicy: AddressPolicy,
): Promise<Result<void>> {
  const upsert = addressPolicyUpsert(scope, addressPolicy);
  const made = await setPolicy(dependencies, scope, upsert, 'company.address_policy_set', { addressPolicy });
  if (made.ok) dependencies.addressPolicies.forget(scope);
  return made;
}

/** Sets what the company's deliveries prove. It holds for shipments on their way, too. */
export function setProofTerms(
  dependencies: PolicyDependencies,
  scope: CompanyScope,
  terms: {
    readonly proofPolicy: ProofPolicy;
    readonly attemptPolicy: AttemptPolicy;
    readonly waitSeconds: number;
  },
): Promise<Result<void>> {
  const upsert = proofTermsUpsert(scope, JSON.stringify(terms));
  const { proofPolicy, attemptPolicy, waitSeconds } = terms;
  const detail = { proofPolicy, attemptPolicy, waitSeconds: String(waitSeconds) };
  return setPolicy(dependencies, scope, upsert, 'company.proof_terms_set', detail);
}

async function setPolicy(
  dependencies: PolicyDependencies,
  scope: CompanyScope,
  upsert: WriteStatement,
  action: 'company.approval_policy_set' | 'company.address_policy_set' | 'company.proof_terms_set',
  detail: Readonly<Record<string, string>>,
): Promise<Result<void>> {
  const made = await commitChange(dependencies, {
    unit: { statements: [upsert] },
    audit: auditOf(dependencies, scope, { action, subject: scope.companyId, at: dependencies.clock.now(), detail }),
  });
  if (!made.ok) return made;
  if (!made.value) throw new Error("The policy's SQL is wrong: it was refused");
  return ok(undefined);
}
