import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { Kept } from '../../core/kept.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { approvalPolicyUpsert, companyName } from './store.ts';

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

/** How long a process caches a name. Companies rarely change their names. */
const KEPT_MS = 600_000;
/** Some 200 bytes each. */
const NAMES_MAX = 5_000;

/** The names of companies, as this process last read them in the directory. */
export class CompanyNames {
  readonly #names: Kept<Uuid, string>;

  constructor(monotonicMs: () => number) {
    this.#names = new Kept({ keptMs: KEPT_MS, entriesMax: NAMES_MAX, nowMs: monotonicMs });
  }

  /** Undefined if a read was needed and the directory did not answer. A stale name is better than none. */
  async nameOf(directory: Database, scope: CompanyScope): Promise<string | undefined> {
    const stale = this.#names.peek(scope.companyId)?.value;
    return this.#names.getOrRead(scope.companyId, async () => {
      const answer = await directory.read(companyName(scope));
      return answer.ok ? answer.rows[0]?.name : stale;
    });
  }
}
