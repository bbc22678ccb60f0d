import { isNotNull } from 'drizzle-orm';
import { companyMoves } from '../../../db/shard/schema/moves.ts';
import { queries, read } from '../../../db/statement.ts';

/* The SQL of companies that have left a shard. */

const forwardColumns = { companyId: companyMoves.companyId, forwardTo: companyMoves.forwardTo };
const selectForwards = read(forwardColumns, (columns) =>
  queries.select(columns).from(companyMoves).where(isNotNull(companyMoves.forwardTo)),
);
/** The companies that have left the shard, and their new shards. */
export function forwards() {
  return selectForwards({});
}
