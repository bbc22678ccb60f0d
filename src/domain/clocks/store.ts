import { hasMoved } from '../../../db/shard/clocks.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { queries, read } from '../../../db/statement.ts';

/* The SQL of the clocks of all companies of a shard. Never run on production. */

const clockColumns = {
  companyId: sandboxes.companyId,
  offset: sandboxes.clockOffset,
  standsAt: sandboxes.clockAt,
  target: sandboxes.clockTarget,
  startsAt: sandboxes.clockStartsAt,
};
const selectMoved = read(clockColumns, (columns) => queries.select(columns).from(sandboxes).where(hasMoved));
export type ClockRow = ReturnType<ReturnType<typeof selectMoved>['decode']>;
/** The clocks that do not show the real time, of all companies. */
export function movedClocks() {
  return selectMoved({});
}
