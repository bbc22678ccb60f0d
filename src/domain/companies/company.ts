import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ApprovalPolicy } from '../../contract/shipment-state.ts';
import { Kept } from '../../core/kept.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { approvalPolicyUpsert, companyName } from './store.ts';

/** Sets who approves a company's shipments. It is idempotent: if the outcome is unknown, the caller may repeat it. */
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

/** How long a process uses a name that it has read. Companies rarely change their names. */
const KEPT_MS = 600_000;
/** Some 200 bytes each. */
const NAMES_MAX = 5_000;

/** What companies are called, as this process last read it in the directory. */
export class CompanyNames {
  readonly #names: Kept<Uuid, string>;

  constructor(monotonicMs: () => number) {
    this.#names = new Kept({ keptMs: KEPT_MS, entriesMax: NAMES_MAX, nowMs: monotonicMs });
  }

  /** Undefined when the directory was needed and did not answer. A stale name is better than none. */
  async nameOf(directory: Database, scope: CompanyScope): Promise<string | undefined> {
    const stale = this.#names.peek(scope.companyId)?.value;
    return this.#names.getOrRead(scope.companyId, async () => {
      const answer = await directory.read(companyName(scope));
      return answer.ok ? answer.rows[0]?.name : stale;
    });
  }
}
