import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { sandboxes } from './schema/sandbox.ts';

/* Which companies have their own time: on deployments with sandboxes, those that have advanced their clock. */

/** True of a sandbox whose clock does not show the real time, or is about to leave it. */
export const hasMoved = sql`(${sandboxes.clockOffset} <> 0 or ${sandboxes.clockTarget} is not null)`;

/** Whose due work a run does: that of all companies, of those with the real time, or of one company. */
export type Reach = 'everybody' | 'real-time' | 'one';

/** The companies of a run. On production nothing is compared. The plus sign keeps SQLite on the index of due times. */
export function isInReach(reach: Reach, companyId: SQLWrapper): SQL | undefined {
  if (reach === 'everybody') return undefined;
  if (reach === 'one') return sql`+${companyId} = ${sql.placeholder('companyId')}`;
  return sql`not exists (select 1 from ${sandboxes} where ${sandboxes.companyId} = ${companyId} and ${hasMoved})`;
}
