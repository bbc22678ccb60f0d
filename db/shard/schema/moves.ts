import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * States of a company in a shard during a move:
 * - DRAINING: the company will move; its shipments get no new offers.
 * - FROZEN: it is being copied, from or to this shard. Writes are refused.
 * - COPYING: as FROZEN, inside a transaction of the mover itself.
 * - MOVED: it is in `forwardTo`. Writes are refused here.
 * - ARRIVED: it is here.
 */
export const MOVE_STATES = ['DRAINING', 'FROZEN', 'COPYING', 'MOVED', 'ARRIVED'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** Companies that move to or from another shard. A company that never moved has no row. */
export const companyMoves = sqliteTable(
  'company_moves',
  {
    companyId: uuid('company_id').primaryKey(),
    state: oneOf(MOVE_STATES)().notNull(),
    /** The other shard of its last move. */
    otherShard: text('other_shard').notNull(),
    /** The shard that answers requests which still name this one. */
    forwardTo: text('forward_to'),
    /** The run that owns the move. An older run can write no more. */
    run: uuid().notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [check('company_moves_state', isOneOf(table.state, MOVE_STATES))],
);
