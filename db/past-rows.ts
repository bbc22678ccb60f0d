import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { queries, type ReadStatement, read, type SqlValue, type WriteStatement, write } from './statement.ts';

/**
 * The most rows that one unit deletes. It holds the write lock, so creations wait: 500 rows with their indexes take
 * about 10 ms.
 */
export const PAST_ROWS_AT_ONCE = 500;

/** Expired rows: a read that finds one if there is any, and the unit that deletes some of them. */
export interface PastRows {
  readonly some: ReadStatement<unknown>;
  readonly deletion: readonly WriteStatement[];
}

/** Compiles both statements for the rows of a table for which `isPast` is true. `isPast` needs an index. */
export function compilePastRows<Values extends Record<string, SqlValue>>(
  table: SQLiteTable,
  isPast: SQL | undefined,
): (values: Values) => PastRows {
  const limit = sql.raw(String(PAST_ROWS_AT_ONCE));
  const some = read<Values, ReturnType<typeof getTableColumns>>(firstColumnOf(table), (columns) =>
    queries.select(columns).from(table).where(isPast).limit(1),
  );
  const deletion = write<Values>(
    queries.delete(table).where(sql`rowid in (select rowid from ${table} where ${isPast} limit ${limit})`),
  );
  return (values) => ({ some: some(values), deletion: [deletion(values)] });
}

function firstColumnOf(table: SQLiteTable) {
  return Object.fromEntries(Object.entries(getTableColumns(table)).slice(0, 1));
}
