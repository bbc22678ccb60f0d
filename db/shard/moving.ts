import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { companyMoves, type MoveState } from './schema/moves.ts';

/** States of a move in which the triggers of the shard refuse every change of the company's rows. */
export const RESTING = listOf('FROZEN', 'MOVED');

/** True if the company's rows may be written. For work that the service starts by itself. */
export function isAtHome(companyId: SQLWrapper): SQL {
  return isInNoneOf(RESTING, companyId);
}

/** True if, in addition, its shipments may be offered to drivers. */
export function isStaying(companyId: SQLWrapper): SQL {
  return isInNoneOf(LEAVING, companyId);
}
const LEAVING = listOf('DRAINING', 'FROZEN', 'MOVED');

function isInNoneOf(states: string, companyId: SQLWrapper): SQL {
  return sql`not exists (select 1 from ${companyMoves} where ${companyMoves.companyId} = ${companyId} and ${companyMoves.state} in ${sql.raw(states)})`;
}

function listOf(...states: readonly MoveState[]): string {
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
}
