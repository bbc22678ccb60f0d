import type { Database } from '../../db/database.ts';
import type { ReadStatement } from '../../db/statement.ts';
import type { CommitOutcome } from '../../db/writer.ts';
import { ok, type Result, unavailable } from '../core/result.ts';

/**
 * What became of a unit that nobody reads back: true when committed, false when its SQL refused it, and 503 for every
 * end that is not known. SQL that cannot run is a bug.
 */
export function settle(outcome: CommitOutcome): Result<boolean> {
  if (outcome.status === 'invalid') throw new Error(`The unit's SQL is wrong: ${outcome.message}`);
  if (outcome.status === 'committed' || outcome.status === 'refused') return ok(outcome.status === 'committed');
  return unavailable();
}

/**
 * What became of a unit of which `kept` finds a row once it is committed, as it does an entry of the audit: an end that
 * nobody heard is looked up. What is not there yet may still come, and stays unknown.
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
