import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { companyMoves } from './schema/moves.ts';

/** States of a move in which the triggers of the shard refuse every change of the company's rows. */
export const RESTING = "('FROZEN', 'MOVED')";

/** That nothing keeps the service from writing rows of this company: for what it does by itself. */
export function isAtHome(companyId: SQLWrapper): SQL {
  return sql`not exists (select 1 from ${companyMoves} where ${companyMoves.companyId} = ${companyId} and ${companyMoves.state} in ${sql.raw(RESTING)})`;
}

/** The same, and that it may still be given to drivers. */
export function isStaying(companyId: SQLWrapper): SQL {
  return sql`not exists (select 1 from ${companyMoves} where ${companyMoves.companyId} = ${companyId} and ${companyMoves.state} in ('DRAINING', 'FROZEN', 'MOVED'))`;
}
