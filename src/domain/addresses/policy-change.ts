import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import type { AddressPolicies } from './policy.ts';
import { policyUpsert } from './policy-change-store.ts';

export interface PolicyDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
  readonly addressPolicies: AddressPolicies;
}

/** Sets the policy for the shipments that a company creates from now on. It is idempotent: the caller may repeat it. */
export async function setAddressPolicy(
  dependencies: PolicyDependencies,
  scope: CompanyScope,
  addressPolicy: AddressPolicy,
): Promise<Result<AddressPolicy>> {
  const { clock, addressPolicies } = dependencies;
  const made = await commitChange(dependencies, {
    unit: { statements: [policyUpsert(scope, addressPolicy)] },
    audit: auditOf(dependencies, scope, {
      action: 'company.address_policy_set',
      subject: scope.companyId,
      at: clock.now(),
      detail: { addressPolicy },
    }),
  });
  if (!made.ok) return made;
  addressPolicies.forget(scope);
  return ok(addressPolicy);
}
