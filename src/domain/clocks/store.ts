import { sql } from 'drizzle-orm';
import { hasMoved } from '../../../db/shard/clocks.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { check, placeholder, queries, read } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { StoredClock } from '../../ports/clock.ts';

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

const ofCompany = sql`${sandboxes.companyId} = ${placeholder('companyId')}`;
const isWhereItWas = sql`${ofCompany} and ${sandboxes.clockOffset} = ${placeholder('offset')} and ${sandboxes.clockAt} is ${placeholder('standsAt')}`;
const keepClock = check<{ companyId: Uuid; offset: number; standsAt: Instant | null }>(
  sql`exists (select 1 from ${sandboxes} where ${isWhereItWas})`,
);
/** Refuses the unit if the clock has moved since it was read. */
export function clockKept({ companyId, offset, standsAt }: StoredClock) {
  return keepClock({ companyId, offset, standsAt });
}

const selectKept = read({ companyId: sandboxes.companyId }, (columns) =>
  queries.select(columns).from(sandboxes).where(isWhereItWas),
);
/** A row if the clock has not moved since it was read. */
export function unmovedClock({ companyId, offset, standsAt }: StoredClock) {
  return selectKept({ companyId, offset, standsAt });
}
