import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressPolicy } from '../../contract/address-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { Kept } from '../../core/kept.ts';
import type { Uuid } from '../../core/uuid.ts';
import { policyOfCompany } from './policy-store.ts';

/** The policy of a company that has none of its own. On production a parcel without a National Address must be refused. */
export function defaultPolicy(deployment: Deployment): AddressPolicy {
  return deployment === 'production' ? 'REQUIRED' : 'ASK';
}

/** Operators change a policy rarely, and only warnings are read from here: the gate reads the row. */
const KEPT_MS = 60_000;
/** About 100 bytes each. */
const COMPANIES_MAX = 10_000;

/** The policies of companies, as this process last read them in their shards. */
export class AddressPolicies {
  readonly #policies: Kept<Uuid, AddressPolicy>;
  readonly #default: AddressPolicy;

  constructor(monotonicMs: () => number, deployment: Deployment) {
    this.#policies = new Kept({ keptMs: KEPT_MS, entriesMax: COMPANIES_MAX, nowMs: monotonicMs });
    this.#default = defaultPolicy(deployment);
  }

  /** Undefined if a read was needed and the database did not answer. */
  policyOf(database: Database, scope: CompanyScope): Promise<AddressPolicy | undefined> {
    return this.#policies.getOrRead(scope.companyId, async () => {
      const answer = await database.read(policyOfCompany(scope));
      return answer.ok ? (answer.rows[0]?.policy ?? this.#default) : undefined;
    });
  }

  /** After this the next call reads. */
  forget({ companyId }: CompanyScope): void {
    this.#policies.forget(companyId);
  }
}
