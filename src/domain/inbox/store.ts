import { and, desc, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { oneTimeCodes } from '../../../db/directory/schema/one-time-codes.ts';
import { columnsOf, queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';

/* The SQL of a local deployment's inbox. Its codes go to people, who belong to no company yet. */

const place = sql.placeholder;

const insertCode = write(
  queries.insert(oneTimeCodes).values({
    id: place('id'),
    channel: place('channel'),
    recipient: place('recipient'),
    purpose: place('purpose'),
    code: place('code'),
    createdAt: place('createdAt'),
  }),
);
export function oneTimeCodeInsert(row: typeof oneTimeCodes.$inferSelect) {
  return insertCode({ ...row });
}

/** More than anybody looks through. */
const SHOWN_MAX = 25;
function compileSelect(hasCode: SQL) {
  return read(columnsOf(oneTimeCodes), (columns) =>
    queries
      .select(columns)
      .from(oneTimeCodes)
      .where(and(eq(oneTimeCodes.recipient, place('recipient')), hasCode))
      .orderBy(desc(oneTimeCodes.createdAt))
      .limit(place('limit')),
  );
}
const selectCodes = compileSelect(ne(oneTimeCodes.code, ''));
/** The codes of one recipient, newest first. */
export function codesOf(recipient: string) {
  return selectCodes({ recipient, limit: SHOWN_MAX });
}

const selectNotices = compileSelect(eq(oneTimeCodes.code, ''));
/** What one recipient was told without a code, newest first. */
export function noticesOf(recipient: string) {
  return selectNotices({ recipient, limit: SHOWN_MAX });
}

const deleteCodes = write(queries.delete(oneTimeCodes).where(lt(oneTimeCodes.createdAt, place('before'))));
/** For the sweep only. */
export function oldCodesDelete(before: Instant) {
  return deleteCodes({ before });
}
