import type { MoveState } from '../../../db/shard/schema/moves.ts';
import type { SqlValue, WriteStatement } from '../../../db/statement.ts';
import { mustCommit, type WithRows } from './copy.ts';
import type { End } from './end.ts';

/* The row of a move in one of its two shards. */

/** The company, its shards and this run. */
export interface Run {
  readonly companyId: string;
  readonly id: string;
}

export interface MoveRow {
  readonly state: MoveState;
  readonly otherShard: string;
  readonly forwardTo: string | null;
  /** The run that holds the move. */
  readonly run: string;
  /** Microseconds since 1970, by the clock of the run. */
  readonly changedAt: bigint;
}

export async function readMoveRow(end: End, companyId: string): Promise<MoveRow | undefined> {
  const select = 'select state, other_shard, forward_to, run, changed_at from company_moves where company_id = ?';
  const [row] = await end.read(select, [companyId]);
  if (row === undefined) return undefined;
  const [state, otherShard, forwardTo, run, changedAt] = row as [MoveState, string, string | null, string, bigint];
  return { state, otherShard, forwardTo, run, changedAt };
}

/** Takes the move over from an earlier run, or begins it. */
export async function takeOver(end: End, run: Run, begin: { state: MoveState; otherShard: string }): Promise<void> {
  const { state, otherShard } = begin;
  const sql = `insert into company_moves (company_id, state, other_shard, forward_to, run, changed_at) values (?, ?, ?, null, ?, ?)
    on conflict (company_id) do update set run = excluded.run`;
  await mustCommit(end, [{ sql, args: [run.companyId, state, otherShard, run.id, now()] }], 'the beginning');
}

export interface MoveChange {
  readonly from: readonly MoveState[];
  readonly to: MoveState;
  readonly otherShard: string;
  readonly forwardTo: string | null;
  /** A further condition on the company `?1`. */
  readonly when?: string;
}

/** Moves on from one state to the next if this run holds the move. Answers false otherwise. */
export function changeMoveRow(end: End, run: Run, order: MoveChange): Promise<boolean> {
  return end.commit([changed(run, order)]);
}

function changed({ companyId, id }: Run, { from, to, otherShard, forwardTo, when = '1' }: MoveChange): WriteStatement {
  const args: SqlValue[] = [companyId, to, otherShard, forwardTo, now(), id];
  const states = from.map((state) => `'${state}'`).join(', ');
  const sql = `update company_moves set state = ?2, other_shard = ?3, forward_to = ?4, changed_at = ?5
    where company_id = ?1 and run = ?6 and state in (${states}) and (${when})`;
  return { sql, args, mustChange: true };
}

/**
 * Opens the company's rows for these statements within one transaction: the shard's triggers allow writes only there. A run
 * that another run has replaced is refused.
 */
export function withWritesAllowed({ companyId, id }: Run, state: 'FROZEN' | 'MOVED'): WithRows {
  const set = (to: MoveState, from: MoveState): WriteStatement => ({
    sql: `update company_moves set state = '${to}' where company_id = ? and run = ? and state = '${from}'`,
    args: [companyId, id],
    mustChange: true,
  });
  return (statements) => [set('COPYING', state), ...statements, set(state, 'COPYING')];
}

function now(): bigint {
  return BigInt(Date.now()) * 1000n;
}
