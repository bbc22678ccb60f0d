import type { Database } from '../../db/database.ts';
import type { ReadStatement } from '../../db/statement.ts';
import type { CommitOutcome } from '../../db/writer.ts';
import { ok, type Result, refuse, unavailable } from '../core/result.ts';

/**
 * The result of a unit that cannot be looked up: true if committed, false if its SQL refused it, 503 if the outcome is
 * unknown. SQL that cannot run is a bug.
 */
export function settle(outcome: CommitOutcome): Result<boolean> {
  if (outcome.status === 'invalid') throw new Error(`The unit's SQL is wrong: ${outcome.message}`);
  if (outcome.status === 'committed' || outcome.status === 'refused') return ok(outcome.status === 'committed');
  if (outcome.status === 'in_progress') return refuse('IDEMPOTENCY_REQUEST_IN_PROGRESS', { retryAfterSeconds: 1 });
  return unavailable();
}

/**
 * The result of a unit that can be looked up: `kept` finds a row once it is committed, such as its audit entry. If the
 * outcome is unknown, it reads that row. A missing row may still be committed, so the outcome then stays unknown.
 */
export async function settleKept(
  outcome: CommitOutcome,
  database: Database,
  kept: ReadStatement<unknown>,
): Promise<Result<boolean>> {
  if (outcome.status !== 'unknown') return settle(outcome);
  const answer = await database.read(kept);
  return answer.ok && answer.rows.length > 0 ? ok(true) : unavailable();
}
