import { check, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, isOneOf, oneOf, uuid } from '../../columns.ts';

/**
 * - DRAINING: it will move; nothing new of it is offered to drivers.
 * - FROZEN: it is being copied, from here or to here. Nothing of it is written.
 * - COPYING: the same, within a transaction of the move itself.
 * - MOVED: it lives in `forwardTo`. Nothing of it is written here any more.
 * - ARRIVED: it lives here.
 */
export const MOVE_STATES = ['DRAINING', 'FROZEN', 'COPYING', 'MOVED', 'ARRIVED'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** Companies that go to another shard or came from one. A company that never moved has no row. */
export const companyMoves = sqliteTable(
  'company_moves',
  {
    companyId: uuid('company_id').primaryKey(),
    state: oneOf(MOVE_STATES)().notNull(),
    /** The other end of its last move. */
    otherShard: text('other_shard').notNull(),
    /** Where requests that still name this shard are answered. */
    forwardTo: text('forward_to'),
    /** Which run of the move holds it: one that was overtaken writes no more. */
    run: uuid().notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [check('company_moves_state', isOneOf(table.state, MOVE_STATES))],
);
