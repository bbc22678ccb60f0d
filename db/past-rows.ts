import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import {
  placeholder,
  queries,
  type ReadStatement,
  read,
  type SqlValue,
  type WriteStatement,
  write,
} from './statement.ts';

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

export interface OwnedRows {
  readonly table: string;
  /** The column of the owner, and the columns in whose order its rows grow older. An index begins with the first two. */
  readonly owner: string;
  readonly order: string;
  readonly at: string;
  /** Whether the row `r` may be deleted. */
  readonly mayDelete: SQL;
}

/**
 * Positions of the oldest rows before `:before`, from every owner that has some, and at most as many as one unit deletes. Owners
 * are found by skipping from one to the next in the index, so rows of one whose clock is ahead hide none of another.
 */
export function oldestOfEach({ table, owner, order, at, mayDelete }: OwnedRows): SQL {
  const raw = sql.raw;
  const rows = raw(`select o.position from ${table} as o where o.${owner} = owners.id order by o.${order}`);
  return sql`(with recursive owners(id) as (
    select min(${raw(owner)}) from ${raw(table)}
    union all
    select (select min(o.${raw(owner)}) from ${raw(table)} as o where o.${raw(owner)} > owners.id) from owners where owners.id is not null)
    select r.position from owners cross join ${raw(table)} as r on r.position in (${rows} limit ${raw(String(PAST_ROWS_AT_ONCE))})
    where (select o.${raw(at)} from ${raw(table)} as o where o.${raw(owner)} = owners.id order by o.${raw(order)} limit 1) < ${placeholder('before')}
    and r.${raw(at)} < ${placeholder('before')} and ${mayDelete} limit ${raw(String(PAST_ROWS_AT_ONCE))})`;
}

function firstColumnOf(table: SQLiteTable) {
  return Object.fromEntries(Object.entries(getTableColumns(table)).slice(0, 1));
}
