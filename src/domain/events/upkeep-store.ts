import { sql } from 'drizzle-orm';
import { isFound, oldestOfEach, type PastRows, positionsIn } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { events } from '../../../db/shard/schema/events.ts';
import { queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import { isKept } from './positions.ts';

/* The SQL of events that are too old, for all companies. */

/** The positions of a company's events of one type follow its time, so no index of times is needed. */
const isOld = sql`position in ${oldestOfEach({
  table: 'events',
  owner: ['company_id', 'type'],
  order: 'position',
  at: 'occurred_at',
  isKept,
  mayDelete: isAtHome(sql`r.company_id`),
})}`;
const some = read({ position: events.position }, (columns) => queries.select(columns).from(events).where(isOld));
// Positions are used once because the last row stays.
const isLast = sql`position = (select max(position) from events)`;
const deleteOthers = write(queries.delete(events).where(sql`${isFound} and step is null and not ${isLast}`));
const deleteBodies = write(queries.update(events).set({ body: null }).where(isFound));
/** Events before that instant, of all companies that are not moving; the steps of shipments keep all but their text. For the sweep only. */
export function oldEvents(before: Instant): PastRows {
  return {
    some: some({ before }),
    deletion(rows) {
      const found = positionsIn(rows);
      return [deleteOthers({ found }), deleteBodies({ found })];
    },
  };
}
